/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions: their beginning, their end, what comes between and after. */
#include "kit.h"

#include <pthread.h>
#include <unistd.h>

static void ten(void)
{
    int n_fds = 0;

    for (int i = 0; i < 10; i++) {
        OK(pdump_init());
        IS(pdump_is_active(), 1);
        OK(pdump_init());
        visit("round");
        OK(pdump_region_begin("round"));
        OK(pdump_counter_add("number", i));
        OK(pdump_region_end("round"));
        IS(visits_of("round"), 2);
        OK(pdump_finalize());
        IS(pdump_is_active(), 0);
        IS(pdump_finalize(), PDUMP_ESTATE);
        if (i == 0)
            n_fds = n_entries("/proc/self/fd");
        IS(n_entries("/proc/self/fd"), n_fds);
    }
}

/* Before anything was begun; what starts a session, and what does not. */
static void before(void)
{
    struct pdump_stats stats = { .size = sizeof(stats) };
    struct pdump_dump *dump;

    IS(pdump_is_active(), 0);
    IS(strlen(pdump_last_error()), 0);
    IS(pdump_finalize(), PDUMP_ESTATE);
    IS(pdump_flush(), PDUMP_ESTATE);
    IS(pdump_snapshot(&dump), PDUMP_ESTATE);
    IS(pdump_query("x", NULL, &stats), PDUMP_ESTATE);
    IS(pdump_is_active(), 0);
    IS(pdump_set("PDUMP_NONSENSE", "1"), PDUMP_ENOENT);
    IS(pdump_set(NULL, "1"), PDUMP_ENOENT);
    IS(pdump_set("PDUMP_QUIET", "perhaps"), PDUMP_EINVAL);
    IS(pdump_set("PDUMP_DEPTH_MAX", "-1"), PDUMP_EINVAL);
    IS(pdump_set("PDUMP_FILENAME", ""), PDUMP_EINVAL);
    OK(pdump_set("PDUMP_FILENAME", "taken back"));
    OK(pdump_set("PDUMP_FILENAME", NULL));
    OK(pdump_set("PDUMP_FILENAME", "chosen"));
    OK(pdump_set("PDUMP_DUMP_DIR", "chosen"));
    IS(pdump_region_end("never"), PDUMP_ESTATE);
    IS(pdump_is_active(), 1);
    IS(pdump_set("PDUMP_FILENAME", "too late"), PDUMP_ESTATE);
    OK(pdump_finalize());
}

/* Everything after the end: an error each, one warning in all. */
static void after(void)
{
    struct pdump_stats stats = { .size = sizeof(stats) };
    struct pdump_dump *dump;
    int id;

    OK(pdump_init());
    id = pdump_region_id("kept", NULL, 0);
    visit("kept");
    OK(pdump_finalize());
    for (int i = 0; i < 2; i++) {
        IS(pdump_region_begin("lost"), PDUMP_ESTATE);
        IS(pdump_region_end("lost"), PDUMP_ESTATE);
        IS(pdump_region_end(NULL), PDUMP_ESTATE);
        IS(pdump_region_begin_n("lost", 4), PDUMP_ESTATE);
        IS(pdump_region_enter(id), PDUMP_ESTATE);
        IS(pdump_region_leave(id), PDUMP_ESTATE);
        IS(pdump_region_id("lost", NULL, 0), PDUMP_ESTATE);
        IS(pdump_start_region("lost"), PDUMP_ESTATE);
        IS(pdump_start_profile(), PDUMP_ESTATE);
        IS(pdump_end_profile(), PDUMP_ESTATE);
        IS(pdump_end_region(), PDUMP_ESTATE);
        IS(pdump_start_step(), PDUMP_ESTATE);
        IS(pdump_end_step(), PDUMP_ESTATE);
        IS(pdump_disable_recording(), PDUMP_ESTATE);
        IS(pdump_enable_recording(), PDUMP_ESTATE);
        IS(pdump_parameter_int("n", 1), PDUMP_ESTATE);
        IS(pdump_rewind_begin("lost"), PDUMP_ESTATE);
        IS(pdump_rewind_end("lost", 0), PDUMP_ESTATE);
        IS(pdump_counter_add("n", 1), PDUMP_ESTATE);
        IS(pdump_metadata("k", "v"), PDUMP_ESTATE);
        IS(pdump_thread_name("lost"), PDUMP_ESTATE);
        IS(pdump_flush(), PDUMP_ESTATE);
        IS(pdump_finalize(), PDUMP_ESTATE);
        IS(pdump_snapshot(&dump), PDUMP_ESTATE);
        IS(pdump_query("kept", NULL, &stats), PDUMP_ESTATE);
        PDUMP_REGION("lost")
        YES(has_error("final"));
    }
}

