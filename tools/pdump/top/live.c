/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks at running processes by reading their stores, one after the other. */
#include "top/live.h"

#include "dump/stacks.h"
#include "read/reader.h"
#include "store/store_layout.h"
#include "system/owned_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRIES = 5 };

/* Returns the bytes in use, 0 if unknown. */
static uint64_t size_of(const char *path)
{
    int fd = pdump_owned_file_open(path, O_RDONLY);
    struct pdump_head head = { .size = 0 };

    if (fd < 0)
        return 0;
    if (pread(fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head))
        head.size = 0;
    close(fd);
    return head.size;
}

/* If the store grows meanwhile, its newest part is missing: read it again. */
static int load(const char *path, struct pdump_dump **out)
{
    for (int i = 0;; i++) {
        uint64_t before = size_of(path);
        int err = pdump_reader_load(path, out);

        if (err >= 0 && (i == TRIES || size_of(path) == before))
            return pdump_stacks_drop(out);
        if (err < 0)
            return err;
        pdump_dump_free(*out);
    }
}

/* Open regions last until the last sign of life in the store, which may be
 * before or after the time of the look.  Stores of another machine have another
 * clock. */
static int64_t lateness(const struct live_process *p)
{
    const char *wall = pdump_dump_metadata(p->dump, "wall_time_ns");
    char host[256] = "";
    double late;

    gethostname(host, sizeof(host) - 1);
    if (!wall || p->dump->n_processes != 1 ||
        strcmp(p->dump->processes[0].host, host) != 0)
        return 0;
    late = (double)p->taken - (double)p->store.start_clock - strtod(wall, NULL);
    return late > -1e18 && late < 1e18 ? (int64_t)late : 0;
}

bool live_is_same(const struct live_process *a, const struct live_process *b)
{
    return a->store.pid == b->store.pid && a->store.start == b->store.start &&
           strcmp(a->store.run, b->store.run) == 0;
}

static bool has(const struct live_look *look, const struct live_process *p)
{
    for (int i = 0; i < look->n; i++)
        if (live_is_same(&look->items[i], p))
            return true;
    return false;
}

static void take_living(struct store_list *list, struct live_look *out)
{
    for (int i = 0; i < list->n; i++) {
        struct live_process *p = &out->items[out->n];

        if (!list->items[i].is_alive)
            continue;
        *p = (struct live_process){ .store = list->items[i] };
        p->taken = pdump_clock_system();
        /* The process may be starting, or may have ended just now. */
        if (load(p->store.path, &p->dump) < 0)
            continue;
        p->late = lateness(p);
        list->items[i].path = NULL;
        out->n++;
    }
}

/* Keeps the processes that have ended since the previous look. */
static void keep_ended(struct live_look *before, struct live_look *out)
{
    for (int i = 0; i < before->n; i++) {
        struct live_process *old = &before->items[i];

        if (old->is_ended || has(out, old))
            continue;
        out->items[out->n] = *old;
        out->items[out->n++].is_ended = true;
        old->dump = NULL;
        old->store.path = NULL;
    }
}

static int by_run(const void *left, const void *right)
{
    const struct live_process *a = left, *b = right;

    return store_compare(&a->store, &b->store);
}

int live_look_take(struct store_list *list, struct live_look *before,
                   struct live_look *out)
{
    *out = (struct live_look){ .taken = pdump_clock_system() };
    out->items = calloc((size_t)(list->n + before->n) + 1, sizeof(*out->items));
    if (!out->items)
        return pdump_no_memory();
    take_living(list, out);
    keep_ended(before, out);
    qsort(out->items, (size_t)out->n, sizeof(*out->items), by_run);
    return PDUMP_OK;
}

int live_look_run(const struct live_look *look, int first)
{
    int n = 0;

    while (first + n < look->n && strcmp(look->items[first].store.run,
                                         look->items[first + n].store.run) == 0)
        n++;
    return n;
}

void live_look_free(struct live_look *look)
{
    for (int i = 0; i < look->n; i++) {
        free(look->items[i].store.path);
        pdump_dump_free(look->items[i].dump);
    }
    free(look->items);
    *look = (struct live_look){ 0 };
}
