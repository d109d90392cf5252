/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters turned by hand and a recording on a fresh store: no hardware, no
 * luck, exact numbers.  Only the clock is real. */
#ifndef PDUMP_TESTS_FAKE_H
#define PDUMP_TESTS_FAKE_H

#include "system/log.h"
#include "record/recorder_hot.h"
#include "snapshot/snapshot.h"
#include "suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The metrics: WORK and LEVEL of one source, OTHER of a second one. */
enum { TIME, WORK, LEVEL, OTHER, METRICS };

static __thread int64_t turned[METRICS];
static bool is_broken;  /* reading the first source fails */
static bool is_refused; /* attaching it fails */
static _Atomic int n_attached;

static inline int fake_attach(void **state)
{
    if (is_refused)
        return pdump_fail(PDUMP_ESOURCE, "not today");
    *state = turned;
    n_attached++;
    return PDUMP_OK;
}

static inline int other_attach(void **state)
{
    *state = turned;
    n_attached++;
    return PDUMP_OK;
}

static inline void fake_detach(void *state)
{
    (void)state;
    n_attached--;
}

static inline int fake_read(void *state, int64_t *values)
{
    const int64_t *now = state;

    if (is_broken)
        return PDUMP_ESOURCE;
    values[0] = now[WORK];
    values[1] = now[LEVEL];
    return PDUMP_OK;
}

static inline int other_read(void *state, int64_t *values)
{
    const int64_t *now = state;

    values[0] = now[OTHER];
    return PDUMP_OK;
}

/* Of the test's own thread, whichever is asked for. */
static int64_t asked_tid;
static inline void other_read_other(int64_t tid, int64_t *values)
{
    asked_tid = tid;
    values[0] = turned[OTHER];
}

static const struct pdump_source fake_source = { .name = "fake",
                                                 .attach = fake_attach,
                                                 .read = fake_read,
                                                 .detach = fake_detach };
static const struct pdump_source other_source = { .name = "other",
                                                  .attach = other_attach,
                                                  .read = other_read,
                                                  .read_other =
                                                      other_read_other,
                                                  .detach = fake_detach };

static struct pdump_sources sources = {
    .source = { &fake_source, &other_source },
    .first = { WORK, OTHER },
    .n = 2,
    .metric = { { "time", "ns", "clock", "", PDUMP_COUNTER, 1.0, { 0 } },
                { "work", "1", "fake", "", PDUMP_COUNTER, 1.0, { 0 } },
                { "level", "B", "fake", "", PDUMP_GAUGE, 1.0, { 0 } },
                { "other", "1", "other", "", PDUMP_COUNTER, 1.0, { 0 } } },
    .n_metrics = METRICS,
    .gauges = 1 << LEVEL,
};

/* What a test may want otherwise; 0 is the default. */
struct fake_options {
    size_t memory;
    uint32_t names;
    int64_t depth_max;
    int64_t samples_max;
    bool wants_samples;
    bool times_calls;
    struct pdump_timeline *events;
};

static struct pdump_recording recording;
static struct pdump_regions regions;
static struct pdump_recorder rec; /* of the test's own thread */

static inline void fake_open_store(struct fake_options how)
{
    struct pdump_store *store;
    struct pdump_head *head;

    ck_assert_int_eq(pdump_store_open(&store,
                                      how.memory ? how.memory : 64 << 20,
                                      sizeof(*head)),
                     PDUMP_OK);
    head = (void *)pdump_store_base(store);
    head->start = pdump_clock_moment();
    head->n_metrics = METRICS;
    head->metrics = pdump_store_alloc(store, sizeof(sources.metric));
    memcpy(pdump_store_at((char *)head, head->metrics), sources.metric,
           sizeof(sources.metric));
    ck_assert_int_eq(pdump_regions_open(&regions, store, &head->regions,
                                        how.names ? how.names : 100000),
                     PDUMP_OK);
    recording = (struct pdump_recording){
        .store = store,
        .head = head,
        .regions = &regions,
        .sources = &sources,
        .depth_max = how.depth_max ? how.depth_max : 1000,
        .samples_max = how.samples_max ? how.samples_max : 1000,
        .wants_samples = how.wants_samples,
        .times_calls = how.times_calls,
        .steps = "",
        .events = how.events,
    };
    head->events_mode = how.events ? how.events->mode : PDUMP_TIMELINE_NONE;
}