/* PDUMP_DISABLE=1: everything succeeds, nothing happens. */
static void disabled(void)
{
    struct pdump_stats stats = { .size = sizeof(stats), .visits = 1 };
    struct pdump_dump *dump;

    OK(pdump_flush()); /* no call has asked for a session before */
    OK(pdump_init());
    IS(pdump_is_active(), 0);
    IS(pdump_region_id("x", NULL, 0), 0);
    OK(pdump_region_begin("x"));
    OK(pdump_counter_add("n", 1));
    OK(pdump_parameter_int("n", 1));
    OK(pdump_region_end("x"));
    OK(pdump_start_region(NULL));
    OK(pdump_start_step());
    OK(pdump_metadata("k", "v"));
    OK(pdump_thread_name("t"));
    PDUMP_REGION("x")
    OK(pdump_rewind_begin("x"));
    OK(pdump_query("x", NULL, &stats));
    IS(stats.visits, 0);
    OK(pdump_snapshot(&dump));
    IS(pdump_dump_n_rows(dump), 0);
    pdump_dump_free(dump);
    OK(pdump_flush());
    OK(pdump_finalize());
}

/* What is written between can be read, and is replaced by the end. */
static void flush(void)
{
    struct pdump_row row = { .size = sizeof(row) };
    struct pdump_dump *dump = NULL;

    OK(pdump_region_begin("outer"));
    for (int i = 1; i <= 5; i++) {
        visit("work");
        OK(pdump_flush());
        OK(pdump_load("perf_dump.csv", &dump));
        IS(pdump_dump_n_rows(dump), 2);
        OK(pdump_dump_row(dump, 0, &row));
        IS(row.is_open, 1);
        IS(row.visits, 0);
        OK(pdump_dump_row(dump, 1, &row));
        IS(row.is_open, 0);
        IS(row.visits, i);
        IS(row.parent, 0);
        pdump_dump_free(dump);
    }
    OK(pdump_region_end("outer"));
    OK(pdump_finalize());
}

static void nested(void)
{
    for (int i = 1; i <= 4; i++) {
        OK(pdump_region_begin("a"));
        OK(pdump_region_begin("b"));
        OK(pdump_region_begin("a"));
        OK(pdump_counter_add("n", i));
        OK(pdump_region_end("a"));
        OK(pdump_region_end("b"));
        OK(pdump_region_end("a"));
    }
    visit("b");
}

/* Figures of the running program, by path and by name. */
static void queries(void)
{
    struct pdump_stats stats = { .size = sizeof(stats) };

    nested();
    IS(visits_of("a"), 8); /* also those inside others */
    IS(visits_of("b"), 5);
    IS(visits_of("/a/b"), 4);
    IS(visits_of("/a/b/a"), 4);
    IS(visits_of("/b/a"), PDUMP_ENOENT);
    IS(visits_of("nothing"), PDUMP_ENOENT);
    YES(has_error("nothing"));
    IS(sum_of("a", "no metric"), PDUMP_ENOENT);
    YES(has_error("no metric"));
    IS(pdump_query(NULL, NULL, &stats), PDUMP_EINVAL);
    IS(pdump_query("a", NULL, NULL), PDUMP_EINVAL);
    IS(pdump_query("", NULL, &stats), PDUMP_EINVAL);
    OK(pdump_query("a", "n", &stats));
    YES(stats.has_value && stats.sum == 10 && stats.min == 1 && stats.max == 4);
    OK(pdump_query("/b", "n", &stats));
    IS(stats.visits, 1);
    IS(stats.has_value, 0);
    OK(pdump_finalize());
}

/* The row with that path, or -1. */
static int64_t row_of(const struct pdump_dump *dump, const char *wanted)
{
    for (int64_t i = 0; i < pdump_dump_n_rows(dump); i++) {
        char path[64];

        if (pdump_dump_path(dump, i, path, sizeof(path)) ==
                (int64_t)strlen(wanted) &&
            strcmp(path, wanted) == 0)
            return i;
    }
    return -1;
}

