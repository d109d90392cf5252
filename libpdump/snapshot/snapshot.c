/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts a store to a dump, also while threads write to it. */
#include "snapshot/snapshot.h"
#include "dump/stacks.h"
#include "record/symbols.h"
#include "snapshot/snapshot_private.h"

#include <stdlib.h>
#include <string.h>

static const char *const group_names[PDUMP_GROUPS] = {
    [PDUMP_GROUP_USER] = "user",         [PDUMP_GROUP_PARAMETER] = "parameter",
    [PDUMP_GROUP_STEP] = "step",         [PDUMP_GROUP_OVERFLOW] = "overflow",
    [PDUMP_GROUP_MPI] = "mpi",           [PDUMP_GROUP_IO] = "io",
    [PDUMP_GROUP_FUNCTION] = "function", [PDUMP_GROUP_PROGRAM] = "program",
    [PDUMP_GROUP_MARKER] = "marker",
};

static const char *text_at(char *base, uint32_t ref)
{
    return ref ? pdump_store_at(base, ref) : "";
}

bool pdump_snapshot_step(struct pdump_snapshot *s)
{
    if (s->steps == 0) {
        pdump_fail(PDUMP_EFORMAT, "the store is damaged: a list has no end");
        return false;
    }
    s->steps--;
    return true;
}

static int store_damaged(const char *what)
{
    return pdump_fail(PDUMP_EFORMAT, "the store is damaged: %s is wrong", what);
}

static int add_metrics(struct pdump_snapshot *s)
{
    const struct pdump_metric *metric =
        pdump_store_at(s->base, s->head->metrics);
    struct pdump_counter_record *rec;
    int index;

    for (uint32_t i = 0; i < s->n_metrics; i++) {
        struct pdump_dump_metric m = { metric[i].name, metric[i].unit,
                                       metric[i].source, metric[i].about,
                                       metric[i].kind };

        if (!metric[i].name[0] || metric[i].kind > PDUMP_USER)
            return store_damaged("a metric");
        s->scale[i] = metric[i].scale;
        index = pdump_builder_metric(s->builder, &m);
        if (index < 0)
            return index;
        s->metric[i] = index;
    }
    for (uint32_t ref = s->counters; ref; ref = rec->next) {
        if (!pdump_snapshot_step(s))
            return PDUMP_EFORMAT;
        rec = pdump_store_at(s->base, ref);
        if (rec->id >= s->n_counters)
            return store_damaged("a user metric");
        struct pdump_dump_metric m = { rec->name, "1", "program", "",
                                       PDUMP_USER };

        index = pdump_builder_metric(s->builder, &m);
        if (index < 0)
            return index;
        s->counter[rec->id] = index;
    }
    return PDUMP_OK;
}

/* The program may name more regions during the snapshot. */
static bool regions_make_room(struct pdump_snapshot *s, uint32_t id)
{
    uint32_t n = id * 2;
    int *region = realloc(s->region, ((size_t)n + 1) * sizeof(*region));

    if (!region)
        return false;
    memset(region + s->n_regions + 1, 0,
           (size_t)(n - s->n_regions) * sizeof(*region));
    s->region = region;
    s->n_regions = n;
    return true;
}

/* A function of compiled code is recorded by its place (symbols.h).  Two places
 * may turn out to be one function, as clones do. */
static int add_function(struct pdump_snapshot *s,
                        struct pdump_dump_region *region)
{
    char name[PDUMP_PLACE_MAX];
    struct pdump_symbol symbol;

    pdump_snapshot_name(s, region->name, name, sizeof(name), &symbol);
    region->name = name;
    if (*symbol.file) {
        region->file = symbol.file;
        region->line = symbol.line;
    }
    return pdump_builder_region(s->builder, region);
}

int pdump_snapshot_region(struct pdump_snapshot *s, uint32_t ref)
{
    const struct pdump_region_record *rec = pdump_store_at(s->base, ref);
    struct pdump_dump_region region = { .name = rec->name,
                                        .file = text_at(s->base, rec->file),
                                        .line = rec->line };
    int *known;

    if (rec->group >= PDUMP_GROUPS || rec->id == 0 ||
        rec->id > s->regions_max || rec->length == 0)
        return store_damaged("a region");
    region.group = group_names[rec->group];
    if (rec->id > s->n_regions && !regions_make_room(s, rec->id))
        return pdump_no_memory();
    known = &s->region[rec->id];
    if (!*known) {
        int index = rec->group == PDUMP_GROUP_FUNCTION
                        ? add_function(s, &region)
                        : pdump_builder_region(s->builder, &region);

        if (index < 0)
            return index;
        *known = index + 1;
    }
    return *known - 1;
}

