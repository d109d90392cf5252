/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes of a thread on their way to become rows. */
#ifndef PDUMP_SNAPSHOT_NODES_H
#define PDUMP_SNAPSHOT_NODES_H

#include "snapshot/snapshot_open_frames.h"

struct pdump_snapshot_node_row {
    uint32_t ref;
    int parent;                                    /* item */
    int node;                                      /* the builder's */
    const struct pdump_snapshot_open_frames *open; /* if it is */
    uint64_t visits;
    uint32_t read; /* bit i: metric i of its open visit was read */
    bool is_twin;  /* another item has its node and its figures */
    bool is_empty; /* it was moved to another parent before its end */
};

/* Item 0 is the root, which has no figures, and parents come before their
 * children. */
struct pdump_snapshot_nodes {
    struct pdump_snapshot_node_row *list;
    int n, room;
    struct pdump_stat *stats; /* per item: metrics, then user metrics */
    uint32_t n_stats;         /* per item */
    bool is_estimated;        /* counters were read in some visits only */
};

/* One more, without figures.  Its list and stats are the caller's to free. */
int pdump_snapshot_nodes_push(struct pdump_snapshot_nodes *items, uint32_t ref,
                              int parent);

static inline struct pdump_stat *pdump_snapshot_nodes_stats(
    const struct pdump_snapshot_nodes *items, int i)
{
    return items->stats + (size_t)i * items->n_stats;
}

/* Returns true if metric m of the item is known.  If not, the row has no value,
 * because 0 would look like one. */
static inline bool pdump_snapshot_nodes_is_known(
    const struct pdump_snapshot_nodes *items, int i, uint32_t m)
{
    const struct pdump_stat *stat = pdump_snapshot_nodes_stats(items, i) + m;

    return stat->min <= stat->max || items->list[i].read >> m & 1;
}

/* Add the figures of one to another's. */
void pdump_snapshot_nodes_unite(struct pdump_stat *all,
                                const struct pdump_stat *one);

/* When all items have their figures as they were measured: see to it that they
 * agree with each other, and find the empty ones and the twins. */
int pdump_snapshot_nodes_settle(struct pdump_snapshot *s,
                                struct pdump_snapshot_nodes *items);

#endif
