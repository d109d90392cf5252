/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Details: statistics per call site, file or peer.  Each is a row of a table
 * attached to the call's node (call.h).
 *
 *     row = pdump_detail_row(&call, &table, site);
 *     if (row) {
 *         row[CALLS]++;
 *         pdump_detail_done(&call);
 *     }
 */
#ifndef PDUMP_CALL_DETAIL_H
#define PDUMP_CALL_DETAIL_H

#include "probe/call.h"

#include <pdump.h>

struct pdump_detail_field {
    const char *name;
    const char *unit;
    enum pdump_field_kind kind;
    int width;
    bool is_ticks; /* values are ticks here, ns (or their squares) in a dump */
};

/* The first fields of a table that counts calls and their time. */
/* clang-format off */
#define PDUMP_DETAIL_CALL_FIELDS                    \
    { "calls", "1", PDUMP_FIELD_SUM, 1, false },    \
    { "time", "ns", PDUMP_FIELD_SUM, 1, true },     \
    { "time_min", "ns", PDUMP_FIELD_MIN, 1, true }, \
    { "time_max", "ns", PDUMP_FIELD_MAX, 1, true }, \
    { "time_sumsq", "ns2", PDUMP_FIELD_REAL, 1, true }
/* clang-format on */

/* A table.  Static; `known` is for libpdump only.  Texts are cut to the lengths
 * in store_layout.h. */
struct pdump_detail_table {
    const char *name;
    const char *about;
    const char *key; /* what the labels are: "site", "file" ... */
    const struct pdump_detail_field *fields;
    int n_fields;   /* PDUMP_DETAIL_WORDS_MAX values at most, all together */
    bool has_sites; /* labels are code places (symbols.h) */
    /* The index of the value that counts callers which hold the address of a
     * row to change it later; 0 if there are none. */
    int holders;
    /* Writes the label of a key.  Called when its row is new. */
    void (*label)(uint64_t key, char *buf, size_t len);
    _Atomic uint64_t known;
};

/* Returns the figures of `key` in the call's node, to be changed until
 * pdump_detail_done(), without any other call of libpdump in between.  New
 * figures are 0, or INT64_MAX or INT64_MIN for a minimum or maximum.  NULL if
 * there is no room (which is counted) or if the session is over. */
PDUMP_SHARED int64_t *pdump_detail_row(struct pdump_call *call,
                                       struct pdump_detail_table *table,
                                       uint64_t key);
/* The same for a row of the whole thread. */
PDUMP_SHARED int64_t *pdump_detail_thread_row(struct pdump_call *call,
                                              struct pdump_detail_table *table,
                                              uint64_t key);
PDUMP_SHARED void pdump_detail_done(struct pdump_call *call);

#endif