static int64_t cost_of(const struct pdump_snapshot *s, int kind)
{
    return kind < PDUMP_VISIT_KINDS ? s->head->visit_cost[kind].all : 0;
}

int64_t pdump_snapshot_visit_cost(const struct pdump_snapshot *s,
                                  uint32_t region, int64_t *inside)
{
    const struct pdump_region_record *rec = pdump_store_at(s->base, region);
    bool has_python = cost_of(s, PDUMP_VISIT_PYTHON_FUNCTION) ||
                      cost_of(s, PDUMP_VISIT_PYTHON_REGION);
    int kind =
        rec->group < PDUMP_GROUPS
            ? pdump_visit_kind_of(group_names[rec->group],
                                  text_at(s->base, rec->file), has_python)
            : PDUMP_VISIT_PLAIN;

    *inside = 0;
    if (kind == PDUMP_VISIT_PYTHON_FUNCTION && !cost_of(s, kind))
        kind = PDUMP_VISIT_PYTHON_REGION;
    if (!cost_of(s, kind))
        return 0;
    *inside = (int64_t)((double)s->head->visit_cost[kind].inside / 1000 /
                        s->scale[0]);
    return (int64_t)((double)cost_of(s, kind) / 1000 / s->scale[0]);
}

/* The thread may change these words; each is read whole, old or new. */
__attribute__((no_sanitize("thread"))) static void add_thread_losses(
    struct pdump_snapshot *s, const volatile struct pdump_thread_record *thread)
{
    s->too_deep += thread->too_deep;
    s->overflow += thread->overflow;
    s->read_errors += thread->read_errors;
    s->lost_samples += thread->lost_samples;
    s->lost_details += thread->lost_details;
    s->reentered += thread->reentered;
}

/* Adds threads in the order of their numbers; the list has the newest first. */
static int add_threads(struct pdump_snapshot *s)
{
    uint32_t first = s->head->threads, n;
    struct pdump_thread_record *rec = pdump_store_at(s->base, first);
    struct pdump_thread_record **threads;
    int err = PDUMP_OK;

    n = first ? rec->number + 1 : 0;
    if (n > s->steps)
        return store_damaged("the number of threads");
    threads = calloc(n + 1, sizeof(*threads));
    if (!threads)
        return pdump_no_memory();
    for (uint32_t ref = first; ref && err >= 0; ref = rec->next) {
        rec = pdump_store_at(s->base, ref);
        if (!pdump_snapshot_step(s))
            err = PDUMP_EFORMAT;
        else if (rec->number < n)
            threads[rec->number] = rec;
    }
    for (uint32_t i = 0; i < n && err >= 0; i++) {
        if (!threads[i])
            continue;
        add_thread_losses(s, threads[i]);
        err = pdump_snapshot_thread(s, threads[i]);
    }
    free(threads);
    return err;
}

/* A sample has no values of user metrics and stacks: all start as missing. */
static int make_sample_values(struct pdump_snapshot *s)
{
    int n = pdump_builder_tables(s->builder)->n_metrics;

    s->sample_values = calloc((size_t)n + 1, sizeof(*s->sample_values));
    if (!s->sample_values)
        return pdump_no_memory();
    while (n > 0)
        s->sample_values[--n] = PDUMP_MISSING;
    return PDUMP_OK;
}

static int snapshot_prepare(struct pdump_snapshot *s)
{
    uint32_t regions = s->head->regions;
    const struct pdump_region_record *region = pdump_store_at(s->base, regions);
    const struct pdump_counter_record *counter;

    if (s->head->n_metrics == 0 || s->head->n_metrics > PDUMP_METRICS_MAX)
        return store_damaged("the number of metrics");
    s->counters = s->head->counters;
    counter = pdump_store_at(s->base, s->counters);
    s->n_metrics = s->head->n_metrics;
    s->n_regions = regions ? region->id : 0;
    s->n_counters = s->counters ? counter->id + 1 : 0;
    if (s->n_regions > s->regions_max || s->n_counters > s->steps)
        return store_damaged("the number of names");
    s->region = calloc(s->n_regions + 1, sizeof(*s->region));
    s->counter = calloc(s->n_counters + 1, sizeof(*s->counter));
    return s->region && s->counter ? PDUMP_OK : pdump_no_memory();
}

