/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the page of a report: the run, its warnings, the table, the notes. */
#include "report/report.h"
#include "report/report_field.h"
#include "report/report_markdown.h"
#include "report/report_note.h"
#include "report/user_locale.h"

#include <stdlib.h>

/* Writes how many lines were left out, and how to see them if the user did not
 * choose that. */
static void put_rest(const struct pdump_report_page *page)
{
    int n = pdump_view_n_left_out(page->view);
    char text[80];

    if (n == 0)
        return;
    snprintf(text, sizeof(text), "%s %d more%s",
             page->is_utf8 ? "\u2026" : "...", n,
             page->view->is_brief ? " (--all)" : "");
    pdump_report_note(page, "%s", text);
}

static void put_lines(const struct pdump_report_page *page,
                      const struct pdump_report_table *table)
{
    if (page->view->n_items == 0)
        fputs("No region was recorded.\n", page->f);
    else if (page->view->n_shown == 0)
        fputs("No region is large enough to be shown.\n", page->f);
    else if (page->is_markdown)
        pdump_report_markdown_table(page, table);
    else
        pdump_report_table_print(page, table);
    if (page->view->n_shown > 0 && page->totals == page->view)
        put_rest(page);
}

static int put_page(const struct pdump_report_page *page,
                    const struct pdump_report_options *options)
{
    struct pdump_report_table table;
    int err;

    if (options->format == PDUMP_REPORT_CSV)
        return pdump_report_csv(page, options);
    if (options->format == PDUMP_REPORT_JSON)
        return pdump_report_json(page, options);
    err = pdump_report_table_make(page, options, &table);
    if (err < 0)
        return err;
    if (page->is_markdown)
        pdump_report_markdown_trim(&table);
    if (!options->totals)
        err = pdump_report_head(page);
    if (err >= 0) {
        put_lines(page, &table);
        if (!options->totals)
            pdump_report_notes(page, &table);
    }
    free(table.columns);
    return err;
}

/* Returns the metric of the columns about ranks. */
static int rank_metric(const struct pdump_view *view,
                       const struct pdump_report_options *options)
{
    for (int i = 0; options->by_rank && i < options->n_metrics; i++)
        if (!options->metrics[i].is_derived)
            return options->metrics[i].index;
    return view->key;
}

/* Finds the ranks; NULL if the page does not show ranks. */
static int find_ranks(const struct pdump_view *view,
                      const struct pdump_report_options *options,
                      struct pdump_view_ranks **out)
{
    int metric = rank_metric(view, options), err;

    *out = NULL;
    if (options->totals || !view->node_item ||
        (!options->by_rank && !pdump_view_has_ranks(view)))
        return PDUMP_OK;
    if (options->by_rank && metric < 0)
        return pdump_fail(PDUMP_ENOENT, "there is no metric to show by rank");
    err = pdump_view_ranks_new(view, metric, out);
    if (err >= 0 && options->by_rank && (*out)->list.n == 0 &&
        view->n_items > 0) {
        pdump_view_ranks_free(*out);
        *out = NULL;
        return pdump_fail(
            PDUMP_ENOENT,
            "there are statistics over %d ranks "
            "only, and none of them has rows",
            pdump_ranks_of_job(view->dump, &(struct pdump_ranks){ 0 }));
    }
    return err;
}

int pdump_report_print(FILE *f, const struct pdump_view *view,
                       const struct pdump_report_options *options)
{
    struct pdump_user_locale locale;
    struct pdump_report_page page = {
        .f = f,
        .width = options->width,
        .has_color = options->has_color,
        .view = view,
        .totals = options->totals ? options->totals : view,
        .seconds = options->totals ? options->seconds : 0,
        .is_part = options->is_part || options->runs,
        .runs = options->runs,
        .n_runs = options->runs ? options->n_runs : 0,
        .n_files = options->n_files,
        .is_wide = options->is_wide || options->columns,
        .has_all_notes = options->has_all_notes,
    };
    struct pdump_view_ranks *ranks;
    int err = find_ranks(view, options, &ranks);

    if (options->format == PDUMP_REPORT_MARKDOWN) {
        page.is_markdown = true;
        page.has_color = false;
        page.width = 0;
    }
    page.ranks = ranks;
    page.by_rank = ranks && options->by_rank;
    pdump_user_locale_enter(&locale);
    page.is_utf8 = locale.is_utf8;
    if (err >= 0)
        err = put_page(&page, options);
    pdump_user_locale_leave(&locale);
    pdump_view_ranks_free(ranks);
    return err;
}
