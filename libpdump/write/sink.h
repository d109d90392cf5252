/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The seam for files out: a sink writes a dump in one format, which is a table
 * of the files it consists of.
 *
 * This is the central header of write/, which writes files: formats, temporary
 * names, renames.
 */
#ifndef PDUMP_SINK_H
#define PDUMP_SINK_H

#include "job/comm.h"
#include "stream/stream.h"
#include "system/new_file.h"

#include <stdbool.h>
#include <stdio.h>

/* One file of a format. */
struct pdump_sink_part {
    const char *suffix; /* ".csv", ".samples.csv" */
    bool is_folder;     /* write() makes files in this folder */
    /* Returns true if there is anything to write.  NULL: always. */
    bool (*is_wanted)(const struct pdump_stream *in);
    /* Writes the complete file, or makes files in the folder file->path.  The
     * caller renames it on success, so a reader never gets an incomplete
     * file. */
    int (*write)(struct pdump_stream *in, const struct pdump_new_file *file);
};

struct pdump_sink {
    const char *name;  /* value of PDUMP_OUTPUT_FORMAT */
    const char *about; /* a line for `pdump info` */
    bool names_ranks;  /* "perf_dump.8.h5" for a job of eight */
    bool appends;      /* all sessions of a process write to one file */
    bool is_complete;  /* a reader can restore the whole dump */
    bool has_stacks;   /* it shows stacks: see pdump_sink_stream() */
    const struct pdump_sink_part *parts; /* readers open the first;
                                          * ends with a NULL suffix */
    /* Checks that the first part has everything that was written; PDUMP_EIO if
     * not.  NULL for sinks that print, which have read it back already. */
    int (*verify)(struct pdump_stream *in, const struct pdump_new_file *file);
    /* Writes the rows of this rank together with all other ranks.  Before that,
     * rank 0 writes the file from a stream that is hollow.  `mine` uses the
     * numbers of the stream's tables, and is piece `piece` of it.  Returns when
     * its own rows have been read back.  Collective.  NULL: the format cannot
     * be written together. */
    pdump_fill *fill;
};

/* Finds the sink `name`, in upper or lower case, from this library or a module;
 * PDUMP_ENOENT with a list of the existing ones.  "auto" is hdf5 if it is
 * installed, otherwise csv. */
PDUMP_SHARED int pdump_sink_find(const char *name,
                                 const struct pdump_sink **out);

/* Returns true if the format is there, without loading its module. */
PDUMP_SHARED bool pdump_sink_is_there(const char *name);

/* Finds the same format in a module that can fill() a file with the MPI of this
 * process; PDUMP_ENOENT or PDUMP_EPLUGIN if there is none. */
PDUMP_SHARED int pdump_sink_find_filling(const char *name,
                                         const struct pdump_sink **out);

/* Returns sink number `index` of this library and of the installed modules, or
 * NULL. */
PDUMP_SHARED const struct pdump_sink *pdump_sink_at(int index);

/* Returns the format whose main file has the suffix of `name`, or NULL.  The
 * longest suffix wins, so "x.trace.json" is not "json"; of equal ones the first
 * format.  Upper case counts as lower case. */
PDUMP_SHARED const struct pdump_sink *pdump_sink_guess(const char *name);

/* For sinks that print: calls put(), and checks that every byte is in the file,
 * and nothing else.  stdio remembers the first error. */
PDUMP_SHARED int pdump_sink_print(const struct pdump_new_file *file,
                                  int (*put)(FILE *f, void *data), void *data);

/* For formats that only have times: returns the index of the metric "time", or
 * PDUMP_EFORMAT. */
int pdump_sink_time(const struct pdump_dump *tables);

/* Writes one part of a dump that is completely in memory to a file, which is
 * made if it does not exist. */
PDUMP_SHARED int pdump_sink_write(const struct pdump_sink_part *part,
                                  const struct pdump_dump *dump,
                                  const char *path);

/* Returns the stream to pass to write() and verify(): `in`, or the same without
 * stacks (dump/stacks.h) if the format does not show them.  The caller ends
 * with the second function. */
PDUMP_SHARED int pdump_sink_stream(const struct pdump_sink *sink,
                                   struct pdump_stream *in,
                                   struct pdump_stream **out);
PDUMP_SHARED void pdump_sink_stream_end(struct pdump_stream *in,
                                        struct pdump_stream *out);

extern const struct pdump_sink pdump_sink_csv;        /* sink_csv.c */
extern const struct pdump_sink pdump_sink_pyperfdump; /* sink_pyperfdump.c */
extern const struct pdump_sink pdump_sink_json;       /* sink_json.c */
extern const struct pdump_sink pdump_sink_pstats;     /* sink_pstats.c */
extern const struct pdump_sink pdump_sink_pprof;      /* sink_pprof.c */
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
