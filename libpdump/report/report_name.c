/* SPDX-License-Identifier: BSD-3-Clause */
/* The left side of a report's table: guides of the tree, and names. */
#include "report/report_table.h"
#include "report/report_text.h"

#include <string.h>

enum {
    STEP = 3,       /* columns per level */
    NAME_LEN = 600, /* buffer for a name */
};

/* The characters of the guides, without and with UTF-8. */
static const char *const past[] = { "   ", "   " };
static const char *const through[] = { "|  ", "\u2502  " };
static const char *const branch[] = { "|- ", "\u251c\u2500 " };
static const char *const corner[] = { "`- ", "\u2514\u2500 " };

void pdump_report_style(const struct pdump_report_page *page,
                        enum pdump_report_style style)
{
    static const char *const codes[] = {
        [PDUMP_REPORT_PLAIN] = "\033[0m",  [PDUMP_REPORT_BOLD] = "\033[1m",
        [PDUMP_REPORT_DIM] = "\033[2m",    [PDUMP_REPORT_WARM] = "\033[33m",
        [PDUMP_REPORT_HOT] = "\033[1;31m",
    };

    if (page->has_color)
        fputs(codes[style], page->f);
}

static const char *mark_of(const struct pdump_view_item *item)
{
    return item->n_open > 0 ? " (open)" : "";
}

int pdump_report_name_width(const struct pdump_report_page *page, int item,
                            int levels)
{
    const struct pdump_view_item *it = &page->view->items[item];
    int depth = it->depth < levels ? it->depth : levels;
    char buf[NAME_LEN];
    const char *text = pdump_view_name(page->view, item, buf, sizeof(buf));

    return STEP * depth + (int)strlen(mark_of(it)) +
           pdump_report_text_width(text, strlen(text), page->is_utf8);
}

/* Below `levels`, the depth is written as a number instead of guides. */
static void put_guides(const struct pdump_report_page *page, int item,
                       int levels)
{
    const struct pdump_view_item *items = page->view->items;
    int depth = items[item].depth, utf8 = page->is_utf8;
    bool is_last[levels + 1];
    char number[16];

    if (depth > levels) {
        snprintf(number, sizeof(number), "[%d] ", depth);
        fprintf(page->f, "%*s", STEP * levels, number);
        return;
    }
    for (int d = depth, at = item; d > 0; d--, at = items[at].parent)
        is_last[d] = items[at].is_last;
    for (int d = 1; d < depth; d++)
        fputs(is_last[d] ? past[utf8] : through[utf8], page->f);
    if (depth > 0)
        fputs(is_last[depth] ? corner[utf8] : branch[utf8], page->f);
}

/* An item is hot if it takes time itself, not if it calls one that does. */
static enum pdump_report_style heat(const struct pdump_view *view, int item)
{
    double self = pdump_view_self_percent(view, item);

    if (view->items[item].region < 0)
        return PDUMP_REPORT_BOLD;
    return self >= 20  ? PDUMP_REPORT_HOT
           : self >= 5 ? PDUMP_REPORT_WARM
                       : PDUMP_REPORT_PLAIN;
}

int pdump_report_name_put(const struct pdump_report_page *page, int item,
                          int levels, int max)
{
    const struct pdump_view_item *it = &page->view->items[item];
    const char *mark = mark_of(it);
    int used = STEP * (it->depth < levels ? it->depth : levels);
    char buf[NAME_LEN];
    const char *text = pdump_view_name(page->view, item, buf, sizeof(buf));

    pdump_report_style(page, PDUMP_REPORT_DIM);
    put_guides(page, item, levels);
    pdump_report_style(page, PDUMP_REPORT_PLAIN);
    pdump_report_style(page, heat(page->view, item));
    used +=
        pdump_report_text_put(page->f, text, strlen(text),
                              max - used - (int)strlen(mark), page->is_utf8);
    pdump_report_style(page, PDUMP_REPORT_PLAIN);
    fputs(mark, page->f);
    return used + (int)strlen(mark);
}