static int add_all(struct pdump_snapshot *s, struct pdump_moment now)
{
    int err = snapshot_prepare(s);

    if (err >= 0)
        err = add_metrics(s);
    if (err >= 0 && s->head->stacks)
        err = pdump_stacks_new(s->builder, &s->stacks);
    if (err >= 0)
        err = make_sample_values(s);
    s->scale[0] = pdump_clock_scale(s->head->start, now);
    if (err >= 0)
        err = pdump_snapshot_metadata(s);
    if (err >= 0)
        err = pdump_snapshot_find_events(s);
    if (err >= 0)
        err = add_threads(s);
    if (err >= 0 && s->stacks)
        err = pdump_snapshot_stacks_others(s);
    err = pdump_snapshot_end_events(s, err);
    if (err >= 0 && s->stacks)
        err = pdump_snapshot_stacks_metadata(s);
    if (err >= 0)
        err = pdump_snapshot_metadata_cut(s);
    if (err >= 0)
        err = pdump_snapshot_metadata_lost(s);
    if (err >= 0)
        err = pdump_snapshot_throttled(s);
    if (err >= 0)
        err = pdump_snapshot_unnamed(s);
    pdump_stacks_free(s->stacks);
    free(s->region);
    free(s->counter);
    free(s->sample_values);
    if (s->has_functions)
        pdump_symbols_rest();
    return err;
}

int pdump_snapshot_add(struct pdump_builder *b, char *base,
                       struct pdump_moment now, struct pdump_recorder *self,
                       const struct pdump_sources *sources, const char *events)
{
    struct pdump_snapshot s = { .builder = b,
                                .first_thread = -1,
                                .base = base,
                                .head = pdump_store_at(base, 0),
                                .steps = UINT64_MAX,
                                .size = UINT64_MAX,
                                .regions_max = INT32_MAX / 4,
                                .now = now.ticks,
                                .self = self,
                                .sources = sources,
                                .is_live = true,
                                .path = events };

    if (self)
        s.is_read = pdump_recorder_read(self, s.self_values);
    return add_all(&s, now);
}

/* Returns the time when the process ended, if that process or another one has
 * noted it; otherwise 0. */
static int64_t end_tick(const struct pdump_head *head,
                        struct pdump_moment settled)
{
    double scale = pdump_clock_scale(head->start, settled);

    if (head->ended <= head->start.ns || !(scale > 0))
        return 0;
    return pdump_snapshot_plus(
        head->start.ticks,
        pdump_snapshot_scaled(
            1 / scale, pdump_snapshot_minus(head->ended, head->start.ns)));
}

/* Returns the time of the last begin or end of any thread in the store. */
static int64_t last_tick(struct pdump_snapshot *s)
{
    const struct pdump_thread_record *rec;
    int64_t last = s->head->start.ticks;

    for (uint32_t ref = s->head->threads; ref && pdump_snapshot_step(s);
         ref = rec->next) {
        const struct pdump_frame *frame;

        rec = pdump_store_at(s->base, ref);
        frame = pdump_store_at(s->base, rec->top);
        if (rec->last > last)
            last = rec->last;
        if (frame->start[0] > last)
            last = frame->start[0];
    }
    return last;
}

/* Returns the number of regions that fit into the store, whatever a damaged
 * record says. */
static uint32_t most_regions(size_t size)
{
    size_t n = size / sizeof(struct pdump_region_record);

    return n < INT32_MAX / 4 ? (uint32_t)n : INT32_MAX / 4;
}

int pdump_snapshot_read(struct pdump_builder *b, char *base, size_t size,
                        const char *path)
{
    struct pdump_snapshot s = { .builder = b,
                                .first_thread = -1,
                                .base = base,
                                .head = pdump_store_at(base, 0),
                                .steps = size / 2,
                                .size = size,
                                .path = path,
                                .regions_max = most_regions(size) };
    struct pdump_moment settled = s.head->settled;
    int64_t end;

    s.now = last_tick(&s);
    if (settled.ticks <= s.head->start.ticks)
        return store_damaged("the clock");
    end = end_tick(s.head, settled);
    if (end > s.now)
        s.now = end;
    return add_all(&s, settled);
}
