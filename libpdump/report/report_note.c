/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes paragraphs, and the notes below the table. */
#include "report/report_note.h"
#include "report/report_doubt.h"
#include "report/report_markdown.h"
#include "report/report_path.h"
#include "report/report_ranks.h"
#include "report/report_text.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT_WIDTH = 100, /* of paragraphs if the page has no limit */
};

static int page_width(const struct pdump_report_page *page)
{
    return page->width > 0 ? page->width : TEXT_WIDTH;
}

/* Returns the length of the next word; a number and its % are one word. */
static size_t word_length(const char *text)
{
    size_t len = strcspn(text, " ");

    if (strncmp(text + len, " %", 2) == 0)
        len += 1 + strcspn(text + len + 1, " ");
    return len;
}

void pdump_report_paragraph(const struct pdump_report_page *page,
                            const char *text)
{
    int column = 0, limit = page_width(page);
    bool is_first = true;

    if (page->is_markdown) {
        pdump_report_markdown_text(page, text);
        fputs("\n\n", page->f);
        return;
    }
    while (*text != '\0') {
        size_t len = word_length(text);
        int width = pdump_report_text_width(text, len, page->is_utf8);

        if (!is_first && column + 1 + width > limit) {
            fputs("\n  ", page->f);
            column = 2;
        } else if (!is_first) {
            fputc(' ', page->f);
            column++;
        }
        is_first = false;
        column += pdump_report_text_put(page->f, text, len,
                                        limit > column ? limit - column : 1,
                                        page->is_utf8);
        text += len;
        text += strspn(text, " ");
    }
    pdump_report_style(page, PDUMP_REPORT_PLAIN);
    fputc('\n', page->f);
}

static void note_list(const struct pdump_report_page *page, const char *fmt,
                      va_list args)
{
    char text[1024];

    vsnprintf(text, sizeof(text), fmt, args);
    pdump_report_style(page, PDUMP_REPORT_DIM);
    pdump_report_paragraph(page, text);
}

void pdump_report_note(const struct pdump_report_page *page, const char *fmt,
                       ...)
{
    va_list args;

    va_start(args, fmt);
    note_list(page, fmt, args);
    va_end(args);
}

static bool has_doubt(const struct pdump_report_page *page,
                      const struct pdump_report_table *table)
{
    const struct pdump_view *v = page->view;

    for (int i = 0; i < table->n_columns; i++)
        for (int k = 0; table->columns[i].is_shown && k < v->n_shown; k++)
            if (pdump_report_doubt(page, v->shown[k], &table->columns[i]))
                return true;
    return false;
}

/* The notes of a page: two, unless the user wants all. */
struct notes {
    const struct pdump_report_page *page;
    const struct pdump_report_table *table;
    int n_left;
};

enum { NOTES = 2 };

