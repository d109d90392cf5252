/* SPDX-License-Identifier: BSD-3-Clause */
/* The hot path as text. */
#include "report/report_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PATH_MAX_ITEMS = 8, /* named items of the hot path */
    NAME_MAX_BYTES = 90,
};

/* Returns how many bytes of a name are shown: only whole characters. */
static int shown_bytes(const char *name)
{
    size_t n = strlen(name);

    if (n <= NAME_MAX_BYTES)
        return (int)n;
    for (n = NAME_MAX_BYTES; n > 0 && (name[n] & 0xc0) == 0x80;)
        n--;
    return (int)n;
}

/* Shows both ends of a long path. */
static void put_path(const struct pdump_report_page *page, const int *path,
                     int n, char *text, size_t len)
{
    char buf[200];

    snprintf(text, len, "Hot path:");
    for (int i = 0; i < n; i++) {
        const char *name =
            pdump_view_name(page->view, path[i], buf, sizeof(buf));
        size_t used = strlen(text);
        int shown = shown_bytes(name);

        if (n > PATH_MAX_ITEMS && i == PATH_MAX_ITEMS / 2) {
            snprintf(text + used, len - used, " > (%d more)",
                     n - PATH_MAX_ITEMS);
            i = n - PATH_MAX_ITEMS / 2 - 1;
            continue;
        }
        snprintf(text + used, len - used, "%s %.*s%s (%.1f %%)",
                 i > 0 ? " >" : "", shown, name, name[shown] ? "..." : "",
                 pdump_view_percent(page->view, path[i]));
    }
}

/* Returns how many items of the path the page shows. */
static int n_shown_of(const struct pdump_view *v, const int *path, int n)
{
    int at = 0;

    /* A child comes after its parent. */
    for (int i = 0; i < v->n_shown && at < n; i++)
        at += v->shown[i] == path[at];
    return at;
}

bool pdump_report_path(const struct pdump_report_page *page, char *text,
                       size_t len)
{
    const struct pdump_view *v = page->view;
    int *path = malloc(((size_t)v->n_items + 1) * sizeof(*path));
    int n = path ? pdump_view_hot_path(v, path) : 0;

    if (n > 0)
        n = n_shown_of(v, path, n);
    if (n > 1)
        put_path(page, path, n, text, len);
    free(path);
    return n > 1;
}
