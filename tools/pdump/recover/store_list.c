/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the stores in folders, or those that the user named. */
#include "recover/store_list.h"

#include "store/store_file.h"
#include "system/env.h"
#include "system/owned_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The kind of a file, by its first bytes. */
enum kind {
    STORE,
    BLANK, /* nothing written yet, or cut within the magic */
    ALIEN,
};

static enum kind kind_of(const struct pdump_head *head)
{
    static const char magic[] = PDUMP_STORE_MAGIC;
    size_t n = 0;

    while (n < sizeof(head->magic) && head->magic[n] == magic[n])
        n++;
    if (n == sizeof(head->magic))
        return STORE;
    while (n < sizeof(head->magic) && head->magic[n] == '\0')
        n++;
    return n == sizeof(head->magic) ? BLANK : ALIEN;
}

static int64_t in_ns(struct timespec t)
{
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int read_head(const char *path, struct pdump_head *head, struct stat *st)
{
    int fd = pdump_owned_file_open(path, O_RDONLY);
    ssize_t n;

    if (fd < 0)
        return fd;
    memset(head, 0, sizeof(*head));
    n = fstat(fd, st) == 0 ? pread(fd, head, sizeof(*head), 0) : -1;
    close(fd);
    if (n < 0)
        return pdump_fail(PDUMP_EIO, "%s: not a file that can be read", path);
    return PDUMP_OK;
}

static struct store *store_find(const struct store_list *list,
                                const struct stat *st)
{
    for (int i = 0; i < list->n; i++)
        if (list->items[i].device == st->st_dev &&
            list->items[i].inode == st->st_ino)
            return &list->items[i];
    return NULL;
}

static struct store *append(struct store_list *list, const char *path)
{
    if (list->n == list->room) {
        int room = list->room ? 2 * list->room : 16;
        struct store *items =
            realloc(list->items, (size_t)room * sizeof(*items));

        if (!items)
            return NULL;
        list->items = items;
        list->room = room;
    }
    list->items[list->n] = (struct store){ .path = strdup(path) };
    return list->items[list->n].path ? &list->items[list->n++] : NULL;
}

static int add_file(struct store_list *list, const char *path, bool is_named)
{
    struct pdump_head head;
    struct store *store;
    struct stat st;
    int err = read_head(path, &head, &st);
    enum kind kind;

    if (err < 0)
        return err;
    kind = kind_of(&head);
    if (kind == ALIEN || (kind == BLANK && is_named))
        return pdump_fail(PDUMP_EFORMAT, "%s: not a store of libpdump", path);
    store = store_find(list, &st);
    if (!store)
        store = append(list, path);
    if (!store)
        return pdump_no_memory();
    snprintf(store->run, sizeof(store->run), "%.*s", (int)sizeof(head.run),
             head.run);
    store->pid = head.pid;
    store->parent = head.parent;
    store->start = head.start_realtime;
    store->start_clock = head.start.ns;
    store->changed = in_ns(st.st_mtim);
    store->bytes = st.st_blocks * INT64_C(512);
    store->user = st.st_uid;
    store->device = st.st_dev;
    store->inode = st.st_ino;
    store->is_alive = pdump_store_file_is_alive(path);
    store->is_named |= is_named;
    return PDUMP_OK;
}

/* Ignores files in a folder that are not stores or vanish meanwhile. */
static int add_found(const char *path, void *data)
{
    struct store_list *list = data;
    int err;

    errno = 0;
    err = add_file(list, path, false);
    if (err < 0 && (errno == EACCES || errno == EPERM))
        list->n_forbidden++;
    return err == PDUMP_ENOMEM ? err : 0;
}

int store_list_add(struct store_list *list, const char *operand)
{
    char path[PATH_MAX];
    struct stat st;

    if (!realpath(operand, path) || stat(path, &st) != 0)
        return pdump_fail(PDUMP_EIO, "%s: %s", operand, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return pdump_store_file_each(path, NULL, add_found, list);
    return add_file(list, path, true);
}

int store_list_add_defaults(struct store_list *list)
{
    const char *own = pdump_env("PDUMP_STORE");
    char folder[PATH_MAX];
    int err = PDUMP_OK;

    for (int i = 0; pdump_store_file_folder(i, folder, sizeof(folder)); i++)
        if (pdump_store_file_each(folder, NULL, add_found, list) ==
            PDUMP_ENOMEM)
            err = PDUMP_ENOMEM;
    if (own && *own && strcmp(own, "off") != 0 &&
        pdump_store_file_each(own, NULL, add_found, list) == PDUMP_ENOMEM)
        err = PDUMP_ENOMEM;
    return err;
}

int store_compare(const struct store *a, const struct store *b)
{
    int by_run = strcmp(a->run, b->run);

    if (by_run != 0)
        return by_run;
    if (!a->parent != !b->parent)
        return a->parent ? 1 : -1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return strcmp(a->path, b->path);
}

static int compare(const void *a, const void *b)
{
    return store_compare(a, b);
}

void store_list_sort(struct store_list *list)
{
    if (list->n > 0)
        qsort(list->items, (size_t)list->n, sizeof(*list->items), compare);
}

int store_list_run(const struct store_list *list, int first)
{
    int n = 0;

    while (first + n < list->n &&
           strcmp(list->items[first].run, list->items[first + n].run) == 0)
        n++;
    return n;
}

void store_list_free(struct store_list *list)
{
    for (int i = 0; i < list->n; i++)
        free(list->items[i].path);
    free(list->items);
    *list = (struct store_list){ 0 };
}
