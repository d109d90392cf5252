/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that has recorded some of everything when it is killed: seeds for
 * fuzz/store.  "flush": only after events have gone to a file in this folder.
 */
#include "probe/call_detail.h"
#include "record/timeline.h"

#include <pdump.h>

#include <glob.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { N_SHORT = 300, N_FULL = 1500, PATIENCE = 300, NAP = 10000 /* us */ };

static const struct pdump_detail_field fields[] = {
    { "calls", "1", PDUMP_FIELD_SUM, 1, false },
    { "time_min", "ns", PDUMP_FIELD_MIN, 1, true },
    { "sizes", "1", PDUMP_FIELD_SUM, 4, false },
};

static void label(uint64_t key, char *buf, size_t len)
{
    snprintf(buf, len, "place %d", (int)key);
}

static struct pdump_detail_table table = { .name = "mpi",
                                           .about = "for tests",
                                           .key = "site",
                                           .fields = fields,
                                           .n_fields = 3,
                                           .label = label };
static struct pdump_callee sender = { .name = "send",
                                      .group = PDUMP_GROUP_MPI };

static void call(uint64_t place)
{
    struct pdump_call c;
    int64_t *row;

    if (!pdump_call_begin(&c, &sender))
        return;
    pdump_timeline_message(PDUMP_EVENT_SEND, pdump_call_now(), 1, 64, 7);
    pdump_call_end(&c);
    row = pdump_detail_row(&c, &table, place);
    if (!row)
        return;
    row[0]++;
    row[1] = c.time;
    pdump_detail_done(&c);
}

static void visit(const char *name, int n)
{
    for (int i = 0; i < n; i++) {
        pdump_region_begin(name);
        pdump_region_end(name);
    }
}

static void *other(void *unused)
{
    pdump_region_begin("other");
    visit("inside", 3);
    return unused;
}

static void record(void)
{
    pthread_t thread;

    pdump_metadata("note", "a note");
    pdump_region_begin("main");
    pdump_parameter_int("n", 3);
    pdump_counter_add("sent", 5);
    pdump_marker("half");
    for (uint64_t i = 1; i <= 3; i++)
        call(i % 2);
    for (int i = 0; i < 3; i++) {
        pdump_start_step();
        pdump_end_step();
    }
    for (int discard = 0; discard < 2; discard++) {
        pdump_rewind_begin("perhaps");
        visit("maybe", 2);
        pdump_rewind_end("perhaps", discard);
    }
    visit("short", N_SHORT); /* PDUMP_THROTTLE puts it out */
    if (pthread_create(&thread, NULL, other, NULL) == 0)
        pthread_join(thread, NULL);
}

/* Uses CPU time, for PDUMP_STACKS. */
static void burn(clock_t ticks)
{
    clock_t until = clock() + ticks;

    while (clock() < until)
        ;
}

/* Is there a file of events with a whole chunk? */
static int is_written(void)
{
    char pattern[4096];
    struct stat st;
    glob_t found;
    int is_there = 0;

    snprintf(pattern, sizeof(pattern), "%s/*.events", getenv("PDUMP_STORE"));
    if (glob(pattern, 0, NULL, &found) == 0) {
        is_there = stat(found.gl_pathv[0], &st) == 0 && st.st_size > 4000;
        globfree(&found);
    }
    return is_there;
}

int main(int argc, char **argv)
{
    alarm(PATIENCE);
    record();
    burn(CLOCKS_PER_SEC / 10);
    if (argc > 1 && strcmp(argv[1], "flush") == 0) {
        for (int i = 0; i < N_FULL; i++) /* more than a chunk holds */
            pdump_marker("full");
        while (!is_written())
            usleep(NAP);
    }
    kill(getpid(), SIGKILL);
    pause();
}
