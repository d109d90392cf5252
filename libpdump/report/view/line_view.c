/* SPDX-License-Identifier: BSD-3-Clause */
/* The table "lines", function by function. */
#include "report/view/line_view.h"
#include "dump/builder_details.h"
#include "dump/stacks.h"
#include "report/view/detail_groups.h"
#include "stream/node_totals.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 100000000 }; /* a larger number is not a line */

/* A table of details that has lines as labels, and its fields. */
struct source {
    const char *table;
    const char *hits;
    const char *time;
    const char *called; /* "": the table has none */
};

static const struct source recorded = { "lines", "hits", "time", "called" };
static const struct source stacks = { PDUMP_STACKS_TABLE, "self_stacks",
                                      "self_stack_time", "" };

/* A line with its function and file. */
struct place {
    int region;
    const char *label; /* "file:line" */
    size_t len;        /* length of the file's name in it */
    struct pdump_line line;
};

static struct place place_of(const struct pdump_detail_groups *view,
                             const struct source *from,
                             const struct pdump_detail_group *group)
{
    const char *label = view->detail->labels[group->label];
    const char *colon = strrchr(label, ':');
    int number = colon ? atoi(colon + 1) : 0;

    return (struct place){
        .region = group->region,
        .label = label,
        .len = colon ? (size_t)(colon - label) : strlen(label),
        .line = { .number = number > 0 && number < NUMBER_MAX ? number : 0,
                  .hits = pdump_detail_groups_int(view, group, from->hits),
                  .time = pdump_detail_groups_int(view, group, from->time),
                  .called = pdump_detail_groups_int(view, group, from->called),
                  .values = group->values },
    };
}

static int compare_functions(const struct place *a, const struct place *b)
{
    int order;

    if (a->region != b->region)
        return a->region < b->region ? -1 : 1;
    order = strncmp(a->label, b->label, a->len < b->len ? a->len : b->len);
    if (order == 0 && a->len != b->len)
        order = a->len < b->len ? -1 : 1;
    return order;
}

static int compare_places(const void *a, const void *b)
{
    const struct place *p = a, *q = b;
    int order = compare_functions(p, q);

    if (order)
        return order;
    return (p->line.number > q->line.number) -
           (p->line.number < q->line.number);
}

static int compare_times(const void *a, const void *b)
{
    const struct pdump_line_function *p = a, *q = b;

    if (p->time != q->time)
        return p->time > q->time ? -1 : 1;
    return (p->region > q->region) - (p->region < q->region);
}

static struct pdump_line_function function_of(const struct pdump_dump *dump,
                                              const struct place *place)
{
    const struct pdump_dump_region *region =
        place->region < 0 ? NULL : &dump->regions[place->region];
    struct pdump_line_function made = {
        .region = place->region,
        .name = region ? region->name : "",
        .file = strndup(place->label, place->len),
        .first = place->line.number,
    };

    if (region && made.file && strcmp(region->file, made.file) == 0 &&
        region->line > 0 && region->line < made.first)
        made.first = region->line;
    return made;
}

/* Adds a line to the last function.  If the number is that of the last line,
 * adds to that one: all invalid numbers become one line. */
static void add_line(struct pdump_line_view *out, struct pdump_line *at,
                     const struct pdump_line *line, int64_t *n_lines)
{
    struct pdump_line_function *fn = &out->functions[out->n - 1];
    int n_values = out->detail->n_values;
    int64_t *values = &out->values[*n_lines * n_values];

    if (fn->n > 0 && at[-1].number == line->number) {
        at[-1].hits = pdump_node_totals_plus(at[-1].hits, line->hits);
        at[-1].time = pdump_node_totals_plus(at[-1].time, line->time);
        at[-1].called = pdump_node_totals_plus(at[-1].called, line->called);
        pdump_builder_details_unite(out->detail, values - n_values,
                                    line->values);
    } else {
        *at = *line;
        memcpy(values, line->values, (size_t)n_values * sizeof(*values));
        at->values = values;
        fn->n++;
        ++*n_lines;
    }
    fn->time = pdump_node_totals_plus(fn->time, line->time);
}

