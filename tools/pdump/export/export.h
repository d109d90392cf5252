/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes existing dumps again, in any format. */
#ifndef PDUMP_TOOL_EXPORT_H
#define PDUMP_TOOL_EXPORT_H

#include "command.h"

#include "write/output_name.h"

#include <limits.h>

/* The user's request.  Starts with `self`, and optionally a format. */
struct export_request {
    const struct command *self;
    char **files; /* given: free() */
    int n_files;
    const char *format; /* NULL: by the suffix of `output` */
    const char *output; /* NULL: the first file's, with another suffix; "-":
                         * standard output */
    bool is_sum;        /* option "sum" */
    bool is_compare;    /* option "compare" */
    bool is_open;       /* option "open" */
    bool wants_newest;  /* without a file, take the newest of this folder */
    /* For "compare": reads the files as one dump.  Returns an exit code. */
    int (*read_pair)(const struct export_request *q, struct pdump_dump **out);
    const struct pdump_sink *sink;
    struct pdump_output_name to;
    char where[PATH_MAX]; /* the file, once it is written */
};

/* Parses the arguments: FILE..., and those of the options "output", "format",
 * "sum", "open" and "compare" that the command has.  Returns -1 to go on, or an
 * exit code. */
int export_prepare(struct export_request *q, int argc, char **argv);

/* Returns true if the file goes to standard output: nothing else may be
 * printed. */
bool export_is_piped(const struct export_request *q);

/* Writes the file as requested.  Returns an exit code. */
int export_write(struct export_request *q, struct pdump_stream *in);
int export_write_dump(struct export_request *q, const struct pdump_dump *dump);

/* Runs a whole command: FILE..., with the options "output" and possibly
 * "format" of its table.  `format` NULL: as the options say.  Returns an exit
 * code. */
int export_run(const struct command *self, int argc, char **argv,
               const char *format);

/* The same for a request that is already partly filled in. */
int export_run_request(struct export_request *q, int argc, char **argv);

#endif
