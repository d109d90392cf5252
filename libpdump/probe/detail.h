/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What there is to tell of a call (call.h): what a call site sent, what a file
 * got is a row of a table beside the tree.
 *
 *     row = pdump_detail_row(&call, &table, site);
 *     if (row) {
 *         row[CALLS]++;
 *         pdump_detail_done(&call);
 *     }
 */
#ifndef PDUMP_DETAIL_H
#define PDUMP_DETAIL_H

#include "probe/call.h"

#include <pdump.h>

struct pdump_detail_field {
    const char *name;
    const char *unit;
    enum pdump_field_kind kind;
    int width;
    bool is_ticks; /* values are ticks here, ns (or their squares) in a dump */
};

/* A table.  Static; `known` is ours.  Texts are cut to what store_layout.h has.
 */
struct pdump_detail_table {
    const char *name;
    const char *about;
    const char *key; /* what labels are */
    const struct pdump_detail_field *fields;
    int n_fields;   /* of PDUMP_DETAIL_WORDS_MAX values at most, all together */
    bool has_sites; /* labels are places in code, as symbols.h makes them */
    /* The value that counts those who keep the address of a row, to change it
     * later; 0: nobody does. */
    int holders;
    /* The label of a key, asked for when its row is new. */
    void (*label)(uint64_t key, char *buf, size_t len);
    _Atomic uint64_t known;
};

/* The figures of `key` in the call's node, to be changed until
 * pdump_detail_done(), without any other call of libpdump in between.  New ones
 * are 0, or the least or largest number.  NULL: there is no room (which is
 * counted) or the session is over. */
PDUMP_SHARED int64_t *pdump_detail_row(struct pdump_call *call,
                                       struct pdump_detail_table *table,
                                       uint64_t key);
/* The same for the thread as a whole. */
PDUMP_SHARED int64_t *pdump_detail_thread_row(struct pdump_call *call,
                                              struct pdump_detail_table *table,
                                              uint64_t key);
PDUMP_SHARED void pdump_detail_done(struct pdump_call *call);

#endif
