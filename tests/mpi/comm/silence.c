/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that do not come, come late, or fall silent: the others go on. */
#include "comm/fast_clock.h"
#include "kit.h"

#include <fcntl.h>

enum { DEADLINE = 60, PATIENCE = 300 }; /* seconds */

/* The last rank is the one that is not there. */
static bool is_missing(void)
{
    return rank == size - 1;
}

/* `call` must give up after the deadline. */
#define GIVES_UP(call)                                                      \
    do {                                                                    \
        double begin_ = now();                                              \
        speed = FASTER;                                                     \
        IS(call, PDUMP_EPEER);                                              \
        speed = 1;                                                          \
        YES(has_error("did not answer") || has_error("ranks came within")); \
        YES(now() - begin_ >= DEADLINE);                                    \
    } while (0)

/* `call` must fail without waiting. */
#define FAILS_AT_ONCE(call, error)      \
    do {                                \
        double begin_ = now();          \
        IS(call, error);                \
        YES(now() - begin_ < DEADLINE); \
    } while (0)

/* How often all others have given up; the silent rank waits for that. */
static int n_given_up;

static void put_name(char *name, size_t len, int of)
{
    snprintf(name, len, "given-up-%d-%d", n_given_up, of);
}

static void tell_that_it_gave_up(void)
{
    char name[40];

    put_name(name, sizeof(name), rank);
    close(open(name, O_CREAT | O_WRONLY, 0600));
    n_given_up++;
}

static void wait_for_others(void)
{
    char name[40];

    for (int i = 0; i < size - 1; i++) {
        double end = now() + PATIENCE;

        put_name(name, sizeof(name), i);
        while (access(name, F_OK) != 0 && now() < end)
            usleep(1000);
    }
    n_given_up++;
}

/* All ranks are there, and can talk. */
static void meet(void)
{
    char *bytes = NULL;
    size_t len = 0;

    OK(comm->enter(NULL, DEADLINE));
    IS(comm->agree(-rank), 1 - size);
    if (rank == 1)
        OK(comm->send(0, "hello", 6));
    if (rank == 0)
        OK(comm->receive(1, 1, (void **)&bytes, &len));
    if (rank == 0)
        YES(len == 6 && strcmp(bytes, "hello") == 0);
    free(bytes);
    comm->leave();
}

/* What a program does with the world besides. */
static void work(void)
{
    MPI_Request request;
    MPI_Comm copy;
    int one = 1, sum = 0, other_sum = 0;

    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    IS(sum, size);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Allreduce(&one, &other_sum, 1, MPI_INT, MPI_SUM, copy);
    IS(other_sum, size);
    MPI_Comm_free(&copy);
}

static int n_ends;

static void end(void)
{
    n_ends++;
    GIVES_UP(comm->enter(NULL, DEADLINE));
    FAILS_AT_ONCE(comm->agree(0), PDUMP_ESTATE);
    IS(comm->rank(), rank);
    IS(comm->size(), size);
    if (!is_missing())
        tell_that_it_gave_up();
}

static void absent_at_end(void)
{
    start(MPI_THREAD_SINGLE, end);
    if (is_missing())
        wait_for_others();
    MPI_Finalize();
    IS(n_ends, 1);
}

static void absent_first(void)
{
    int one = 1, sum = 0;

    start(MPI_THREAD_SINGLE, nothing);
    if (!is_missing())
        GIVES_UP(comm->enter(NULL, DEADLINE));
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    IS(sum, size);
    meet();
    meet();
    work();
    MPI_Finalize();
}

/* After one meeting nothing of ours is in the program's way. */
static void absent_later(void)
{
    start(MPI_THREAD_SINGLE, nothing);
    meet();
    if (!is_missing())
        GIVES_UP(comm->enter(NULL, DEADLINE));
    work();
    if (!is_missing())
        GIVES_UP(comm->enter(NULL, DEADLINE));
    work();
    meet();
    MPI_Finalize();
}

static void come_late(void)
{
    if (is_missing())
        wait_for_others();
    GIVES_UP(comm->enter(NULL, DEADLINE));
    if (!is_missing())
        tell_that_it_gave_up();
    MPI_Barrier(MPI_COMM_WORLD);
}

static void late(void)
{
    start(MPI_THREAD_SINGLE, nothing);
    come_late();
    meet();
    come_late();
    meet();
    work();
    MPI_Finalize();
}

/* One deadline is enough: nobody waits for that rank again. */
static void is_over(void)
{
    void *bytes;
    size_t len;

    FAILS_AT_ONCE(comm->agree(0), PDUMP_EPEER);
    FAILS_AT_ONCE(comm->same(0), PDUMP_EPEER);
    FAILS_AT_ONCE(comm->send(rank == 0, "x", 1), PDUMP_EPEER);
    FAILS_AT_ONCE(comm->receive(rank == 0, 1, &bytes, &len), PDUMP_EPEER);
    comm->leave();
    FAILS_AT_ONCE(comm->enter(NULL, DEADLINE), PDUMP_EPEER);
}

static void silent_voter(void)
{
    start(MPI_THREAD_SINGLE, nothing);
    OK(comm->enter(NULL, DEADLINE));
    if (is_missing()) {
        wait_for_others();
    } else {
        GIVES_UP(comm->agree(0));
        is_over();
        tell_that_it_gave_up();
    }
    work();
    MPI_Finalize();
}

static void silent_sender(void)
{
    void *bytes = NULL;
    size_t len = 0;

    start(MPI_THREAD_SINGLE, nothing);
    OK(comm->enter(NULL, DEADLINE));
    if (rank == 0) {
        GIVES_UP(comm->receive(size - 1, 1, &bytes, &len));
        YES(has_error("rank"));
        is_over();
    }
    work();
    if (is_missing()) /* nobody takes it any more */
        comm->send(0, "too late", 9);
    MPI_Finalize();
}

/* The sender's memory is gone when the receiver asks for it. */
static void silent_receiver(void)
{
    const size_t len = 30000000;
    void *bytes = NULL;
    size_t n = 0;

    start(MPI_THREAD_SINGLE, nothing);
    OK(comm->enter(NULL, DEADLINE));
    if (rank == 0) {
        bytes = calloc(len, 1);
        GIVES_UP(comm->send(size - 1, bytes, len));
        free(bytes);
        is_over();
    }
    work();
    if (is_missing())
        IS(comm->receive(0, 1, &bytes, &n), PDUMP_EPEER);
    MPI_Finalize();
}

static const struct behaviour table[] = {
    { "absent_at_end", absent_at_end },     { "absent_first", absent_first },
    { "absent_later", absent_later },       { "late", late },
    { "silent_voter", silent_voter },       { "silent_sender", silent_sender },
    { "silent_receiver", silent_receiver }, { NULL, NULL },
};

int main(int argc, char **argv)
{
    return main_of(argc, argv, table);
}
