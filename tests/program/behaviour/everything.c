/* SPDX-License-Identifier: BSD-3-Clause */
/* Every function once or twice, for tools that look for errors and leaks. */
#include "kit.h"

#include <pthread.h>

static void regions(void)
{
    int id = pdump_region_id("number", "everything.c", 1);

    OK(pdump_region_begin("region"));
    OK(pdump_region_begin_n("counted length", 7));
    OK(pdump_region_end_n("counted", 7));
    OK(pdump_region_enter(id));
    OK(pdump_region_leave(id));
    PDUMP_REGION("block") OK(pdump_counter_add("n", 1));
    OK(pdump_region_end(NULL));
    IS(pdump_region_end("none"), PDUMP_ESTATE);
    IS(pdump_region_begin(NULL), PDUMP_EINVAL);
}

static void models(void)
{
    OK(pdump_start_region(NULL));
    OK(pdump_start_profile());
    OK(pdump_end_profile());
    OK(pdump_end_region());
    OK(pdump_start_region_n("profiled", 8));
    OK(pdump_end_region());
    OK(pdump_start_step());
    OK(pdump_end_step());
    IS(pdump_end_step(), PDUMP_ESTATE);
}

static void details(void)
{
    OK(pdump_region_begin("details"));
    OK(pdump_disable_recording());
    visit("off");
    OK(pdump_enable_recording());
    OK(pdump_disable_recording_all());
    visit("off");
    OK(pdump_enable_recording_all());
    OK(pdump_parameter_int("int", -1));
    OK(pdump_parameter_uint("uint", 1));
    OK(pdump_parameter_double("double", 1.5));
    OK(pdump_parameter_string("string", "s"));
    OK(pdump_parameter_int("int", 2));
    OK(pdump_rewind_begin("kept"));
    OK(pdump_counter_add("n", 3));
    OK(pdump_rewind_end("kept", 0));
    OK(pdump_rewind_begin("lost"));
    visit("inside");
    OK(pdump_rewind_end(NULL, 1));
    OK(pdump_region_end("details"));
    OK(pdump_metadata("key", "value"));
    OK(pdump_thread_name("a thread"));
}

static void *thread(void *unused)
{
    regions();
    models();
    details();
    return unused;
}

static void walk(const struct pdump_dump *dump)
{
    struct pdump_metric_info metric = { .size = sizeof(metric) };
    struct pdump_row row = { .size = sizeof(row) };
    struct pdump_stats stats = { .size = sizeof(stats) };
    char path[256];

    for (int64_t i = 0; i < pdump_dump_n_rows(dump); i++) {
        OK(pdump_dump_row(dump, i, &row));
        YES(strlen(row.region) && strlen(row.group) && row.thread >= 0);
        YES(pdump_dump_path(dump, i, path, sizeof(path)) > 0);
        for (int m = 0; m < pdump_dump_n_metrics(dump); m++) {
            OK(pdump_dump_metric(dump, m, &metric));
            OK(pdump_dump_stats(dump, i, m, &stats));
        }
    }
}

static void results(void)
{
    struct pdump_dump *dump = NULL;

    OK(pdump_snapshot(&dump));
    walk(dump);
    pdump_dump_free(dump);
    YES(visits_of("region") >= 1);
    IS(visits_of("off"), PDUMP_ENOENT);
    OK(pdump_flush());
    dump = NULL;
    OK(pdump_load("everything.csv", &dump));
    if (dump)
        walk(dump);
    pdump_dump_free(dump);
    IS(pdump_load("missing.csv", &dump), PDUMP_EIO);
    IS(pdump_load(".", &dump), PDUMP_EIO);
}

static void session(void)
{
    pthread_t threads[3];

    OK(pdump_init());
    OK(pdump_region_begin("main"));
    for (int i = 0; i < 3; i++)
        IS(pthread_create(&threads[i], NULL, thread, NULL), 0);
    thread(NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    results();
    OK(pdump_finalize());
    IS(pdump_region_begin("after"), PDUMP_ESTATE);
}

int main(void)
{
    YES(strlen(pdump_version()) > 0);
    YES(pdump_abi_version() > 0);
    YES(strlen(pdump_strerror(PDUMP_EIO)) > 0);
    OK(pdump_set("PDUMP_FILENAME", "everything"));
    OK(pdump_set("PDUMP_RECORD", "profile,samples"));
    OK(pdump_set("PDUMP_OUTPUT_FORMAT", "csv,json,text"));
    session();
    OK(pdump_set("PDUMP_OUTPUT_FORMAT", "csv"));
    session();
    return n_failed > 0;
}