static void check_rows(const struct pdump_dump *dump)
{
    int64_t inner = row_of(dump, "a/b/a"), outer = row_of(dump, "a");
    struct pdump_row row = { .size = sizeof(row) };
    struct pdump_stats stats = { .size = sizeof(stats) };
    char path[3];

    IS(pdump_dump_n_rows(dump), 4);
    IS(pdump_dump_row(dump, 4, &row), PDUMP_ENOENT);
    IS(pdump_dump_row(dump, -1, &row), PDUMP_ENOENT);
    OK(pdump_dump_row(dump, inner, &row));
    IS(row.depth, 2);
    IS(row.pid, getpid());
    IS(row.visits, 4);
    IS(row.parent, row_of(dump, "a/b"));
    IS(pdump_dump_path(dump, inner, path, sizeof(path)), 5);
    IS(strcmp(path, "a/"), 0);
    OK(pdump_dump_stats(dump, outer, 0, &stats));
    YES(stats.visits == 4 && stats.sum >= stats.exclusive && stats.min > 0);
}

/* Iteration, over the running program and over its file. */
static void results(void)
{
    struct pdump_metric_info metric = { .size = sizeof(metric) };
    struct pdump_dump *dump = NULL;

    nested();
    IS(pdump_snapshot(NULL), PDUMP_EINVAL);
    OK(pdump_snapshot(&dump));
    OK(pdump_finalize());
    check_rows(dump);
    OK(pdump_dump_metric(dump, 0, &metric));
    IS(strcmp(metric.name, "time"), 0);
    IS(strcmp(metric.unit, "ns"), 0);
    IS(pdump_dump_metric(dump, pdump_dump_n_metrics(dump), &metric),
       PDUMP_ENOENT);
    IS(pdump_dump_metric(dump, -1, &metric), PDUMP_ENOENT);
    pdump_dump_free(dump);
    OK(pdump_load("perf_dump.csv", &dump));
    check_rows(dump);
    pdump_dump_free(dump);
    pdump_dump_free(NULL);
    IS(pdump_load("no such file", &dump), PDUMP_EIO);
    IS(pdump_load(NULL, &dump), PDUMP_EINVAL);
    IS(pdump_load("perf_dump.csv", NULL), PDUMP_EINVAL);
}

static void empty(void)
{
    OK(pdump_init());
    pdump_finalize(); /* some formats cannot be empty */
}

/* What libpdump tries by itself may fail, and leaves no message. */
static void unfailing(void)
{
    struct pdump_stats stats = { .size = sizeof(stats) };
    struct pdump_dump *dump = NULL;

    OK(pdump_init());
    YES(has_no_error());
    visit("fine");
    YES(has_no_error());
    OK(pdump_query("fine", NULL, &stats));
    OK(pdump_snapshot(&dump));
    pdump_dump_free(dump);
    YES(has_no_error());
    OK(pdump_flush());
    YES(has_no_error());
    OK(pdump_finalize());
    YES(has_no_error());
    IS(pdump_load("no such file", &dump), PDUMP_EIO);
    OK(pdump_init());
    YES(has_error("no such file"));
    OK(pdump_finalize());
    YES(has_error("no such file"));
}

/* The same for a session that starts by itself. */
static void unfailing_alone(void)
{
    visit("fine");
    YES(has_no_error());
}

static void open_regions(void)
{
    visit("done");
    pdump_region_begin("open");
}

static void by_return(void)
{
    open_regions();
}

static void by_exit(void)
{
    open_regions();
    exit(23);
}

static void by_hidden_exit(void)
{
    open_regions();
    _exit(23);
}

static void *exiting(void *unused)
{
    (void)unused;
    visit("in thread");
    exit(23);
}

static void by_thread(void)
{
    pthread_t thread;

    open_regions();
    pthread_create(&thread, NULL, exiting, NULL);
    pthread_join(thread, NULL);
}

/* main() ends by pthread_exit(), the process with its last thread. */
static void *last(void *unused)
{
    usleep(50000); /* main is probably gone; it makes no difference */
    visit("in thread");
    return unused;
}

static void by_last_thread(void)
{
    pthread_t thread;

    open_regions();
    pthread_create(&thread, NULL, last, NULL);
    pthread_detach(thread);
    pthread_exit(NULL);
}

static void late(void)
{
    visit("at exit");
}

static void with_atexit(void)
{
    atexit(late);
    open_regions();
}

int main(int argc, char **argv)
{
    static const struct behaviour table[] = {
        { "ten", ten },
        { "before", before },
        { "after", after },
        { "disabled", disabled },
        { "flush", flush },
        { "queries", queries },
        { "results", results },
        { "empty", empty },
        { "unfailing", unfailing },
        { "unfailing_alone", unfailing_alone },
        { "return", by_return },
        { "exit", by_exit },
        { "_exit", by_hidden_exit },
        { "thread", by_thread },
        { "last_thread", by_last_thread },
        { "atexit", with_atexit },
        { NULL, NULL },
    };

    return run_behaviour(argc, argv, table);
}
