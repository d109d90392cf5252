/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiles, steps, switching off, parameters, rewinding and user counters. */
#include "kit.h"

#include <pthread.h>
#include <stdbool.h>

/* PyPerfDump's model: the metrics count only in profiles. */
static void profiles(void)
{
    OK(pdump_start_region("solve"));
    for (int i = 1; i <= 3; i++) {
        OK(pdump_start_profile());
        OK(pdump_counter_add("work", i));
        visit("kernel");
        OK(pdump_end_profile());
        IS(pdump_counter_add("work", 1000), PDUMP_ESTATE);
    }
    OK(pdump_end_region());
    for (int i = 0; i < 2; i++) {
        OK(pdump_start_region(NULL));
        OK(pdump_start_profile());
        OK(pdump_end_profile());
        OK(pdump_end_region());
    }
    OK(pdump_start_region_n("named no more", 5));
    OK(pdump_end_region());
    OK(pdump_start_region_n("x", 0));
    OK(pdump_end_region());
    /* A region may be opened again. */
    OK(pdump_start_region("solve"));
    OK(pdump_start_profile());
    OK(pdump_end_profile());
    OK(pdump_end_region());
    IS(visits_of("solve"), 4);
    IS(sum_of("solve", "work"), 6);
    OK(pdump_finalize());
}

/* Every call out of order, in every state, twice. */
static void out_of_order(void)
{
    for (int i = 0; i < 2; i++) {
        IS(pdump_start_profile(), PDUMP_ESTATE);
        IS(pdump_end_profile(), PDUMP_ESTATE);
        IS(pdump_end_region(), PDUMP_ESTATE);
        OK(pdump_start_region("region"));
        IS(pdump_end_profile(), PDUMP_ESTATE);
        OK(pdump_start_profile());
        IS(pdump_start_profile(), PDUMP_ESTATE);
        YES(has_error("'region'"));
        IS(pdump_region_end("region"), PDUMP_ESTATE);
        OK(pdump_region_begin("inside"));
        IS(pdump_end_profile(), PDUMP_ESTATE);
        OK(pdump_region_end("inside"));
        OK(pdump_end_profile());
        OK(pdump_end_region());
        IS(pdump_end_step(), PDUMP_ESTATE);
        OK(pdump_start_step());
        IS(pdump_region_end("step"), PDUMP_ESTATE);
        OK(pdump_region_begin("inside"));
        IS(pdump_end_step(), PDUMP_ESTATE);
        OK(pdump_region_end("inside"));
        OK(pdump_end_step());
        IS(pdump_enable_recording(), PDUMP_ESTATE);
        IS(pdump_enable_recording_all(), PDUMP_ESTATE);
        IS(pdump_rewind_end(NULL, 1), PDUMP_ESTATE);
        IS(pdump_counter_add("n", 1), PDUMP_ESTATE);
        IS(pdump_parameter_int("n", 1), PDUMP_ESTATE);
    }
    OK(pdump_finalize());
}

/* Forgets ends, for which the next call makes up. */
static void forgotten(void)
{
    for (int i = 0; i < 2; i++) {
        OK(pdump_start_region("no end_profile"));
        OK(pdump_start_profile());
        OK(pdump_end_region());
        OK(pdump_start_region("no end_region"));
        OK(pdump_start_profile());
        OK(pdump_end_profile());
        OK(pdump_start_region("neither"));
        OK(pdump_start_profile());
        OK(pdump_region_begin("inside"));
        OK(pdump_start_region_n("after it", 5));
        OK(pdump_end_region());
        OK(pdump_start_step());
        OK(pdump_region_begin("inside"));
        OK(pdump_start_step());
        OK(pdump_end_step());
        IS(pdump_region_end("inside"), PDUMP_ESTATE);
    }
    OK(pdump_disable_recording());
    OK(pdump_start_region("off"));
    OK(pdump_start_profile());
    OK(pdump_region_begin("inside"));
    OK(pdump_start_region("off, too"));
    OK(pdump_enable_recording());
    OK(pdump_start_profile());
    OK(pdump_end_profile());
    OK(pdump_start_step());
    OK(pdump_finalize());
}

static void steps(void)
{
    for (int i = 0; i < 8; i++) {
        OK(pdump_start_step());
        OK(pdump_region_begin("work"));
        OK(pdump_counter_add("index", i));
        OK(pdump_parameter_int("i", i));
        OK(pdump_region_end("work"));
        OK(pdump_end_step());
        visit("between");
    }
    OK(pdump_finalize());
}

static pthread_barrier_t barrier;

static void *other_thread(void *unused)
{
    pdump_thread_name("other");
    visit("other: before");
    pthread_barrier_wait(&barrier); /* main disables itself */
    pthread_barrier_wait(&barrier);
    visit("other: main is off");
    pthread_barrier_wait(&barrier); /* main disables everybody */
    pthread_barrier_wait(&barrier);
    visit("other: all are off");
    pthread_barrier_wait(&barrier); /* main enables everybody */
    pthread_barrier_wait(&barrier);
    visit("other: all are on");
    return unused;
}

