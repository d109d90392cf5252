/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of a dump as columns. */
#include "columns.h"

const struct pdump_h5_place pdump_h5_places[PDUMP_H5_PLACES] = {
    { PDUMP_H5_METADATA, PDUMP_TABLE_METADATA },
    { PDUMP_H5_WARNINGS, PDUMP_TABLE_WARNINGS },
    { PDUMP_H5_METRICS, PDUMP_TABLE_METRICS },
    { PDUMP_H5_REGIONS, PDUMP_TABLE_REGIONS },
    { PDUMP_H5_NODES, PDUMP_TABLE_NODES },
    { PDUMP_H5_RANKS, PDUMP_TABLE_PROCESSES },
    { PDUMP_H5_THREADS, PDUMP_TABLE_THREADS },
};

static const struct pdump_schema_field labels[] = {
    { .name = "label_name", .type = PDUMP_SCHEMA_TEXT },
};
const struct pdump_schema_table pdump_h5_labels = {
    .size = sizeof(const char *),
    .fields = labels,
    .n_fields = 1,
    .n_stored = 1,
};

#define FIELD(field) PDUMP_SCHEMA_FIELD(#field, struct pdump_h5_event, field)
static const struct pdump_schema_field events[] = {
    FIELD(thread), FIELD(time),  FIELD(kind), FIELD(node),
    FIELD(what),   FIELD(value), FIELD(tag),
};
enum { N_EVENT = sizeof(events) / sizeof(events[0]) };
const struct pdump_schema_table pdump_h5_events = {
    .size = sizeof(struct pdump_h5_event),
    .fields = events,
    .n_fields = N_EVENT,
    .n_stored = N_EVENT,
};
