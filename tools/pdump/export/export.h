/* SPDX-License-Identifier: BSD-3-Clause */
/* Dumps that are there, written once more. */
#ifndef PDUMP_TOOL_EXPORT_H
#define PDUMP_TOOL_EXPORT_H

#include "command.h"

#include "write/sink.h"

#include <limits.h>

/* What the user asked for; starts with `self`, and perhaps a format. */
struct export_request {
    const struct command *self;
    char **files; /* given: free() */
    int n_files;
    const char *format; /* NULL: as `output` ends */
    const char *output; /* NULL: as the first file, with another ending; "-":
                         * standard output */
    bool is_sum;        /* the option "sum" was there */
    bool is_compare;    /* the option "compare" was there */
    /* For the latter: the files as one dump.  Exit code. */
    int (*read_pair)(const struct export_request *q, struct pdump_dump **out);
    const struct pdump_sink *sink;
    char dir[PATH_MAX];
    char base[NAME_MAX + 1];
};

/* Read the arguments: FILE..., with those of the options "output", "format",
 * "sum" and "compare" that the command has.  -1 to go on, or an exit code. */
int export_prepare(struct export_request *q, int argc, char **argv);

/* Is standard output the file?  Then nothing else may be said there. */
bool export_is_piped(const struct export_request *q);

/* Write it as the request says.  Exit code. */
int export_write(const struct export_request *q, struct pdump_stream *in);
int export_write_dump(const struct export_request *q,
                      const struct pdump_dump *dump);

/* A whole command: FILE..., with the options "output" and perhaps "format" of
 * its table.  `format` NULL: as these say.  Exit code. */
int export_run(const struct command *self, int argc, char **argv,
               const char *format);

/* The same of a request that has `self` and what else there is to say. */
int export_run_request(struct export_request *q, int argc, char **argv);

#endif