static void switching(void)
{
    pthread_t thread;

    pthread_barrier_init(&barrier, NULL, 2);
    OK(pdump_region_begin("outer"));
    IS(pthread_create(&thread, NULL, other_thread, NULL), 0);
    pthread_barrier_wait(&barrier);
    OK(pdump_disable_recording());
    visit("off once");
    OK(pdump_disable_recording());
    OK(pdump_enable_recording());
    visit("still off");
    OK(pdump_counter_add("n", 1));
    OK(pdump_parameter_int("n", 1));
    OK(pdump_region_begin("ends when on"));
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    OK(pdump_enable_recording());
    OK(pdump_region_end("ends when on"));
    visit("on");
    OK(pdump_disable_recording_all());
    OK(pdump_disable_recording_all());
    OK(pdump_enable_recording_all());
    visit("all off");
    OK(pdump_region_end("outer")); /* begun before: recorded */
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    OK(pdump_enable_recording_all());
    visit("on again");
    IS(pdump_enable_recording_all(), PDUMP_ESTATE);
    IS(pdump_enable_recording(), PDUMP_ESTATE);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    IS(visits_of("outer"), 1);
    OK(pdump_finalize());
}

static void recursive_switch(int depth)
{
    OK(pdump_disable_recording());
    visit("never");
    if (depth > 0)
        recursive_switch(depth - 1);
    visit("never");
    OK(pdump_enable_recording());
}

/* Also with profiles, steps and rewind regions; order is kept while off. */
static void switching_models(void)
{
    recursive_switch(20);
    visit("after recursion");
    OK(pdump_disable_recording());
    OK(pdump_start_region("off"));
    OK(pdump_start_profile());
    IS(pdump_start_profile(), PDUMP_ESTATE);
    OK(pdump_end_profile());
    OK(pdump_end_region());
    OK(pdump_start_step());
    OK(pdump_end_step());
    OK(pdump_rewind_begin("off"));
    OK(pdump_rewind_end("off", 0));
    PDUMP_REGION("off")
    {
        OK(pdump_enable_recording());
    }
    visit("on");
    IS(pdump_region_end(NULL), PDUMP_ESTATE);
    OK(pdump_finalize());
}

static void parameters(void)
{
    for (int i = 0; i < 6; i++) {
        OK(pdump_region_begin("solve"));
        OK(pdump_parameter_int("level", -(i % 2)));
        OK(pdump_parameter_string("kind", i < 3 ? "a/b" : "c,d"));
        visit("kernel");
        OK(pdump_region_end("solve"));
    }
    OK(pdump_region_begin("loop"));
    for (int i = 0; i < 3; i++) {
        OK(pdump_parameter_uint("i", UINT64_MAX - (uint64_t)i));
        OK(pdump_parameter_double("x", 0.5));
        visit("body");
    }
    OK(pdump_region_end("loop"));
    visit("loop");
    OK(pdump_finalize());
}

static void rewinding(void)
{
    visit("outer");
    OK(pdump_region_begin("outer"));
    for (int i = 0; i < 5; i++) {
        OK(pdump_rewind_begin("attempt"));
        visit("inside");
        OK(pdump_counter_add("tries", 1));
        IS(pdump_rewind_end("another", 1), PDUMP_ESTATE);
        IS(pdump_region_end("attempt"), PDUMP_ESTATE);
        OK(pdump_rewind_end(i % 2 ? NULL : "attempt", i < 3));
    }
    OK(pdump_rewind_begin("nested"));
    OK(pdump_rewind_begin("kept inside thrown away"));
    visit("lost");
    OK(pdump_rewind_end(NULL, 0));
    OK(pdump_rewind_end("nested", 1));
    OK(pdump_region_end("outer"));
    OK(pdump_finalize());
}

static void *counting(void *name)
{
    pdump_thread_name(name);
    for (int i = 0; i < 1000; i++) {
        pdump_region_begin("count");
        pdump_counter_add("bytes, sent", i);
        pdump_counter_add("lost", -1);
        pdump_region_end("count");
    }
    return NULL;
}

static void counters(void)
{
    static char first[] = "first, \"quoted\"", second[] = "";
    pthread_t a, b;

    OK(pdump_metadata("title", "old"));
    OK(pdump_metadata("title", "a \"new\" one,\nin two lines"));
    OK(pdump_metadata("empty", ""));
    OK(pdump_thread_name("old name"));
    OK(pdump_thread_name("main thread"));
    OK(pdump_region_begin("outer"));
    OK(pdump_counter_add("bytes, sent", INT64_C(1) << 62));
    visit("inner");
    OK(pdump_region_end("outer"));
    IS(pthread_create(&a, NULL, counting, first), 0);
    IS(pthread_create(&b, NULL, counting, second), 0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    IS(sum_of("count", "bytes, sent"), 2 * 499500);
    IS(sum_of("count", "lost"), -2000);
    OK(pdump_finalize());
}

/* A program that notes how far it is, all the time. */
static void progress(void)
{
    char text[64];

    for (int i = 0; i < 1000000; i++) {
        snprintf(text, sizeof(text), "%d of 1000000", i);
        OK(pdump_metadata("progress", text));
    }
    for (int i = 0; i < 1000; i++) {
        snprintf(text, sizeof(text), "name %d", i);
        visit(text);
    }
    OK(pdump_finalize());
}

int main(int argc, char **argv)
{
    static const struct behaviour table[] = {
        { "profiles", profiles },
        { "out_of_order", out_of_order },
        { "forgotten", forgotten },
        { "steps", steps },
        { "switching", switching },
        { "parameters", parameters },
        { "switching_models", switching_models },
        { "rewinding", rewinding },
        { "counters", counters },
        { "progress", progress },
        { NULL, NULL },
    };

    return run_behaviour(argc, argv, table);
}
