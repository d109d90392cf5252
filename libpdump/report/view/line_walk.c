/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the lines of a function together with their source. */
#include "report/view/line_walk.h"

void pdump_line_walk_start(struct pdump_line_walk *w,
                           const struct pdump_line_function *function,
                           const struct pdump_source_code *source)
{
    w->function = function;
    w->source = source;
    w->n_seen = 0;
    w->number = function->first - 1;
    w->last = pdump_source_code_end(source, function->first,
                                    function->lines[function->n - 1].number);
}

bool pdump_line_walk_next(struct pdump_line_walk *w)
{
    const struct pdump_line *next =
        w->n_seen < w->function->n ? &w->function->lines[w->n_seen] : NULL;

    if (w->number >= w->last)
        return false;
    w->number++;
    if (w->number > w->source->n_lines) {
        if (!next || next->number < w->number)
            return false;
        w->number = next->number;
    }
    w->line = next && next->number == w->number ? next : NULL;
    w->n_seen += w->line != NULL;
    pdump_source_code_line(w->source, w->number, w->text, sizeof(w->text));
    return true;
}
