/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a report's page in Markdown, with GitHub's tables. */
#include "report/report_markdown.h"
#include "report/report_cell.h"
#include "report/report_text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Names may contain anything: makes them safe for a terminal first.  Given:
 * free(); "" if there is no memory. */
static char *safe_text(const struct pdump_report_page *page, const char *text)
{
    char *out = NULL;
    size_t len;
    FILE *f = open_memstream(&out, &len);

    if (!f)
        return NULL;
    pdump_report_text_put(f, text, strlen(text), INT_MAX / 2, page->is_utf8);
    if (fclose(f) != 0) {
        free(out);
        return NULL;
    }
    return out;
}

void pdump_report_markdown_text(const struct pdump_report_page *page,
                                const char *text)
{
    char *plain = safe_text(page, text);

    for (const char *s = plain ? plain : ""; *s != '\0'; s++) {
        if (strchr("\\`*_[]<>|~&#", *s))
            fputc('\\', page->f);
        fputc(*s, page->f);
    }
    free(plain);
}

/* Returns the longest run of backticks in a text: the quotes around it must be
 * longer. */
static int count_ticks(const char *s)
{
    int most = 0;

    while (*s != '\0') {
        int n = (int)strspn(s, "`");

        most = n > most ? n : most;
        s += n > 0 ? n : 1;
    }
    return most;
}

static void put_ticks(FILE *f, int n)
{
    while (n-- > 0)
        fputc('`', f);
}

/* In a table, a vertical bar must be escaped even in code. */
void pdump_report_markdown_code(const struct pdump_report_page *page,
                                const char *text)
{
    char *plain = safe_text(page, text);
    const char *s = plain && plain[0] != '\0' ? plain : "?";
    int n = count_ticks(s) + 1;

    put_ticks(page->f, n);
    if (n > 1)
        fputc(' ', page->f);
    for (; *s != '\0'; s++) {
        if (*s == '|')
            fputc('\\', page->f);
        fputc(*s, page->f);
    }
    if (n > 1)
        fputc(' ', page->f);
    put_ticks(page->f, n);
    free(plain);
}

/* Bars of characters are for terminals only. */
void pdump_report_markdown_trim(struct pdump_report_table *table)
{
    for (int i = 0; i < table->n_columns; i++)
        if (table->columns[i].kind == PDUMP_REPORT_BAR ||
            table->columns[i].kind == PDUMP_REPORT_RANK_BAR)
            table->columns[i].is_shown = false;
}

static void put_titles(const struct pdump_report_page *page,
                       const struct pdump_report_table *t)
{
    fprintf(page->f, "| %s |", pdump_report_table_word(page->view));
    for (int i = 0; i < t->n_columns; i++) {
        if (!t->columns[i].is_shown)
            continue;
        fputc(' ', page->f);
        pdump_report_markdown_text(page, t->columns[i].title);
        fputs(" |", page->f);
    }
    fputs("\n|:---|", page->f);
    for (int i = 0; i < t->n_columns; i++)
        if (t->columns[i].is_shown)
            fputs("---:|", page->f);
    fputc('\n', page->f);
}

void pdump_report_markdown_table(const struct pdump_report_page *page,
                                 const struct pdump_report_table *table)
{
    const struct pdump_view *v = page->view;
    char buf[600];

    put_titles(page, table);
    for (int i = 0; i < v->n_shown; i++) {
        const struct pdump_view_item *item = &v->items[v->shown[i]];

        fputs("| ", page->f);
        for (int d = 0; d < item->depth && d < table->levels; d++)
            fputs("&nbsp;&nbsp;", page->f);
        pdump_report_markdown_code(
            page, pdump_view_name(v, v->shown[i], buf, sizeof(buf)));
        fputs(item->n_open > 0 ? " (open) |" : " |", page->f);
        for (int k = 0; k < table->n_columns; k++) {
            struct pdump_report_number cell;

            if (!table->columns[k].is_shown)
                continue;
            pdump_report_cell_make(page, v->shown[i], &table->columns[k],
                                   &cell);
            fprintf(page->f, " %s%s%s |", cell.digits,
                    cell.unit[0] != '\0' ? " " : "", cell.unit);
        }
        fputc('\n', page->f);
    }
}
