/* SPDX-License-Identifier: BSD-3-Clause */
/* The seam for files out: a format is a table of the files it consists of. */
#ifndef PDUMP_SINK_H
#define PDUMP_SINK_H

#include "job/comm.h"
#include "stream/stream.h"

#include <stdbool.h>
#include <stdio.h>

/* One file of a format. */
struct pdump_sink_part {
    const char *suffix; /* ".csv", ".samples.csv" */
    bool is_folder;     /* it is one, in which write() makes files */
    /* Is there anything to write?  NULL: always. */
    bool (*is_wanted)(const struct pdump_stream *in);
    /* Write `path` whole.  The caller passes a temporary name and renames it
     * on success, so a reader never meets half a file. */
    int (*write)(struct pdump_stream *in, const char *path);
};

struct pdump_sink {
    const char *name;  /* value of PDUMP_OUTPUT_FORMAT */
    const char *about; /* a line for `pdump info` */
    bool wants_events; /* the recorder keeps the timeline too */
    bool names_ranks;  /* "perf_dump.8.h5" for a job of eight */
    bool is_complete;  /* a reader gives the whole dump back */
    const struct pdump_sink_part *parts; /* ends with a NULL suffix; the first
                                          * is the one that readers open */
    /* Is all that was written in the file `path`?  PDUMP_EIO if not.  NULL for
     * sinks that print: it was read back then. */
    int (*verify)(struct pdump_stream *in, const char *path);
    /* Can the ranks write together?  Then rank 0 writes the file from a stream
     * that is hollow, and all of them fill their rows into it: `mine` has the
     * numbers of the stream's tables, and is piece `piece` of it.  Returns when
     * its own rows were read back.  Collective.  NULL: it cannot. */
    pdump_fill *fill;
};

/* The sink called `name`, from this library or a module; PDUMP_ENOENT with the
 * list of those that exist.  "auto" is hdf5 if it is there, else csv. */
PDUMP_SHARED int pdump_sink_find(const char *name,
                                 const struct pdump_sink **out);

/* The same format, by a module that can fill() a file by way of what this
 * process's ranks talk with; PDUMP_ENOENT or PDUMP_EPLUGIN if there is none. */
PDUMP_SHARED int pdump_sink_find_filling(const char *name,
                                         const struct pdump_sink **out);

/* The index-th sink of this library and of the modules that are there, or NULL.
 */
PDUMP_SHARED const struct pdump_sink *pdump_sink_at(int index);

/* The format whose main file ends like `name`, or NULL.  The longest ending
 * counts, so "x.trace.json" is no "json"; of equal ones the first format. */
PDUMP_SHARED const struct pdump_sink *pdump_sink_guess(const char *name);

/* For sinks that print: open `path` for writing, call put(), and see whether
 * every byte is in the file.  stdio remembers the first error. */
PDUMP_SHARED int pdump_sink_print(const char *path,
                                  int (*put)(FILE *f, void *data), void *data);

/* The metric that formats which know only times are about: its index, or
 * PDUMP_EFORMAT. */
int pdump_sink_time(const struct pdump_dump *tables);

/* Write one part of a dump that is all there. */
PDUMP_SHARED int pdump_sink_write(const struct pdump_sink_part *part,
                                  const struct pdump_dump *dump,
                                  const char *path);

extern const struct pdump_sink pdump_sink_csv;        /* sink_csv.c */
extern const struct pdump_sink pdump_sink_pyperfdump; /* sink_pyperfdump.c */
extern const struct pdump_sink pdump_sink_json;       /* sink_json.c */
extern const struct pdump_sink pdump_sink_pstats;     /* sink_pstats.c */
extern const struct pdump_sink pdump_sink_text;       /* sink_text.c */
extern const struct pdump_sink pdump_sink_folded;     /* sink_folded.c */
extern const struct pdump_sink pdump_sink_lines;      /* sink_lines.c */
extern const struct pdump_sink pdump_sink_speedscope; /* sink_speedscope.c */
extern const struct pdump_sink pdump_sink_chrome;     /* sink_chrome.c */
extern const struct pdump_sink pdump_sink_callgrind;  /* sink_callgrind.c */
extern const struct pdump_sink pdump_sink_caliper;    /* sink_caliper.c */
extern const struct pdump_sink pdump_sink_dot;        /* sink_dot.c */
extern const struct pdump_sink pdump_sink_mprof;      /* sink_mprof.c */

#endif
