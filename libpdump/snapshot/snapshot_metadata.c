/* SPDX-License-Identifier: BSD-3-Clause */
/* The metadata and warnings of the process in a snapshot. */
#include "base/utc.h"
#include "snapshot/snapshot_private.h"
#include "system/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add_facts(struct pdump_snapshot *s)
{
    struct pdump_dump_process process = { .rank = s->head->rank,
                                          .pid = s->head->pid,
                                          .parent = s->head->parent };
    struct pdump_fact_record *rec;
    uint32_t *refs, n = 0, first = s->head->facts;
    int err = PDUMP_OK;

    for (uint32_t ref = first; ref; ref = rec->next, n++) {
        if (!pdump_snapshot_step(s))
            return PDUMP_EFORMAT;
        rec = pdump_store_at(s->base, ref);
    }
    refs = calloc(n + 1, sizeof(*refs));
    if (!refs)
        return pdump_no_memory();
    n = 0;
    for (uint32_t ref = first; ref; ref = rec->next, n++) {
        rec = pdump_store_at(s->base, ref);
        refs[n] = ref;
    }
    /* The list has the newest first, and the last value of a key must win. */
    while (n > 0 && err >= 0) {
        const char *value;

        rec = pdump_store_at(s->base, refs[--n]);
        if (!rec->value)
            continue; /* is being written right now */
        value = pdump_store_at(s->base, rec->value);
        if (strcmp(rec->key, "host") == 0)
            process.host = value;
        if (strcmp(rec->key, "command") == 0)
            process.command = value;
        if (strcmp(rec->key, "cpu") == 0)
            process.cpu = value;
        if (strcmp(rec->key, "cores") == 0)
            process.cores = value;
        err = pdump_builder_metadata(s->builder, rec->key, value);
    }
    free(refs);
    if (err < 0)
        return err;
    s->process = pdump_builder_process(s->builder, &process);
    return s->process < 0 ? s->process : PDUMP_OK;
}

static int add_start(struct pdump_snapshot *s)
{
    int64_t seconds = s->head->start_realtime / 1000000000;
    char text[40];

    if (seconds <= 0)
        return PDUMP_OK;
    pdump_utc_text(seconds, text, sizeof(text));
    return pdump_builder_metadata(s->builder, "start", text);
}

static int add_figure(struct pdump_builder *b, const char *key, double value)
{
    char text[40];

    snprintf(text, sizeof(text), "%.0f", value);
    return pdump_builder_metadata(b, key, text);
}

/* Adds what is subtracted from the counters per visit: "NAME VALUE UNIT,
 * ...". */
static int add_counters_overhead(struct pdump_snapshot *s)
{
    char list[1000] = "";

    for (uint32_t m = 1; m < s->n_metrics; m++) {
        const struct pdump_metric *metric = pdump_snapshot_metric(s, m);
        double each = (double)metric->cost.inside * s->scale[m];
        size_t n = strlen(list);

        if (each > 0)
            snprintf(list + n, sizeof(list) - n, "%s%.100s %.0f%s%.12s",
                     n ? ", " : "", metric->name, each,
                     strcmp(metric->unit, "1") ? " " : "",
                     strcmp(metric->unit, "1") ? metric->unit : "");
    }
    return *list ? pdump_builder_metadata(s->builder,
                                          "counters_overhead_per_visit", list)
                 : PDUMP_OK;
}

static int add_cost(struct pdump_snapshot *s, const char *key, int64_t ticks)
{
    char text[40];

    snprintf(text, sizeof(text), "%.1f", (double)ticks * s->scale[0]);
    return pdump_builder_metadata(s->builder, key, text);
}

/* Adds the costs of visits that are not those of plain regions. */
static int add_visit_costs(struct pdump_snapshot *s)
{
    int err = PDUMP_OK;

    for (int kind = 0; kind < PDUMP_VISIT_KINDS && err >= 0; kind++) {
        int64_t cost = s->head->visit_cost[kind].all;
        char text[40];

        snprintf(text, sizeof(text), "%.1f", (double)cost / 1000);
        if (cost > 0)
            err = pdump_builder_metadata(s->builder, pdump_visit_kind_key[kind],
                                         text);
    }
    return err;
}

static int add_overhead(struct pdump_snapshot *s)
{
    struct pdump_cost cost = pdump_snapshot_metric(s, 0)->cost;
    int err = add_cost(s, "overhead_ns_per_visit", cost.counted);

    if (err >= 0 && s->head->times_calls && s->n_metrics > 1)
        err = add_cost(s, "overhead_ns_per_call", cost.timed);
    if (err >= 0)
        err = add_visit_costs(s);
    if (err >= 0)
        err = add_counters_overhead(s);
    return err < 0 || !s->head->is_subtracted
               ? err
               : pdump_builder_metadata(s->builder, "overhead", "subtracted");
}

static int add_warnings(struct pdump_snapshot *s)
{
    const struct pdump_warnings *warnings =
        pdump_store_at(s->base, s->head->warnings);
    uint32_t n = s->head->warnings ? warnings->n : 0;
    int err = PDUMP_OK;

    for (uint32_t i = 0; i < n && i < PDUMP_WARNINGS_MAX && err >= 0; i++) {
        char text[sizeof(warnings->list[i].text)];
        int64_t count;

        pdump_log_lock(); /* other threads may warn at the same time */
        snprintf(text, sizeof(text), "%.*s", (int)sizeof(text) - 1,
                 warnings->list[i].text);
        count = warnings->list[i].count;
        pdump_log_unlock();
        err = pdump_builder_warning(s->builder, text, count);
    }
    return err;
}

int pdump_snapshot_metadata(struct pdump_snapshot *s)
{
    int err = add_start(s);

    if (err >= 0)
        err = add_facts(s);
    if (err >= 0 && s->head->n_ranks > 0)
        err = add_figure(s->builder, "ranks", s->head->n_ranks);
    if (err >= 0)
        err = add_figure(
            s->builder, "wall_time_ns",
            (double)pdump_snapshot_minus(s->now, s->head->start.ticks) *
                s->scale[0]);
    if (err >= 0)
        err = add_overhead(s);
    return err < 0 ? err : add_warnings(s);
}

int pdump_snapshot_metadata_cut(struct pdump_snapshot *s)
{
    int err;

    if (!s->cut_rows)
        return PDUMP_OK;
    err = add_figure(s->builder, "cpu_time_cut_rows", (double)s->cut_rows);
    return err < 0 ? err : add_figure(s->builder, "cpu_time_cut_ns", s->cut_ns);
}

int pdump_snapshot_metadata_lost(struct pdump_snapshot *s)
{
    const struct {
        const char *text;
        uint64_t count;
    } losses[] = {
        { "visits deeper than PDUMP_DEPTH_MAX are not recorded", s->too_deep },
        { "visits of names beyond PDUMP_REGIONS_MAX are in <overflow>",
          s->overflow },
        { "visits without counter values: the counters could not be read",
          s->read_errors },
        { "samples beyond PDUMP_SAMPLES_MAX are not kept", s->lost_samples },
        { "calls that found no room in the tables of details",
          s->lost_details },
        { "calls from signal handlers inside libpdump are not recorded",
          s->reentered },
    };

    for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++) {
        int err = losses[i].count
                      ? pdump_builder_warning(s->builder, losses[i].text,
                                              (int64_t)losses[i].count)
                      : PDUMP_OK;

        if (err < 0)
            return err;
    }
    return PDUMP_OK;
}
