/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses columns of a report's table by their names. */
#include "report/report_choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The name of a column is its title, "imb" for "imb %"; both columns of the
 * share are "share". */
static const char *name_of(const struct pdump_report_column *c)
{
    switch (c->kind) {
    case PDUMP_REPORT_BAR:
    case PDUMP_REPORT_SHARE:
        return "share";
    case PDUMP_REPORT_IMBALANCE:
    case PDUMP_REPORT_RANK_IMBALANCE:
        return "imb";
    default:
        return c->title;
    }
}

static bool is_named(const struct pdump_view *v,
                     const struct pdump_report_column *c, const char *word)
{
    return strcasecmp(name_of(c), word) == 0 || strcmp(c->title, word) == 0 ||
           (c->kind == PDUMP_REPORT_COUNTER &&
            strcasecmp(v->dump->metrics[c->index].name, word) == 0);
}

static int unknown_column(const struct pdump_report_table *t, const char *word)
{
    char list[600] = "";
    size_t n = 0;

    for (int i = 0; i < t->n_columns && n + 100 < sizeof(list); i++)
        if (t->columns[i].kind != PDUMP_REPORT_BAR)
            n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%.60s",
                                  n > 0 ? ", " : "", name_of(&t->columns[i]));
    return pdump_fail(PDUMP_ENOENT, "there is no column \"%s\", but %s", word,
                      list);
}

/* Numbers the columns of that name that have no number yet.  Returns false if
 * there is no column of that name. */
static bool column_number(const struct pdump_view *v,
                          struct pdump_report_table *t, const char *word,
                          int number)
{
    bool has = false;

    for (int i = 0; i < t->n_columns; i++) {
        struct pdump_report_column *c = &t->columns[i];

        if (!is_named(v, c, word))
            continue;
        has = true;
        if (c->rank < 0)
            c->rank = number;
    }
    return has;
}

/* Adds the columns with that number. */
static void move_column(const struct pdump_report_table *from, int number,
                        struct pdump_report_table *to)
{
    for (int i = 0; i < from->n_columns; i++) {
        struct pdump_report_column *c = &to->columns[to->n_columns];

        if (from->columns[i].rank != number)
            continue;
        *c = from->columns[i];
        if (c->title == from->columns[i].text)
            c->title = c->text;
        to->n_columns++;
    }
}

int pdump_report_choose(const struct pdump_report_page *page,
                        const struct pdump_report_options *options,
                        struct pdump_report_table *table)
{
    struct pdump_report_table all = *table;

    table->columns = calloc((size_t)all.n_columns + 1, sizeof(*table->columns));
    table->n_columns = 0;
    if (!table->columns) {
        *table = all;
        return pdump_no_memory();
    }
    for (int i = 0; i < all.n_columns; i++)
        all.columns[i].rank = -1;
    for (int i = 0; i < options->n_columns; i++)
        if (!column_number(page->view, &all, options->columns[i], i)) {
            free(table->columns);
            *table = all;
            return unknown_column(table, options->columns[i]);
        }
    for (int i = 0; i < options->n_columns; i++)
        move_column(&all, i, table);
    free(all.columns);
    return PDUMP_OK;
}