/* Fills the view; everything has been allocated. */
static int fill_lines(const struct pdump_dump *dump, const struct place *places,
                      int64_t n, struct pdump_line_view *out)
{
    int64_t n_lines = 0;

    for (int64_t i = 0; i < n; i++) {
        struct pdump_line *at = &out->lines[n_lines];

        if (i == 0 || compare_functions(&places[i - 1], &places[i]) != 0) {
            struct pdump_line_function *fn = &out->functions[out->n++];

            *fn = function_of(dump, &places[i]);
            fn->lines = at;
            if (!fn->file)
                return pdump_no_memory();
        }
        add_line(out, at, &places[i].line, &n_lines);
    }
    qsort(out->functions, (size_t)out->n, sizeof(out->functions[0]),
          compare_times);
    return PDUMP_OK;
}

static int make_lines(const struct pdump_dump *dump, const struct source *from,
                      const struct pdump_detail_groups *view,
                      struct pdump_line_view *out)
{
    struct place *places = calloc((size_t)view->n, sizeof(*places));
    int err = PDUMP_ENOMEM;

    out->functions = calloc((size_t)view->n, sizeof(*out->functions));
    out->lines = calloc((size_t)view->n, sizeof(*out->lines));
    out->values = calloc((size_t)view->n * (size_t)view->detail->n_values,
                         sizeof(*out->values));
    if (places && out->functions && out->lines && out->values) {
        for (int64_t i = 0; i < view->n; i++)
            places[i] = place_of(view, from, &view->groups[i]);
        qsort(places, (size_t)view->n, sizeof(*places), compare_places);
        err = fill_lines(dump, places, view->n, out);
    } else {
        err = pdump_no_memory();
    }
    free(places);
    if (err < 0)
        pdump_line_view_free(out);
    return err;
}

static int view_of(const struct pdump_dump *dump, const struct source *from,
                   struct pdump_line_view *out)
{
    const struct pdump_dump_detail *detail =
        pdump_dump_find_detail(dump, from->table);
    struct pdump_detail_groups view;
    int err;

    *out = (struct pdump_line_view){ 0 };
    if (!detail || detail->n_rows == 0)
        return PDUMP_OK;
    err = pdump_detail_groups(dump, detail, PDUMP_BY_REGION | PDUMP_BY_LABEL,
                              &view);
    if (err < 0)
        return err;
    out->detail = detail;
    out->first = pdump_dump_find_field(detail, "called") == 2 ? 3 : 2;
    out->last = detail->n_values == detail->n_fields ? detail->n_fields : 0;
    err = make_lines(dump, from, &view, out);
    pdump_detail_groups_free(&view);
    return err;
}

int pdump_line_view(const struct pdump_dump *dump, struct pdump_line_view *out)
{
    return view_of(dump, &recorded, out);
}

int pdump_line_view_stacks(const struct pdump_dump *dump,
                           struct pdump_line_view *out)
{
    int err = view_of(dump, &stacks, out);

    out->first = out->last = 0;
    return err;
}

void pdump_line_view_free(struct pdump_line_view *view)
{
    for (int64_t i = 0; i < view->n; i++)
        free(view->functions[i].file);
    free(view->functions);
    free(view->lines);
    free(view->values);
    *view = (struct pdump_line_view){ 0 };
}

int pdump_line_view_some(const struct pdump_dump *dump,
                         struct pdump_line_view *out)
{
    int err = pdump_line_view(dump, out);

    if (err < 0 || out->n > 0)
        return err;
    pdump_line_view_free(out);
    return pdump_fail(PDUMP_ENOENT, "no lines were recorded: run the program "
                                    "with `python -m pdump --lines`");
}