static inline void fake_open_by(struct fake_options how)
{
    pdump_log_set_quiet(true);
    pdump_log_reset();
    fake_open_store(how);
    ck_assert_int_eq(pdump_recorder_open(&rec, &recording), PDUMP_OK);
}

static inline void fake_open(void)
{
    fake_open_by((struct fake_options){ 0 });
}

static inline void fake_close(void)
{
    pdump_recorder_close(&rec);
    ck_assert_int_eq(n_attached, 0);
    pdump_regions_close(&regions);
    pdump_store_close(recording.store);
}

static inline void begin(const char *name)
{
    ck_assert_int_eq(pdump_recorder_begin(&rec, name), PDUMP_OK);
}

static inline void end(const char *name)
{
    ck_assert_int_eq(pdump_recorder_end(&rec, name), PDUMP_OK);
}

static inline void work(int64_t amount)
{
    turned[WORK] += amount;
}

static inline uint32_t add_region(const char *name)
{
    uint32_t ref;

    ck_assert_int_eq(pdump_regions_add(&regions, name, strlen(name),
                                       PDUMP_GROUP_USER, NULL, 0, &ref),
                     PDUMP_OK);
    return ref;
}

/* The figures of the node at "a/b/c" of the test's own thread, or NULL. */
static inline struct pdump_node *node_at(const char *path)
{
    struct pdump_node *node = pdump_tree_at(&rec.tree, rec.tree.root);

    while (*path) {
        size_t len = strcspn(path, "/");
        uint32_t ref = node->child;

        for (; ref; ref = node->sibling) {
            const struct pdump_region_record *region;

            node = pdump_tree_at(&rec.tree, ref);
            region = pdump_tree_region(&rec.tree, node);
            if (!node->flags && region->length == len &&
                memcmp(region->name, path, len) == 0)
                break;
        }
        if (!ref)
            return NULL;
        path += len + (path[len] == '/');
    }
    return node;
}

static inline void expect(const char *path, int64_t visits, int64_t sum)
{
    const struct pdump_node *node = node_at(path);

    ck_assert_msg(node != NULL, "no node %s", path);
    ck_assert_msg(
        (int64_t)node->visits == visits && node->stat[WORK].sum == sum,
        "%s: %d visits with %d, not %d with %d", path, (int)node->visits,
        (int)node->stat[WORK].sum, (int)visits, (int)sum);
}

/* Is nothing open any more? */
static inline bool is_balanced(void)
{
    return rec.top->up == 0 && rec.top->skipped == 0;
}

/* A path in the folder of the file of events. */
static const char *fake_beside __attribute__((unused)) = "./";

static inline struct pdump_dump *snapshot_by(struct pdump_recorder *self)
{
    struct pdump_moment now = pdump_clock_later(recording.head->start);
    struct pdump_builder *builder;
    struct pdump_dump *dump;

    ck_assert_int_eq(pdump_builder_new(&builder), PDUMP_OK);
    ck_assert_int_eq(pdump_snapshot_add(builder, (char *)recording.head, now,
                                        self, &sources, fake_beside),
                     PDUMP_OK);
    ck_assert_int_eq(pdump_builder_finish(builder, &dump), PDUMP_OK);
    pdump_builder_free(builder);
    return dump;
}

/* As the test's own thread sees it. */
static inline struct pdump_dump *snapshot(void)
{
    return snapshot_by(&rec);
}

/* The first row with that path, or -1. */
static inline int64_t row_at(const struct pdump_dump *dump, const char *path)
{
    char text[4096];

    for (int64_t i = 0; i < dump->n_rows; i++) {
        pdump_dump_node_path(dump, dump->rows[i].node, text, sizeof(text));
        if (strcmp(text, path) == 0)
            return i;
    }
    return -1;
}

/* How often something was warned of, by a part of the text. */
static inline int64_t warned_of(const char *text)
{
    char line[512];
    int64_t count;

    for (int i = 0; pdump_log_get(i, line, sizeof(line), &count); i++)
        if (strstr(line, text))
            return count;
    return 0;
}

static inline int fake_run(Suite *suite)
{
    return suite_run(suite);
}

#endif
