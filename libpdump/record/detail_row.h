/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the tables of call_detail.h in the store, each in the list of a node.
 *
 * A caller may hold the address of a row, as libpdump-mem.so does for every
 * block until it is freed.  The figures of such a row cannot be moved when a
 * rewind region ends.  Instead, the row itself is moved to the node where the
 * region is kept, or to the list of spare rows, and a new row replaces it.
 */
#ifndef PDUMP_DETAIL_ROW_H
#define PDUMP_DETAIL_ROW_H

#include "record/recorder.h"

/* Returns the ref of the figures of the row `ref`. */
static inline uint32_t pdump_hot_detail_figures(uint32_t ref)
{
    return ref + (uint32_t)offsetof(struct pdump_detail_record, figures) / 8;
}

/* Make a new row.  Returns its ref, or 0 if out of memory or if `label` is 0.
 */
uint32_t pdump_detail_make(struct pdump_recorder *r, uint32_t node,
                           uint32_t table, uint64_t key, uint32_t label);

/* Set all figures to those of a new row. */
void pdump_detail_clear(const struct pdump_table_record *table,
                        int64_t *figures);

/* Add all details of node `from` to node `to` (0: discard them), and empty
 * `from`. */
void pdump_detail_move(struct pdump_recorder *r, uint32_t from, uint32_t to);

#endif
