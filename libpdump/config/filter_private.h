/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions shared by filter.c and filter_text.c, which reads the rules. */
#ifndef PDUMP_FILTER_PRIVATE_H
#define PDUMP_FILTER_PRIVATE_H

#include "config/filter.h"

enum pdump_filter_kind {
    PDUMP_FILTER_NAMES,
    PDUMP_FILTER_FILES,
    PDUMP_FILTER_KINDS,
};

/* Append a rule; the pattern (wildcard.h) is copied. */
int pdump_filter_add(struct pdump_filter *filter, enum pdump_filter_kind kind,
                     bool is_exclude, const char *pattern);

/* Add the rules of a text.  On PDUMP_EFORMAT some may have been added. */
int pdump_filter_text(struct pdump_filter *filter, const char *text, size_t len,
                      const char *source);

/* The same for the rules inside of a block for names of regions. */
int pdump_filter_rules(struct pdump_filter *filter, const char *rules,
                       const char *source);

#endif
