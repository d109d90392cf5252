/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds what is not the user's own code: the frames of programs that run
 * Python code for the user, and what libraries do while they are imported. */
#include "report/view/view.h"

#include <string.h>

/* Python modules, with all in them, whose functions run the user's code or
 * find its modules. */
static const char *const runners[] = {
    "IPython",   "ipykernel",         "traitlets", "runpy",           "pdump",
    "importlib", "_frozen_importlib", "zipimport", "_distutils_hack",
};

/* The first of them work with libraries for themselves. */
enum { N_SHELLS = 3 };

static bool is_python(const struct pdump_dump_region *region)
{
    size_t n = strlen(region->file);

    return (n > 3 && strcmp(region->file + n - 3, ".py") == 0) ||
           strncmp(region->file, "<frozen ", 8) == 0;
}

static bool is_of(const struct pdump_dump_region *region, size_t n_runners)
{
    for (size_t i = 0; i < n_runners; i++) {
        size_t n = strlen(runners[i]);

        if (strncmp(region->name, runners[i], n) == 0 &&
            (region->name[n] == ':' || region->name[n] == '.' ||
             region->name[n] == '_'))
            return is_python(region);
    }
    return false;
}

static bool is_of_runner(const struct pdump_dump_region *region)
{
    return is_of(region, sizeof(runners) / sizeof(runners[0]));
}

static bool is_of_library(const struct pdump_dump_region *region)
{
    return strstr(region->file, "/lib/python") ||
           strstr(region->file, "/lib64/python") ||
           strstr(region->file, "-packages/") ||
           strncmp(region->file, "<frozen ", 8) == 0;
}

/* The functions of a library are the user's business; what runs while it is
 * imported is not. */
static bool is_import(const struct pdump_dump_region *region)
{
    static const char end[] = ":<module>";
    size_t n = strlen(region->name);

    return n > sizeof(end) - 1 &&
           strcmp(region->name + n - (sizeof(end) - 1), end) == 0 &&
           is_of_library(region);
}

static const struct pdump_dump_region *region_of(const struct pdump_view *v,
                                                 int item)
{
    int region = v->items[item].region;

    return region < 0 ? NULL : &v->dump->regions[region];
}

static bool has_others(const struct pdump_view *v)
{
    for (int i = 0; i < v->n_items; i++)
        if (region_of(v, i) && !is_of_runner(region_of(v, i)))
            return true;
    return false;
}

/* Returns true if the item is an import in something else. */
static bool is_inner_import(const struct pdump_view *v, int item)
{
    int around = v->items[item].parent;

    return around >= 0 && region_of(v, around) && region_of(v, item) &&
           is_import(region_of(v, item));
}

/* Puts the item in the place of the runner's frame that it is in. */
static void leave_runner(struct pdump_view *v, struct pdump_view_item *item)
{
    item->parent = v->items[item->parent].parent;
    item->depth = item->parent < 0 ? 0 : v->items[item->parent].depth + 1;
}

/* Returns true for what a shell calls to run the user's code: its own frames,
 * and those of libraries that it calls. */
static bool is_of_shell(const struct pdump_view *v, int item, bool is_in_shell)
{
    const struct pdump_dump_region *region = region_of(v, item);

    return region &&
           (is_of(region, N_SHELLS) || (is_in_shell && is_of_library(region)));
}

static enum pdump_view_fold fold_of(const struct pdump_view *v, int item,
                                    bool is_in_shell)
{
    int around = v->items[item].parent;

    if (around >= 0 && (v->items[around].fold == PDUMP_VIEW_INSIDE ||
                        is_inner_import(v, around)))
        return PDUMP_VIEW_INSIDE;
    if (is_of_shell(v, item, is_in_shell))
        return PDUMP_VIEW_SHELL;
    return region_of(v, item) && is_of_runner(region_of(v, item))
               ? PDUMP_VIEW_RUNNER
               : PDUMP_VIEW_PLAIN;
}

/* Parents have smaller numbers than their children, so one pass is enough. */
void pdump_view_fold(struct pdump_view *v)
{
    if (!has_others(v))
        return;
    for (int i = 0; i < v->n_items; i++) {
        struct pdump_view_item *item = &v->items[i];
        enum pdump_view_fold around =
            item->parent < 0 ? PDUMP_VIEW_PLAIN : v->items[item->parent].fold;

        if (around == PDUMP_VIEW_RUNNER || around == PDUMP_VIEW_SHELL)
            leave_runner(v, item);
        else if (item->depth > 0)
            item->depth = v->items[item->parent].depth + 1;
        item->fold = fold_of(v, i, around == PDUMP_VIEW_SHELL);
    }
}
