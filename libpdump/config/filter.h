/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which regions are recorded: rules for names and files, as Score-P's.
 *
 *     SCOREP_REGION_NAMES_BEGIN     # or PDUMP_REGION_NAMES_BEGIN
 *       EXCLUDE *
 *       INCLUDE main solve*
 *     SCOREP_REGION_NAMES_END
 *     SCOREP_FILE_NAMES_BEGIN
 *       EXCLUDE *_generated.c
 *     SCOREP_FILE_NAMES_END
 *
 * The last rule that matches decides; what no rule matches is recorded.  A
 * region is excluded if its file is, or its name.  docs/filters.md has the
 * rest.
 */
#ifndef PDUMP_FILTER_H
#define PDUMP_FILTER_H

#include "base/error.h"
#include "config/region_group.h"

#include <stdbool.h>

struct pdump_filter; /* immutable once read */

/*
 * Read the files of a comma-separated list, in order.  Given:
 * pdump_filter_free().  All or nothing: PDUMP_EIO for a file that cannot be
 * read, PDUMP_EFORMAT for one with an error, whose message starts with
 * "file:line:column: ".
 */
PDUMP_SHARED int pdump_filter_read(const char *paths,
                                   struct pdump_filter **out);

/* The same, and behind their rules those of `rules`, for names of regions:
 * "EXCLUDE a* INCLUDE ab", which come from PDUMP_FILTER_RULES. */
PDUMP_SHARED int pdump_filter_open(const char *paths, const char *rules,
                                   struct pdump_filter **out);

/* The same for `len` bytes of text, which came from `source`. */
PDUMP_SHARED int pdump_filter_parse(const char *text, size_t len,
                                    const char *source,
                                    struct pdump_filter **out);

/* NULL is no filter, and is freed. */
PDUMP_SHARED void pdump_filter_free(struct pdump_filter *filter);

/*
 * Is a region not to be recorded?  `filter` NULL: no; `file` NULL: unknown, and
 * no rule for files applies.  Parameters, steps and what libpdump itself names
 * are never excluded.  Takes a look at every rule: ask once per region.
 */
PDUMP_SHARED bool pdump_filter_excludes(const struct pdump_filter *filter,
                                        const char *name, const char *file,
                                        enum pdump_group group);

/* The rules in one line, "EXCLUDE a* INCLUDE ab; files EXCLUDE c", cut at
 * `len` with a final NUL. */
PDUMP_SHARED void pdump_filter_describe(const struct pdump_filter *filter,
                                        char *buf, size_t len);

/* `name` as a pattern for it, with its escapes (a line end becomes a '?'), cut
 * at `len`.  For those who write filter files. */
PDUMP_SHARED void pdump_filter_escape(const char *name, char *buf, size_t len);

#endif
