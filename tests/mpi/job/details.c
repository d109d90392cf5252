/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks with details of calls: what a library that is between a program and
 * MPI records through call_detail.h. */
#include "kit.h"

#include "probe/call_detail.h"

#include <pthread.h>
#include <signal.h>

enum { CALLS, BYTES, LEAST, SIZES, BINS = 8, MANY = 2000 };

static const struct pdump_detail_field fields[] = {
    { "calls", "1", PDUMP_FIELD_SUM, 1, false },
    { "bytes", "B", PDUMP_FIELD_SUM, 1, false },
    { "least", "B", PDUMP_FIELD_MIN, 1, false },
    { "sizes", "1", PDUMP_FIELD_SUM, BINS, false },
};

static void label(uint64_t key, char *buf, size_t len)
{
    snprintf(buf, len, "place %llu", (unsigned long long)key);
}

static struct pdump_detail_table table = { .name = "trips",
                                           .about = "for tests",
                                           .key = "place",
                                           .fields = fields,
                                           .n_fields = 4,
                                           .label = label };
static struct pdump_callee sender = { .name = "send",
                                      .group = PDUMP_GROUP_MPI };

static void call(uint64_t place, int64_t bytes)
{
    struct pdump_call c;
    int64_t *row;

    if (!pdump_call_begin(&c, &sender))
        return;
    pdump_call_end(&c);
    row = pdump_detail_row(&c, &table, place);
    if (!row)
        return;
    row[CALLS]++;
    row[BYTES] += bytes;
    row[LEAST] = bytes < row[LEAST] ? bytes : row[LEAST];
    if (table.n_fields > 3)
        row[SIZES + bytes % BINS]++;
    pdump_detail_done(&c);
}

/* From place 0: 1, 2, 3 ... calls of 10, 20, 30 ... bytes on rank 0, 1, 2 ...;
 * from a place of its own: one. */
static void call_all(void)
{
    OK(pdump_region_begin("solve"));
    for (int i = 0; i <= rank; i++)
        call(0, 10 * (rank + 1));
    call((uint64_t)rank + 100, 5);
    OK(pdump_region_end("solve"));
}

static void *in_thread(void *arg)
{
    (void)arg;
    OK(pdump_region_begin("solve"));
    call(0, 1);
    OK(pdump_region_end("solve"));
    return NULL;
}

static void same(void)
{
    start();
    call_all();
    MPI_Finalize();
}

static void threads(void)
{
    pthread_t thread;

    start();
    call_all();
    pthread_create(&thread, NULL, in_thread, NULL);
    pthread_join(thread, NULL);
    MPI_Finalize();
}

/* Rank 1 has no details. */
static void some(void)
{
    start();
    if (rank == 1)
        visit("other");
    else
        call_all();
    MPI_Finalize();
}

/* The last rank's table has one field less. */
static void foreign(void)
{
    start();
    if (rank == size - 1)
        table.n_fields = 3;
    call_all();
    MPI_Finalize();
}

/* More than 1 MiB of all ranks. */
static void many(void)
{
    start();
    OK(pdump_region_begin("solve"));
    for (int i = 0; i < MANY; i++)
        call((uint64_t)i, 1);
    OK(pdump_region_end("solve"));
    MPI_Finalize();
}

static void killed(void)
{
    start();
    call_all();
    MPI_Barrier(MPI_COMM_WORLD);
    raise(SIGKILL);
}

int main(int argc, char **argv)
{
    static const struct behaviour cases[] = {
        { "same", same },       { "threads", threads }, { "some", some },
        { "foreign", foreign }, { "many", many },       { "killed", killed },
        { NULL, NULL },
    };

    return main_of(argc, argv, cases);
}
