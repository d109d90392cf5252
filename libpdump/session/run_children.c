/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the stores of processes that were forked from each other in one
 * run. */
#include "session/run_children.h"
#include "dump/merge.h"
#include "job/job.h"
#include "read/reader.h"
#include "store/store_event_file.h"
#include "store/store_file.h"
#include "store/store_layout.h"
#include "system/log.h"
#include "system/owned_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TAKEN ".taken"

/* A store that was found, and the start time of its process. */
struct found {
    char *path;
    int64_t start;
    bool is_collected;
};

struct collection {
    const char *root;
    struct found *found;
    int n_found;
    int n_foreign; /* owned by other users, or open to them */
    struct pdump_run_children *children;
    struct pdump_dump **dumps; /* the first is the root's own */
    int n_dumps;
};

/* Never replaces an existing file: it may belong to another process or user. */
static bool rename_at(int folder, const char *from, const char *to)
{
    struct stat st;

    return fstatat(folder, to, &st, AT_SYMLINK_NOFOLLOW) != 0 &&
           errno == ENOENT && renameat(folder, from, folder, to) == 0;
}

/* Renames a store that no process records into, under its lock, so that no
 * other process does the same.  The new path is given, or NULL.  Sets *is_void
 * if the store has nothing to collect. */
static char *store_take(const char *path, bool *is_void)
{
    const char *name;
    int folder = pdump_owned_file_folder(path, &name);
    int fd = folder >= 0 ? pdump_owned_file_open_at(folder, name, O_RDWR) : -1;
    size_t len = strlen(path) + sizeof(TAKEN);
    char *taken = malloc(len);
    struct pdump_head head;
    bool is_taken = false;

    if (taken && fd >= 0 && pdump_store_file_lock(fd, path)) {
        *is_void = pread(fd, &head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
                   head.is_void;
        snprintf(taken, len, "%s" TAKEN, path);
        is_taken = rename_at(folder, name, taken + (name - path));
    }
    if (fd >= 0)
        close(fd);
    if (folder >= 0)
        close(folder);
    if (is_taken)
        return taken;
    free(taken);
    return NULL;
}

static void store_give_back(const char *taken)
{
    char path[NAME_MAX + 1];
    const char *name;
    int folder = pdump_owned_file_folder(taken, &name);

    if (folder < 0)
        return;
    snprintf(path, sizeof(path), "%.*s",
             (int)(strlen(name) - (sizeof(TAKEN) - 1)), name);
    rename_at(folder, name, path);
    close(folder);
}

/* Makes room for one more entry in both lists. */
static bool collection_grow(struct collection *c)
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

/* Reads the header of a store that belongs to this user and is at least as long
 * as the header says. */
static bool read_head(const char *path, struct pdump_head *head)
{
    int fd = pdump_owned_file_open(path, O_RDONLY);
    struct stat st;
    bool is_read;

    if (fd < 0)
        return false;
    is_read = fstat(fd, &st) == 0 &&
              pread(fd, head, sizeof(*head), 0) == (ssize_t)sizeof(*head) &&
              head->size <= (uint64_t)st.st_size;
    errno = 0;
    close(fd);
    return is_read;
}

static bool is_unstarted(int fd)
{
    struct pdump_head head = { .version = 0 };

    return pread(fd, &head, sizeof(head), 0) > 0 && head.version == 0;
}

/* Removes the store of a process that was killed before it started to record.
 * Not in a job: a process on another node may be starting, and not every file
 * system shows its lock here. */
static bool remove_unstarted(const char *path)
{
    bool is_removed;
    char job[64];
    int fd;

    pdump_job_name(job, sizeof(job));
    fd = *job ? -1 : pdump_owned_file_open(path, O_RDWR);
    if (fd < 0)
        return false;
    is_removed = is_unstarted(fd) && pdump_store_file_lock(fd, path) &&
                 is_unstarted(fd) && pdump_owned_file_remove(path, fd);
    close(fd);
    return is_removed;
}

static int store_find(const char *path, void *data)
{
    struct collection *c = data;
    size_t n = (size_t)c->n_found + 1;
    struct pdump_head head;
    struct found *found;
    char *copy;

    if (strcmp(path, c->root) == 0 || remove_unstarted(path))
        return 0;
    if (!read_head(path, &head)) {
        c->n_foreign += errno == EPERM || errno == EACCES;
        return 0;
    }
    if (head.root != getpid()) /* other ranks of a job have the same run */
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

/* Removes the store and its file of events. */
static void store_remove(const char *path)
{
    int fd = pdump_owned_file_open(path, O_RDONLY);

    if (fd < 0)
        return;
    pdump_store_event_file_remove_of(path);
    pdump_owned_file_remove(path, fd);
    close(fd);
}

/* Returns true if the store has nothing to collect. */
static bool is_void(const char *path)
{
    struct pdump_head head;

    return read_head(path, &head) && head.is_void;
}

/* Collects a store.  Returns false if a process still records into it. */
static bool store_collect(struct collection *c, const char *path)
{
    struct pdump_dump *dump;
    bool is_nothing = false;
    char *taken = collection_grow(c) ? store_take(path, &is_nothing) : NULL;

    if (!taken)
        return false;
    if (is_nothing) {
        store_remove(taken);
        free(taken);
        return true;
    }
    if (pdump_reader_load(taken, &dump) < 0) {
        pdump_warn("child", "the store of a child is left out: %s",
                   pdump_last_error());
        store_give_back(taken);
        free(taken);
        return true;
    }
    c->children->paths[c->children->n++] = taken;
    c->dumps[c->n_dumps++] = dump;
    return true;
}

/* Finds all stores and sorts them by the start times of their processes. */
static void stores_find(struct collection *c, const char *run)
{
    char folder[PATH_MAX];

    snprintf(folder, sizeof(folder), "%s", c->root);
    pdump_store_file_each(dirname(folder), run, store_find, c);
    if (c->n_found > 0)
        qsort(c->found, (size_t)c->n_found, sizeof(*c->found), by_start);
}

static int count_running(const struct collection *c)
{
    int n = 0;

    for (int i = 0; i < c->n_found; i++)
        n += !c->found[i].is_collected &&
             pdump_store_file_is_alive(c->found[i].path) &&
             !is_void(c->found[i].path);
    return n;
}

static void stores_forget(struct collection *c)
{
    for (int i = 0; i < c->n_found; i++)
        free(c->found[i].path);
    free(c->found);
}

static void tell_foreign(const struct collection *c)
{
    if (c->n_foreign > 0)
        pdump_warn("foreign store",
                   "%d file%s named as a store of this run, but of another "
                   "user or open to others, left alone (pdump recover --user)",
                   c->n_foreign, c->n_foreign == 1 ? " is" : "s are");
}

/* Warns that no process will collect the stores of these processes. */
static void tell_running(const struct collection *c, const char *run)
{
    int n = count_running(c);
    char stores[PATH_MAX];

    if (n == 0)
        return;
    pdump_store_file_pattern(c->root, run, stores, sizeof(stores));
    pdump_warn("outlives the run",
               "%d process%s of the run %s still running and not in the dump; "
               "each writes its own file when it exits; if it is killed: pdump "
               "recover %s",
               n, n == 1 ? "" : "es", n == 1 ? "is" : "are", stores);
}

static void stores_collect(struct collection *c, const char *run)
{
    stores_find(c, run);
    for (int i = 0; i < c->n_found; i++)
        c->found[i].is_collected = store_collect(c, c->found[i].path);
    tell_running(c, run);
    tell_foreign(c);
    stores_forget(c);
}

int pdump_run_children_n_running(const char *root, const char *run)
{
    struct collection c = { .root = root };
    int n;

    stores_find(&c, run);
    n = count_running(&c);
    stores_forget(&c);
    return n;
}

void pdump_run_children_collect(const char *root, const char *run,
                                struct pdump_dump **dump,
                                struct pdump_run_children *children)
{
    struct collection c = { .root = root, .children = children };
    struct pdump_dump *all;

    *children = (struct pdump_run_children){ 0 };
    c.dumps = malloc(sizeof(*c.dumps));
    if (!c.dumps)
        return;
    c.dumps[c.n_dumps++] = *dump;
    stores_collect(&c, run);
    if (children->n > 0) {
        if (pdump_merge(c.dumps, c.n_dumps, &all) >= 0) {
            pdump_dump_free(*dump);
            *dump = all;
        } else {
            pdump_warn("child", "the children are left out: %s",
                       pdump_last_error());
            pdump_run_children_done(children, false);
        }
    }
    for (int i = 1; i < c.n_dumps; i++)
        pdump_dump_free(c.dumps[i]);
    free(c.dumps);
}

void pdump_run_children_done(struct pdump_run_children *children,
                             bool is_written)
{
    for (int i = 0; i < children->n; i++) {
        if (is_written)
            store_remove(children->paths[i]);
        else
            store_give_back(children->paths[i]);
        free(children->paths[i]);
    }
    free(children->paths);
    *children = (struct pdump_run_children){ 0 };
}

/* A process that has given up rights or system calls (seccomp) may not be able
 * to read the store of the root.  As long as that store exists, the root is
 * assumed to run: at worst, `pdump recover` must collect what was left to
 * it. */
bool pdump_run_children_goes_on(const char *root)
{
    int fd = open(root, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct pdump_head head;
    bool goes_on;

    if (fd < 0)
        return errno == EACCES || errno == EPERM || errno == ENOSYS;
    goes_on = read(fd, &head, sizeof(head)) == (ssize_t)sizeof(head) &&
              !head.is_closing && pdump_store_file_is_locked(fd);
    close(fd);
    return goes_on;
}

/* Gets the costs of the counters if the root has the same ones in the same
 * order. */
static bool read_costs(int fd, const struct pdump_head *head,
                       const struct pdump_sources *sources,
                       struct pdump_cost *cost)
{
    size_t bytes = sizeof(sources->metric[0]) * (size_t)sources->n_metrics;
    struct pdump_metric metric[PDUMP_METRICS_MAX];

    if (head->n_metrics != (uint32_t)sources->n_metrics ||
        pread(fd, metric, bytes, (off_t)head->metrics * 8) != (ssize_t)bytes)
        return false;
    for (int m = 0; m < sources->n_metrics; m++) {
        if (strncmp(metric[m].name, sources->metric[m].name,
                    sizeof(metric[m].name)) != 0)
            return false;
        cost[m] = metric[m].cost;
    }
    return true;
}

bool pdump_run_children_cost(const char *root,
                             const struct pdump_sources *sources,
                             struct pdump_cost *cost)
{
    int fd = pdump_owned_file_open(root, O_RDONLY);
    struct pdump_head head;
    bool is_known =
        fd >= 0 && pread(fd, &head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
        head.layout == pdump_store_layout() &&
        head.checksum == pdump_head_checksum(&head) &&
        read_costs(fd, &head, sources, cost);

    if (fd >= 0)
        close(fd);
    return is_known;
}

/* The root looks only in its own folder. */
static bool is_beside(const char *root, const char *path)
{
    size_t n = (size_t)(strrchr(path, '/') + 1 - path);

    return strncmp(root, path, n) == 0 && !strchr(root + n, '/');
}

/* The root may begin to look at any moment: only after the lock is released is
 * it certain that the root will find the store. */
bool pdump_run_children_is_left_to(const char *root, struct pdump_store *store)
{
    if (!is_beside(root, pdump_store_path(store)) ||
        !pdump_run_children_goes_on(root))
        return false;
    pdump_store_leave(store);
    return pdump_run_children_goes_on(root) || !pdump_store_take_back(store);
}

void pdump_run_children_note_end(const char *run, const char *path)
{
    struct pdump_head head;
    int64_t now = pdump_clock_system();
    int fd;

    /* Opening and closing the store for writing causes another notification:
     * do it only if there is something to write. */
    if (!read_head(path, &head) || head.ended || head.root != getpid() ||
        strncmp(head.run, run, sizeof(head.run)) != 0 ||
        pdump_store_file_is_alive(path))
        return;
    fd = pdump_owned_file_open(path, O_RDWR);
    if (fd < 0)
        return;
    if (pdump_store_file_lock(fd, path) &&
        pwrite(fd, &now, sizeof(now), offsetof(struct pdump_head, ended)) < 0)
        pdump_warn("end", "%s: cannot be written", path);
    close(fd);
}