static void write_note(struct notes *notes, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void write_note(struct notes *notes, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    if (notes->n_left-- > 0)
        note_list(notes->page, fmt, args);
    va_end(args);
}

static bool has_overflow(const struct pdump_view *v)
{
    for (int i = 0; i < v->n_shown; i++) {
        int region = v->items[v->shown[i]].region;

        if (region >= 0 &&
            strcmp(v->dump->regions[region].group, "overflow") == 0)
            return true;
    }
    return false;
}

static bool has_open(const struct pdump_view *v)
{
    for (int i = 0; i < v->n_shown; i++)
        if (v->items[v->shown[i]].n_open > 0)
            return true;
    return false;
}

/* Explains the marks in the table, if there are any. */
static void note_marks(struct notes *notes)
{
    const struct pdump_view *v = notes->page->view;

    if (has_overflow(v))
        write_note(notes,
                   "<overflow>: regions beyond a limit (PDUMP_REGIONS_MAX, "
                   "PDUMP_MEMORY_MAX, PDUMP_DEPTH_MAX), counted together.");
    if (has_open(v))
        write_note(
            notes,
            "(open): had not ended when the dump was written; the figures are "
            "those until then%s.",
            v->dump->n_metrics > 1 ? ", but counters that could not be read "
                                     "then are of visits that had ended, or "
                                     "blank"
                                   : "");
    if (has_doubt(notes->page, notes->table))
        write_note(
            notes,
            "?: not known, because the visits are too short: reading the "
            "counter adds more to it than the region does.");
}

static size_t append_item(char *list, size_t len, size_t n, const char *between,
                          const char *name, const char *about)
{
    int more = 0;

    if (n + 200 < len)
        more = snprintf(list + n, len - n, "%s%.64s%s", n > 0 ? between : "",
                        name, about);
    return n + (size_t)more;
}

/* Returns true if the user expects the column. */
static bool is_wanted(const struct notes *notes,
                      const struct pdump_report_column *c)
{
    return notes->page->is_wide || c->rank == PDUMP_REPORT_ASKED;
}

/* Names the columns that the page has no room for. */
static void note_room(struct notes *notes)
{
    const struct pdump_report_table *t = notes->table;
    char missing[900];
    size_t n = 0;

    for (int i = 0; i < t->n_columns; i++) {
        const struct pdump_report_column *c = &t->columns[i];

        if (!c->is_shown && notes->page->width > 0 && c->title[0] != '\0' &&
            c->kind != PDUMP_REPORT_RANK_ONE && is_wanted(notes, c))
            n = append_item(missing, sizeof(missing), n, ", ", c->title, "");
    }
    if (n > 0)
        write_note(notes, "No room for %s (see --width and --columns).",
                   missing);
}

/* Says what derived metrics are. */
static void explain_columns(struct notes *notes)
{
    const struct pdump_view *v = notes->page->view;
    char meanings[900];
    size_t n = 0;

    for (int i = 0; i < notes->table->n_columns; i++) {
        const struct pdump_report_column *c = &notes->table->columns[i];
        char about[120];

        if (c->kind != PDUMP_REPORT_DERIVED || !c->is_shown)
            continue;
        snprintf(about, sizeof(about), ": %s",
                 v->derived[c->index].recipe->about);
        n = append_item(meanings, sizeof(meanings), n, "; ", c->title, about);
    }
    if (n > 0)
        write_note(notes, "%s.", meanings);
}

/* Says what the percentages are of, if that is not the time. */
static void note_key(struct notes *notes)
{
    const struct pdump_view *v = notes->page->view;

    if (v->key >= 0 && strcmp(v->dump->metrics[v->key].name, "time") != 0)
        write_note(notes, "%%%s: of %s.",
                   notes->page->ranks && !notes->page->by_rank
                       ? ", mean, max, imb %"
                       : "",
                   v->dump->metrics[v->key].name);
}

/* Says which figures are estimates. */
static void note_estimates(struct notes *notes)
{
    const char *every =
        pdump_dump_metadata(notes->page->view->dump, "counters_every");

    if (every && *every)
        write_note(
            notes,
            "Counters were read in one of %.20s visits of a region: their "
            "sums are scaled up, min and max are those of the visits that "
            "were read (PDUMP_COUNTERS_EVERY).",
            every);
}

/* Says which regions are not in the table, and why. */
static void note_filter(struct notes *notes)
{
    const char *filter = pdump_dump_metadata(notes->page->view->dump, "filter");

    if (filter && *filter)
        write_note(
            notes,
            "Regions that the filter %.200s excludes are not here; their time "
            "is part of the regions around them.",
            filter);
}

static bool is_there(const struct pdump_report_table *table,
                     enum pdump_report_kind kind)
{
    for (int i = 0; i < table->n_columns; i++)
        if (table->columns[i].kind == kind && table->columns[i].is_shown)
            return true;
    return false;
}

static void explain_sums(struct notes *notes)
{
    const struct pdump_view *v = notes->page->view;

    if (v->dump->n_threads < 2 || v->n_items == 0 || v->items[0].thread >= 0)
        return;
    write_note(
        notes, "Times and counts are sums over %d threads%s%s.",
        v->dump->n_threads,
        is_there(notes->table, PDUMP_REPORT_MOST)
            ? "; max/thread is the time of the one that has most"
            : "",
        is_there(notes->table, PDUMP_REPORT_IMBALANCE)
            ? "; imb %: how much that is above the mean of those that have "
              "the region"
            : "");
}

/* Explains the bar. */
static void explain_bar(struct notes *notes)
{
    const struct pdump_ranks *list = &notes->page->ranks->list;
    int cells = pdump_report_ranks_width(notes->page), n = list->n / cells;
    char which[80];

    pdump_ranks_text(list, which, sizeof(which));
    if (list->n == cells)
        write_note(
            notes,
            "ranks: a sign for each of the ranks %s, its height relative to "
            "the max.",
            which);
    else
        write_note(
            notes,
            "ranks: of the ranks %s, a sign for %d%s of them, its height the "
            "largest of these relative to the max.",
            which, n, list->n % cells ? " or more" : "");
}

static void note_singles(struct notes *notes)
{
    const struct pdump_view_ranks *ranks = notes->page->ranks;
    const struct pdump_report_table *table = notes->table;
    bool are_runs = notes->page->runs;
    int shown = 0, n;

    if (!notes->page->by_rank || notes->page->view->n_items == 0)
        return;
    n = ranks->list.n;
    for (int i = 0; i < table->n_columns; i++)
        shown += table->columns[i].kind == PDUMP_REPORT_RANK_ONE &&
                 table->columns[i].is_shown;
    if (shown == n - 1)
        write_note(notes, "No room for %s %d (see --width%s).",
                   are_runs ? "run" : "rank", ranks->list.number[shown],
                   are_runs ? "" : " and --rank");
    else if (shown < n)
        write_note(notes, "No room for %s %d to %d (see --width%s).",
                   are_runs ? "runs" : "ranks", ranks->list.number[shown],
                   ranks->list.number[n - 1], are_runs ? "" : " and --rank");
}

static void explain_ranks(struct notes *notes)
{
    const struct pdump_report_page *page = notes->page;
    const struct pdump_dump_metric *metric;
    const char *word = page->runs ? "run" : "rank";

    if (page->view->n_items == 0)
        return;
    if (page->by_rank) {
        metric = &page->view->dump->metrics[page->ranks->metric];
        write_note(
            notes,
            "%.80s of each %s, the %s its threads; min, mean and max are over "
            "all %ss that have it.",
            metric->name, word,
            metric->kind == PDUMP_GAUGE ? "highest of" : "sum over", word);
        return;
    }
    write_note(
        notes,
        "Times and counts are means over the ranks that have the region, each "
        "with the sum over its threads%s%s.",
        is_there(notes->table, PDUMP_REPORT_RANK_OF_MOST)
            ? "; @rank: the rank that has the max"
            : "",
        is_there(notes->table, PDUMP_REPORT_RANK_IMBALANCE)
            ? "; imb %: how much the max is above the mean"
            : "");
    if (is_there(notes->table, PDUMP_REPORT_RANK_BAR))
        explain_bar(notes);
}

/* Names the hot path, if it has more than one item. */
static void note_hot_path(struct notes *notes)
{
    char text[1000];

    if (pdump_report_path(notes->page, text, sizeof(text)))
        write_note(notes, "%s.", text);
}

/* Says what the columns mean. */
static void explain(struct notes *notes)
{
    if (notes->page->ranks)
        explain_ranks(notes);
    else
        explain_sums(notes);
    explain_columns(notes);
}

void pdump_report_notes(const struct pdump_report_page *page,
                        const struct pdump_report_table *table)
{
    struct notes notes = { .page = page,
                           .table = table,
                           .n_left = page->has_all_notes ? INT_MAX : NOTES };

    fputc('\n', page->f);
    note_estimates(&notes);
    note_filter(&notes);
    note_key(&notes);
    note_singles(&notes);
    note_room(&notes);
    note_hot_path(&notes);
    note_marks(&notes);
    if (page->n_files > 1 && !page->runs)
        write_note(&notes, "%d files as one; --by run has a column for each.",
                   page->n_files);
    if (page->has_all_notes)
        explain(&notes);
}
