/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits the name of an output file that a user has given. */
#ifndef PDUMP_OUTPUT_NAME_H
#define PDUMP_OUTPUT_NAME_H

#include "write/sink.h"

#include <limits.h>

/* "out/first.dat" is the main file "first.dat" in the folder "out"; all other
 * files begin with "first". */
struct pdump_output_name {
    char dir[PATH_MAX];          /* "" if the name has no folder */
    char stem[NAME_MAX + 1];     /* "" if the name is only a folder */
    char ending[NAME_MAX + 1];   /* ".dat"; "": that of the format */
    const struct pdump_sink *by; /* format that the ending stands for */
};

/* Splits `name`.  `formats` is the list of requested formats, or NULL.  Without
 * it, `by` is the format to use, or NULL if the ending stands for none.
 * PDUMP_EINVAL if the name is too long. */
PDUMP_SHARED int pdump_output_name_split(const char *name, const char *formats,
                                         struct pdump_output_name *out);

/* Finds the first format of a list; PDUMP_ENOENT as pdump_sink_find().  Its
 * main file is the one that was named. */
int pdump_output_name_first(const char *formats, const struct pdump_sink **out);

#endif
