/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of a dump as columns. */
#include "columns.h"
#include "dump/dump.h"

#define AT(what, field) offsetof(struct pdump_dump_##what, field)
#define TEXT(what, field)                            \
    {                                                \
#field, PDUMP_H5_BYTE, true, AT(what, field) \
    }
#define INT32(what, field)                             \
    {                                                  \
#field, PDUMP_H5_INT32, false, AT(what, field) \
    }
#define INT64(what, field)                             \
    {                                                  \
#field, PDUMP_H5_INT64, false, AT(what, field) \
    }
#define TABLE(group, what, list)                       \
    {                                                  \
        group, sizeof(struct pdump_dump_##what), list, \
            sizeof(list) / sizeof((list)[0])           \
    }

_Static_assert(sizeof(int) == 4, "the tables say so");
_Static_assert(sizeof(enum pdump_metric_kind) == 4, "the tables say so");
_Static_assert(sizeof(enum pdump_field_kind) == 4, "the tables say so");
_Static_assert(sizeof(bool) == 1, "the tables say so");

static const struct pdump_h5_field metadata[] = {
    TEXT(pair, key),
    TEXT(pair, value),
};
const struct pdump_h5_table pdump_h5_metadata =
    TABLE(PDUMP_H5_METADATA, pair, metadata);

static const struct pdump_h5_field warnings[] = {
    TEXT(warning, text),
    INT64(warning, count),
};
const struct pdump_h5_table pdump_h5_warnings =
    TABLE(PDUMP_H5_WARNINGS, warning, warnings);

static const struct pdump_h5_field metrics[] = {
    TEXT(metric, name),  TEXT(metric, unit),  TEXT(metric, source),
    TEXT(metric, about), INT32(metric, kind),
};
const struct pdump_h5_table pdump_h5_metrics =
    TABLE(PDUMP_H5_METRICS, metric, metrics);

static const struct pdump_h5_field regions[] = {
    TEXT(region, name),
    TEXT(region, group),
    TEXT(region, file),
    INT32(region, line),
};
const struct pdump_h5_table pdump_h5_regions =
    TABLE(PDUMP_H5_REGIONS, region, regions);

static const struct pdump_h5_field nodes[] = {
    INT32(node, parent),
    INT32(node, region),
    INT32(node, depth),
};
const struct pdump_h5_table pdump_h5_nodes = TABLE(PDUMP_H5_NODES, node, nodes);

static const struct pdump_h5_field ranks[] = {
    INT32(process, rank), INT64(process, pid),    INT64(process, parent),
    TEXT(process, host),  TEXT(process, command), TEXT(process, cpu),
    TEXT(process, cores),
};
const struct pdump_h5_table pdump_h5_ranks =
    TABLE(PDUMP_H5_RANKS, process, ranks);

static const struct pdump_h5_field threads[] = {
    INT32(thread, process),
    INT32(thread, number),
    INT64(thread, tid),
    TEXT(thread, name),
};
const struct pdump_h5_table pdump_h5_threads =
    TABLE(PDUMP_H5_THREADS, thread, threads);

static const struct pdump_h5_field stats[] = {
    INT64(rank_stat, n),
    INT64(rank_stat, sum),
    INT64(rank_stat, min),
    INT64(rank_stat, max),
    { "sumsq", PDUMP_H5_REAL, false, AT(rank_stat, sumsq) },
    INT32(rank_stat, rank_of_min),
    INT32(rank_stat, rank_of_max),
};
const struct pdump_h5_table pdump_h5_stats = TABLE(NULL, rank_stat, stats);

static const struct pdump_h5_field details[] = {
    TEXT(detail, name),
    TEXT(detail, about),
    TEXT(detail, key),
};
const struct pdump_h5_table pdump_h5_details =
    TABLE(PDUMP_H5_DETAILS, detail, details);

static const struct pdump_h5_field fields[] = {
    TEXT(field, name),
    TEXT(field, unit),
    INT32(field, kind),
    INT32(field, width),
};
const struct pdump_h5_table pdump_h5_fields = TABLE(NULL, field, fields);

static const struct pdump_h5_field labels[] = {
    { "label_name", PDUMP_H5_BYTE, true, 0 },
};
const struct pdump_h5_table pdump_h5_labels = { NULL, sizeof(const char *),
                                                labels, 1 };

static const struct pdump_h5_field detail_rows[] = {
    INT32(detail_row, thread),
    INT32(detail_row, node),
    INT32(detail_row, label),
};
const struct pdump_h5_table pdump_h5_detail_rows =
    TABLE(NULL, detail_row, detail_rows);

static const struct pdump_h5_field rows[] = {
    INT32(row, thread),
    INT32(row, node),
    INT64(row, visits),
    { "open", PDUMP_H5_BYTE, false, AT(row, is_open) },
};
const struct pdump_h5_table pdump_h5_rows = TABLE(PDUMP_H5_PROFILE, row, rows);

static const struct pdump_h5_field samples[] = {
    INT32(sample, thread),
    INT32(sample, node),
    INT64(sample, number),
    INT64(sample, start),
};
const struct pdump_h5_table pdump_h5_samples =
    TABLE(PDUMP_H5_SAMPLES, sample, samples);

static const struct pdump_h5_field events[] = {
#define FIELD(name, type)                                         \
    {                                                             \
#name, type, false, offsetof(struct pdump_h5_event, name) \
    }
    FIELD(thread, PDUMP_H5_INT32), FIELD(time, PDUMP_H5_INT64),
    FIELD(kind, PDUMP_H5_BYTE),    FIELD(node, PDUMP_H5_INT32),
    FIELD(what, PDUMP_H5_INT64),   FIELD(value, PDUMP_H5_INT64),
    FIELD(tag, PDUMP_H5_INT64),
#undef FIELD
};
const struct pdump_h5_table pdump_h5_events = {
    PDUMP_H5_EVENTS, sizeof(struct pdump_h5_event), events,
    sizeof(events) / sizeof(events[0])
};
