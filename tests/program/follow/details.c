/* SPDX-License-Identifier: BSD-3-Clause */
/* A process and its child, with details of calls as a library records them that
 * is between a program and others: `details`, or `details killed`. */
#include "program/behaviour/kit.h"

#include "probe/call_detail.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct pdump_detail_field fields[] = {
    { "calls", "1", PDUMP_FIELD_SUM, 1, false },
};

static void label(uint64_t key, char *buf, size_t len)
{
    snprintf(buf, len, "place %d", (int)key);
}

static struct pdump_detail_table table = { .name = "trips",
                                           .about = "for tests",
                                           .key = "place",
                                           .fields = fields,
                                           .n_fields = 1,
                                           .label = label };
static struct pdump_callee sender = { .name = "send",
                                      .group = PDUMP_GROUP_MPI };

static void call(uint64_t place)
{
    struct pdump_call c;
    int64_t *row;

    if (!pdump_call_begin(&c, &sender))
        return;
    pdump_call_end(&c);
    row = pdump_detail_row(&c, &table, place);
    if (!row)
        return;
    row[0]++;
    pdump_detail_done(&c);
}

int main(int argc, char **argv)
{
    int status = 0;
    pid_t child;

    (void)argv;
    OK(pdump_init());
    call(1);
    child = fork();
    if (child == 0) {
        call(1);
        call(2);
        call(2);
        exit(0);
    }
    YES(waitpid(child, &status, 0) == child && status == 0);
    if (argc > 1)
        raise(SIGKILL);
    return n_failed ? 1 : 0;
}
