/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs the tables and rows of a dump into messages between ranks. */
#ifndef PDUMP_PACK_DUMP_H
#define PDUMP_PACK_DUMP_H

#include "base/pack.h"
#include "dump/builder_add.h"

/* One entry of a table.  Its texts are in the message; if that is damaged, the
 * entry is of no use. */
void pdump_pack_entry(struct pdump_pack *p,
                      const struct pdump_schema_table *table,
                      const void *entry);
void pdump_unpack_entry(struct pdump_unpack *u,
                        const struct pdump_schema_table *table, void *entry);

/* Metrics, regions and nodes. */
void pdump_pack_tree(struct pdump_pack *p, const struct pdump_dump *dump);
int pdump_unpack_tree(struct pdump_unpack *u, struct pdump_builder *b);

/* Processes, threads, metadata, warnings. */
void pdump_pack_processes(struct pdump_pack *p, const struct pdump_dump *dump);
int pdump_unpack_processes(struct pdump_unpack *u, struct pdump_builder *b);

/* Tables of details (pack_details.c).  `has_warnings` adds the warnings of the
 * dump: they say what went wrong while details were united on the way. */
void pdump_pack_details(struct pdump_pack *p, const struct pdump_dump *dump,
                        bool has_warnings);
/* The sender's threads get the numbers from `first_thread` on; -1: all threads
 * become one.  A table with other fields than the builder's becomes a
 * warning. */
int pdump_unpack_details(struct pdump_unpack *u, struct pdump_builder *b,
                         int first_thread);

/* Rows, samples and events; the threads are numbered from 0 in their dump. */
void pdump_pack_rows(struct pdump_pack *p, const struct pdump_dump *dump);

/* Unpacks into `piece`, which has metrics and room for their columns.  The
 * sender's threads get the numbers from `first_thread` on.  The bytes are
 * borrowed as long as the piece is used. */
int pdump_unpack_rows(struct pdump_unpack *u, int first_thread,
                      struct pdump_dump *piece);

#endif
