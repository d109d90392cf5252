/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes of one run that were forked from each other. */
#include "children.h"
#include "events_file.h"
#include "layout.h"
#include "log.h"
#include "merge.h"
#include "reader.h"
#include "store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TAKEN ".taken"

/* A store that was found, and when its process began. */
struct found {
    char *path;
    int64_t start;
};

struct collection {
    const char *root;
    struct found *found;
    int n_found;
    struct pdump_children *children;
    struct pdump_dump **dumps; /* the first is the root's own */
    int n_dumps;
};

/* Rename what nobody has any more; under its lock, so that nobody else does the
 * same.  Given, or NULL. */
static char *take(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    size_t len = strlen(path) + sizeof(TAKEN);
    char *taken = malloc(len);
    bool is_taken = false;

    if (taken && fd >= 0 && pdump_store_file_lock(fd, path)) {
        snprintf(taken, len, "%s" TAKEN, path);
        is_taken = rename(path, taken) == 0;
    }
    if (fd >= 0)
        close(fd);
    if (is_taken)
        return taken;
    free(taken);
    return NULL;
}

static void give_back(const char *taken)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%.*s",
             (int)(strlen(taken) - (sizeof(TAKEN) - 1)), taken);
    rename(taken, path);
}

/* Room for one more of both lists. */
static bool grow(struct collection *c)
{
    size_t n = (size_t)c->n_dumps + 1;
    char **paths = realloc(c->children->paths, n * sizeof(*paths));
    struct pdump_dump **dumps;

    if (!paths)
        return false;
    c->children->paths = paths;
    dumps = realloc(c->dumps, n * sizeof(*dumps));
    if (!dumps)
        return false;
    c->dumps = dumps;
    return true;
}

static bool read_head(const char *path, struct pdump_head *head)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    bool is_read =
        fd >= 0 && read(fd, head, sizeof(*head)) == (ssize_t)sizeof(*head);

    if (fd >= 0)
        close(fd);
    return is_read;
}

static int find(const char *path, void *data)
{
    struct collection *c = data;
    size_t n = (size_t)c->n_found + 1;
    struct pdump_head head;
    struct found *found;
    char *copy;

    /* Other ranks of a job have the same run. */
    if (strcmp(path, c->root) == 0 || !read_head(path, &head) ||
        head.root != getpid())
        return 0;
    found = realloc(c->found, n * sizeof(*found));
    if (found)
        c->found = found;
    copy = strdup(path);
    if (!found || !copy) {
        free(copy);
        return 0;
    }
    found[c->n_found++] =
        (struct found){ .path = copy, .start = head.start_realtime };
    return 0;
}

static int by_start(const void *a, const void *b)
{
    const struct found *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return strcmp(x->path, y->path);
}

/* Is there nothing in it that anybody wants? */
static bool is_void(const char *path)
{
    struct pdump_head head;

    return read_head(path, &head) && head.is_void;
}

static void collect(struct collection *c, const char *path)
{
    struct pdump_dump *dump;
    char *taken = grow(c) ? take(path) : NULL;

    if (!taken)
        return;
    if (is_void(taken)) {
        unlink(taken);
        free(taken);
        return;
    }
    if (pdump_reader_load(taken, &dump) < 0) {
        pdump_warn("child", "the store of a child is left out: %s",
                   pdump_last_error());
        give_back(taken);
        free(taken);
        return;
    }
    c->children->paths[c->children->n++] = taken;
    c->dumps[c->n_dumps++] = dump;
}

/* In the order in which their processes began. */
static void collect_all(struct collection *c, const char *run)
{
    char folder[PATH_MAX];

    snprintf(folder, sizeof(folder), "%s", c->root);
    pdump_store_file_each(dirname(folder), run, find, c);
    if (c->n_found > 0)
        qsort(c->found, (size_t)c->n_found, sizeof(*c->found), by_start);
    for (int i = 0; i < c->n_found; i++) {
        collect(c, c->found[i].path);
        free(c->found[i].path);
    }
    free(c->found);
}

void pdump_children_collect(const char *root, const char *run,
                            struct pdump_dump **dump,
                            struct pdump_children *children)
{
    struct collection c = { .root = root, .children = children };
    struct pdump_dump *all;

    *children = (struct pdump_children){ 0 };
    c.dumps = malloc(sizeof(*c.dumps));
    if (!c.dumps)
        return;
    c.dumps[c.n_dumps++] = *dump;
    collect_all(&c, run);
    if (children->n > 0) {
        if (pdump_merge(c.dumps, c.n_dumps, &all) >= 0) {
            pdump_dump_free(*dump);
            *dump = all;
        } else {
            pdump_warn("child", "the children are left out: %s",
                       pdump_last_error());
            pdump_children_done(children, false);
        }
    }
    for (int i = 1; i < c.n_dumps; i++)
        pdump_dump_free(c.dumps[i]);
    free(c.dumps);
}

void pdump_children_done(struct pdump_children *children, bool is_written)
{
    for (int i = 0; i < children->n; i++) {
        if (is_written) {
            pdump_events_file_remove_of(children->paths[i]);
            unlink(children->paths[i]);
        } else {
            give_back(children->paths[i]);
        }
        free(children->paths[i]);
    }
    free(children->paths);
    *children = (struct pdump_children){ 0 };
}

/* Who has given up rights that the root has may not read its store.  While that
 * is there, the root is taken to be, too: at worst what was left to it waits
 * for `pdump recover`. */
bool pdump_children_goes_on(const char *root)
{
    struct pdump_head head;

    if (eaccess(root, R_OK) != 0)
        return errno == EACCES;
    return read_head(root, &head) && !head.is_closing &&
           pdump_store_file_is_alive(root);
}

/* The root may begin to look at any moment: only after the lock is given up is
 * it certain that it will find the store. */
bool pdump_children_is_left_to(const char *root, int fd, const char *path)
{
    if (!pdump_children_goes_on(root))
        return false;
    pdump_store_file_unlock(fd);
    return pdump_children_goes_on(root) || !pdump_store_file_lock(fd, path);
}

void pdump_children_note_end(const char *run, const char *path)
{
    struct pdump_head head;
    int64_t now = pdump_clock_system();
    int fd;

    /* To open it for writing and close it again is to be told of that, too:
     * only if there is something to write. */
    if (!read_head(path, &head) || head.ended || head.root != getpid() ||
        strncmp(head.run, run, sizeof(head.run)) != 0 ||
        pdump_store_file_is_alive(path))
        return;
    fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return;
    if (pdump_store_file_lock(fd, path) &&
        pwrite(fd, &now, sizeof(now), offsetof(struct pdump_head, ended)) < 0)
        pdump_warn("end", "%s: cannot be written", path);
    close(fd);
}
