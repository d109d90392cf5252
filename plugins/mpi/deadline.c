/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for MPI requests without ever blocking in MPI. */
#include "deadline.h"

#include <sched.h>
#include <time.h>

/* In nanoseconds: first polls without a pause, then pauses for a fraction of
 * the time waited so far.  So an answer is noticed soon, and a missing answer
 * does not cost a core. */
static const struct pace {
    int64_t rush;
    int64_t pause_max;
} paces[] = {
    [PDUMP_PATIENT] = { 100000, 1000000 },
    [PDUMP_EAGER] = { 50000000, 50000 },
};

static int64_t now_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

static void thread_rest(const struct pace *pace, int64_t waited)
{
    int64_t pause = waited / 16;

    if (waited < pace->rush) {
        sched_yield();
        return;
    }
    if (pause > pace->pause_max)
        pause = pace->pause_max;
    nanosleep(&(struct timespec){ .tv_nsec = (long)pause }, NULL);
}

int pdump_deadline_error(int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int len;

    if (PMPI_Error_string(code, text, &len) != MPI_SUCCESS)
        return pdump_fail(PDUMP_EPEER, "MPI error %d", code);
    return pdump_fail(PDUMP_EPEER, "%s", text);
}

int pdump_deadline_wait(MPI_Request *request, int64_t seconds,
                        enum pdump_patience patience)
{
    const int64_t start = now_ns();

    for (;;) {
        int is_done = 0;
        int code = PMPI_Test(request, &is_done, MPI_STATUS_IGNORE);
        int64_t waited = now_ns() - start;

        if (code != MPI_SUCCESS)
            return pdump_deadline_error(code);
        if (is_done)
            return PDUMP_OK;
        if (waited / 1000000000 >= seconds)
            return PDUMP_EPEER;
        thread_rest(&paces[patience], waited);
    }
}
