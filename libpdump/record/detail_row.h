/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of tables of details in the store (detail.h), each in the list of a
 * node.
 *
 * A caller may keep the address of a row, as libpdump-mem.so does for every
 * block until it is freed.  The figures of such a row cannot be moved when a
 * rewind region ends: the row itself goes, to where the region is kept or out
 * of sight, and a new one takes its place.
 */
#ifndef PDUMP_DETAIL_ROW_H
#define PDUMP_DETAIL_ROW_H

#include "record/recorder.h"

/* The ref of the figures of the row `ref`. */
static inline uint32_t pdump_hot_detail_figures(uint32_t ref)
{
    return ref + (uint32_t)offsetof(struct pdump_detail_record, figures) / 8;
}

/* Make a new row.  Returns its ref, or 0 without memory or if `label` is 0. */
uint32_t pdump_detail_make(struct pdump_recorder *r, uint32_t node,
                           uint32_t table, uint64_t key, uint32_t label);

/* Make all figures those of a new row. */
void pdump_detail_clear(const struct pdump_table_record *table,
                        int64_t *figures);

/* Add all details of node `from` to node `to` (0: nowhere), and empty `from`.
 */
void pdump_detail_move(struct pdump_recorder *r, uint32_t from, uint32_t to);

#endif
