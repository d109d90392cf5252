/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Filters: rules for names and files, in Score-P's syntax, that choose which
 * regions are recorded.
 *
 *     SCOREP_REGION_NAMES_BEGIN     # or PDUMP_REGION_NAMES_BEGIN
 *       EXCLUDE *
 *       INCLUDE main solve*
 *     SCOREP_REGION_NAMES_END
 *     SCOREP_FILE_NAMES_BEGIN
 *       EXCLUDE *_generated.c
 *     SCOREP_FILE_NAMES_END
 *
 * The last matching rule decides; a region that no rule matches is recorded.  A
 * region is excluded if its file or its name is excluded.  See
 * docs/overhead.md.
 */
#ifndef PDUMP_FILTER_H
#define PDUMP_FILTER_H

#include "base/error.h"
#include "config/region_group.h"

#include <stdbool.h>

struct pdump_filter; /* immutable once read */

/*
 * Read the files of a comma-separated list, in order.  Given:
 * pdump_filter_free().  On an error nothing is read: PDUMP_EIO if a file cannot
 * be read, PDUMP_EFORMAT if one has an error; then the message starts with
 * "file:line:column: ".
 */
PDUMP_SHARED int pdump_filter_read(const char *paths,
                                   struct pdump_filter **out);

/* The same, followed by the rules in `rules` for names of regions, such as
 * "EXCLUDE a* INCLUDE ab" from PDUMP_FILTER_RULES. */
PDUMP_SHARED int pdump_filter_open(const char *paths, const char *rules,
                                   struct pdump_filter **out);

/* The same for `len` bytes of text; messages name `source` as the file. */
PDUMP_SHARED int pdump_filter_parse(const char *text, size_t len,
                                    const char *source,
                                    struct pdump_filter **out);

/* NULL is ignored. */
PDUMP_SHARED void pdump_filter_free(struct pdump_filter *filter);

/*
 * Returns true if a region is not to be recorded.  Returns false if `filter` is
 * NULL.  If `file` is NULL, it is unknown, and no rule for files applies.
 * Parameters, steps and regions that libpdump itself names are never excluded.
 * Tries every rule, so call it once per region.
 */
PDUMP_SHARED bool pdump_filter_excludes(const struct pdump_filter *filter,
                                        const char *name, const char *file,
                                        enum pdump_group group);

/* Write the rules in one line, "EXCLUDE a* INCLUDE ab; files EXCLUDE c", cut at
 * `len` with a final NUL. */
PDUMP_SHARED void pdump_filter_describe(const struct pdump_filter *filter,
                                        char *buf, size_t len);

/* Write a pattern that matches `name`, with escapes (a line end becomes a '?'),
 * cut at `len`.  For code that writes filter files. */
PDUMP_SHARED void pdump_filter_escape(const char *name, char *buf, size_t len);

#endif
