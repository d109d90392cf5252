/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the lines of a function together with their source. */
#ifndef PDUMP_LINE_WALK_H
#define PDUMP_LINE_WALK_H

#include "report/view/line_view.h"
#include "report/view/source_code.h"

/*
 *     struct pdump_line_walk w;
 *
 *     pdump_line_walk_start(&w, function, source);
 *     while (pdump_line_walk_next(&w))
 *         ... w.number, w.line, w.text ...
 */
struct pdump_line_walk {
    const struct pdump_line_function *function; /* borrowed */
    const struct pdump_source_code *source;     /* borrowed */
    int64_t n_seen;                             /* lines visited so far */
    int last;
    int number;
    const struct pdump_line *line; /* NULL: it was not executed */
    char text[1024];
};

/* Walks from the function's first line to its last.  Without source, visits
 * only the lines that were executed. */
PDUMP_SHARED void pdump_line_walk_start(
    struct pdump_line_walk *w, const struct pdump_line_function *function,
    const struct pdump_source_code *source);
PDUMP_SHARED bool pdump_line_walk_next(struct pdump_line_walk *w);

#endif
