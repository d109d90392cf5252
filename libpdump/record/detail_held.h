/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows that somebody keeps the address of, as libpdump-mem.so does for every
 * block until it is freed.
 *
 * Their figures cannot be moved when a rewind region ends: the row itself goes,
 * to where the region is kept or out of sight, and a new one takes its place.
 */
#ifndef PDUMP_DETAIL_HELD_H
#define PDUMP_DETAIL_HELD_H

#include "record/recorder.h"

/* Returns true if a caller still holds a pointer to the row. */
bool pdump_detail_is_held(char *base, uint32_t ref);

/* Give the row to node `to` (0: nobody), which may have one of its kind: a dump
 * unites them.  The row is not in the list of its node, which no dump shows;
 * the new one will be.  False, and nothing is changed, if there is no room. */
bool pdump_detail_give(struct pdump_recorder *r, uint32_t ref, uint32_t to);

#endif
