/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines and tables of a section, in every format. */
#include "report/report_markdown.h"
#include "report/report_note.h"
#include "report/section/section_private.h"

#include <ctype.h>
#include <inttypes.h>
#include <langinfo.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool pdump_section_is_data(const struct pdump_section_page *page)
{
    return page->options->format == PDUMP_REPORT_CSV ||
           page->options->format == PDUMP_REPORT_JSON;
}

static bool is_markdown(const struct pdump_section_page *page)
{
    return page->options->format == PDUMP_REPORT_MARKDOWN;
}

static void put_paragraph(const struct pdump_section_page *page,
                          const char *text)
{
    int width = page->options->width;
    const struct pdump_report_page plain = {
        .f = page->f,
        .width = width > 0 ? width : INT_MAX / 2,
        .is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
        .is_markdown = is_markdown(page),
    };

    pdump_report_paragraph(&plain, text);
}

FILE *pdump_section_line(struct pdump_section_page *page)
{
    page->text = NULL;
    return open_memstream(&page->text, &page->len);
}

void pdump_section_line_end(struct pdump_section_page *page, FILE *line)
{
    if (fclose(line) == 0 && page->len > 0 && !pdump_section_is_data(page))
        put_paragraph(page, page->text);
    free(page->text);
}

void pdump_section_gap(const struct pdump_section_page *page)
{
    if (page->options->format == PDUMP_REPORT_TERMINAL)
        fputc('\n', page->f);
}

int64_t pdump_section_rows(const struct pdump_section_page *page, int64_t n)
{
    int top = page->options->top;

    return top && n > top ? top : n;
}

void pdump_section_put_rest(const struct pdump_section_page *page, int64_t n,
                            const char *what)
{
    int top = page->options->top;

    if (top && n > top && !pdump_section_is_data(page))
        fprintf(page->f, "... and %" PRId64 " more %s (--top)\n%s", n - top,
                what, is_markdown(page) ? "\n" : "");
}

void pdump_section_table(struct pdump_section_page *page,
                         const struct pdump_grid *g, const char *title,
                         const char *name, int64_t n)
{
    FILE *f = page->f;
    char called[400];

    snprintf(called, sizeof(called), "%s %.380s", page->section,
             title ? title : name);
    for (char *c = called; title && *c; c++)
        *c = (char)tolower((unsigned char)*c);
    switch (page->options->format) {
    case PDUMP_REPORT_CSV:
        fputs(page->n_tables > 0 ? "\n" : "", f);
        pdump_grid_csv(g, f, called);
        break;
    case PDUMP_REPORT_JSON:
        fputs(page->n_tables > 0 ? ",\n    " : "\n    ", f);
        pdump_grid_json(g, f, called);
        break;
    case PDUMP_REPORT_MARKDOWN:
        if (title)
            put_paragraph(page, title);
        pdump_grid_markdown(g, f);
        pdump_section_put_rest(page, n, name);
        break;
    default:
        if (title)
            fprintf(f, "\n%s\n", title);
        pdump_grid_print(g, f, page->options->width);
        pdump_section_put_rest(page, n, name);
    }
    page->n_tables++;
}
