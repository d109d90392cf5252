/* SPDX-License-Identifier: BSD-3-Clause */
/* The seam for files out: a format is a table of the files it consists of. */
#ifndef PDUMP_SINK_H
#define PDUMP_SINK_H

#include "comm.h"
#include "dump.h"

#include <stdbool.h>
#include <stdio.h>

enum pdump_sink_mode {
    PDUMP_SINK_ROOT,       /* rank 0 writes for all */
    PDUMP_SINK_PER_RANK,   /* every rank a file */
    PDUMP_SINK_COLLECTIVE, /* all ranks one file together */
};

/* One file of a format. */
struct pdump_sink_part {
    const char *suffix; /* ".csv", ".samples.csv" */
    /* Is there anything to write?  NULL: always. */
    bool (*is_wanted)(const struct pdump_dump *dump);
    /* Write `path` whole.  The caller passes a temporary name and renames it
     * on success, so a reader never meets half a file. */
    int (*write)(const struct pdump_dump *dump, const char *path,
                 const struct pdump_comm *comm);
};

struct pdump_sink {
    const char *name;  /* value of PDUMP_OUTPUT_FORMAT */
    const char *about; /* a line for `pdump info` */
    enum pdump_sink_mode mode;
    bool wants_events; /* the recorder keeps the timeline too */
    const struct pdump_sink_part *parts; /* ends with a NULL suffix; the first
                                          * is the one that readers open */
    /* Is all of the dump in the file `path` and its other parts?  PDUMP_EIO if
     * not.  NULL: a format that has not everything, or that nobody reads. */
    int (*verify)(const struct pdump_dump *dump, const char *path);
};

/* The sink called `name`, from this library or a module; PDUMP_ENOENT with the
 * list of those that exist. */
PDUMP_SHARED int pdump_sink_find(const char *name,
                                 const struct pdump_sink **out);

/* The index-th sink of this library, or NULL. */
PDUMP_SHARED const struct pdump_sink *pdump_sink_at(int index);

/* For sinks that print: open `path` for writing, call put(), and see whether
 * every byte arrived.  stdio remembers the first error. */
PDUMP_SHARED int pdump_sink_print(const char *path,
                                  const struct pdump_dump *dump,
                                  void (*put)(FILE *f,
                                              const struct pdump_dump *dump));

extern const struct pdump_sink pdump_sink_csv;        /* sink_csv.c */
extern const struct pdump_sink pdump_sink_pyperfdump; /* sink_pyperfdump.c */
extern const struct pdump_sink pdump_sink_json;       /* sink_json.c */
extern const struct pdump_sink pdump_sink_text;       /* sink_text.c */

#endif
