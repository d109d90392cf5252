/* SPDX-License-Identifier: BSD-3-Clause */
/* Small dumps made by hand, for the tests of views and reports. */
#ifndef PDUMP_VIEW_KIT_H
#define PDUMP_VIEW_KIT_H

#include "dump/builder.h"
#include "suite.h"
#include "report/view/view.h"

#include <check.h>
#include <string.h>

enum { TIME, CYCLES, INSTRUCTIONS, RSS };

static struct pdump_builder *builder;
static struct pdump_dump *dump;
static struct pdump_view *view;
static struct pdump_view_options how;

static inline void start(void)
{
    static const struct pdump_dump_metric metrics[] = {
        { "time", "ns", "clock", "", PDUMP_COUNTER },
        { "PAPI_TOT_CYC", "1", "fake", "", PDUMP_COUNTER },
        { "PAPI_TOT_INS", "1", "fake", "", PDUMP_COUNTER },
        { "pdump::rss", "B", "fake", "", PDUMP_GAUGE },
    };

    how = (struct pdump_view_options){ .key = -1 };
    ck_assert_int_eq(pdump_builder_new(&builder), PDUMP_OK);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pdump_builder_metric(builder, &metrics[i]), i);
}

static inline int new_thread(void)
{
    struct pdump_dump_process process = { .host = "h", .command = "c" };
    struct pdump_dump_thread thread = { .name = "" };

    thread.process = pdump_builder_process(builder, &process);
    return pdump_builder_thread(builder, &thread);
}

static inline int node(int parent, const char *name)
{
    struct pdump_dump_region region = { .name = name, .group = "user" };

    if (strcmp(name, "<overflow>") == 0)
        region.group = "overflow";
    return pdump_builder_node(builder, parent,
                              pdump_builder_region(builder, &region));
}

/* A row of `visits` visits that took `time` together. */
static inline int64_t row(int thread, int at, int64_t visits, int64_t time)
{
    int64_t r = pdump_builder_row(builder, thread, at, visits, visits == 0);

    ck_assert_int_ge(r, 0);
    ck_assert_int_eq(pdump_builder_value(builder, r, TIME, time,
                                         visits ? time / visits : PDUMP_MISSING,
                                         visits ? time / visits : PDUMP_MISSING,
                                         1),
                     PDUMP_OK);
    return r;
}

static inline void set(int64_t r, int metric, int64_t value)
{
    ck_assert_int_eq(
        pdump_builder_value(builder, r, metric, value, value, value, 1),
        PDUMP_OK);
}

static inline void look(void)
{
    if (!dump) {
        ck_assert_int_eq(pdump_builder_finish(builder, &dump), PDUMP_OK);
        pdump_builder_free(builder);
    }
    ck_assert_int_eq(pdump_view_new(dump, &how, &view), PDUMP_OK);
}

static inline void finish(void)
{
    pdump_view_free(view);
    pdump_dump_free(dump);
}

/* The first item shown that is called `name`. */
static inline int find(const char *name)
{
    for (int i = 0; i < view->n_shown; i++) {
        int region = view->items[view->shown[i]].region;

        if (region >= 0 && strcmp(dump->regions[region].name, name) == 0)
            return view->shown[i];
    }
    ck_abort_msg("no item %s", name);
    return -1;
}

static inline const struct pdump_view_value *time_of(const char *name)
{
    return pdump_view_value(view, find(name), TIME);
}

/* main { solve { dot } io } on two threads; io on the first only. */
static inline void two_threads(void)
{
    int top, solve, first, second;

    start();
    top = node(-1, "main");
    solve = node(top, "solve");
    first = new_thread();
    second = new_thread();
    row(first, top, 1, 1000);
    row(first, solve, 10, 600);
    row(first, node(solve, "dot"), 20, 100);
    row(first, node(top, "io"), 2, 300);
    row(second, top, 1, 3000);
    row(second, solve, 10, 2400);
    row(second, node(solve, "dot"), 20, 400);
}

#endif
