/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of a view's items, and the regions that share an item. */
#include "report/view/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name_thread(const struct pdump_dump *dump, int at, char *buf,
                               size_t len)
{
    const struct pdump_dump_thread *thread = &dump->threads[at];
    const struct pdump_dump_process *process =
        &dump->processes[thread->process];
    size_t n;

    snprintf(buf, len, "thread %d", thread->number);
    n = strlen(buf);
    if (thread->name[0] != '\0')
        snprintf(buf + n, len - n, " \"%.64s\"", thread->name);
    n = strlen(buf);
    if (dump->n_processes > 1)
        snprintf(buf + n, len - n, " of process %" PRId64 ", rank %d",
                 process->pid, process->rank);
    return buf;
}

/* Shows only the last part of a file's path: the rest rarely helps to
 * distinguish two. */
static const char *name_function(const struct pdump_dump_region *region,
                                 char *buf, size_t len)
{
    const char *slash = strrchr(region->file, '/');

    if (region->file[0] == '\0')
        return region->name;
    snprintf(buf, len, "%s (%s:%d)", region->name,
             slash ? slash + 1 : region->file, region->line);
    return buf;
}

const char *pdump_view_name(const struct pdump_view *view, int item, char *buf,
                            size_t len)
{
    const struct pdump_view_item *it = &view->items[item];
    const struct pdump_dump_region *region;

    if (it->region < 0)
        return name_thread(view->dump, it->thread, buf, len);
    region = &view->dump->regions[it->region];
    if (!view->is_flat || view->flat_by == PDUMP_VIEW_REGIONS)
        return region->name;
    if (view->flat_by == PDUMP_VIEW_FUNCTIONS)
        return name_function(region, buf, len);
    return region->file[0] != '\0' ? region->file : "(no file)";
}

/* A region for sorting: regions of one item together, the first one first. */
struct sortable {
    const struct pdump_dump_region *region;
    enum pdump_view_flat by;
    int index;
};

static int compare_keys(const struct sortable *a, const struct sortable *b)
{
    int by_file = strcmp(a->region->file, b->region->file);

    if (a->by == PDUMP_VIEW_REGIONS)
        return a->index - b->index;
    if (a->by == PDUMP_VIEW_FILES || by_file != 0)
        return by_file;
    if (a->region->line != b->region->line)
        return a->region->line < b->region->line ? -1 : 1;
    return a->region->file[0] != '\0' && a->region->line > 0
               ? 0
               : strcmp(a->region->name, b->region->name);
}

static int compare_names(const void *left, const void *right)
{
    const struct sortable *a = left, *b = right;
    int by_key = compare_keys(a, b);

    return by_key != 0 ? by_key : a->index - b->index;
}

int pdump_view_keys(const struct pdump_dump *dump, enum pdump_view_flat by,
                    int **out)
{
    size_t n = (size_t)dump->n_regions;
    struct sortable *list = malloc((n + 1) * sizeof(*list));
    int *keys = malloc((n + 1) * sizeof(*keys));

    if (!list || !keys) {
        free(list);
        free(keys);
        return pdump_no_memory();
    }
    for (int i = 0; i < dump->n_regions; i++)
        list[i] = (struct sortable){ &dump->regions[i], by, i };
    if (by != PDUMP_VIEW_REGIONS)
        qsort(list, n, sizeof(*list), compare_names);
    for (size_t i = 0; i < n; i++)
        keys[list[i].index] = i > 0 && compare_keys(&list[i - 1], &list[i]) == 0
                                  ? keys[list[i - 1].index]
                                  : list[i].index;
    free(list);
    *out = keys;
    return PDUMP_OK;
}
