/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the newest dumps of a folder, for commands without a file. */
#include "common/newest.h"

#include "base/safe_text.h"
#include "read/csv_side.h"
#include "read/manifest.h"
#include "read/reader.h"
#include "store/store_file.h"
#include "store/store_leftover.h"
#include "system/env.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WANTED_MAX = 2 };

/* A name that lasts until the end. */
struct name {
    struct name *next;
    char text[];
};

static struct name *names;

static char *keep(const char *folder, const char *base)
{
    bool is_here = strcmp(folder, ".") == 0;
    size_t len = strlen(folder) + strlen(base) + 2;
    struct name *name = malloc(sizeof(*name) + len);

    if (!name)
        return NULL;
    snprintf(name->text, len, "%s%s%s", is_here ? "" : folder,
             is_here || folder[strlen(folder) - 1] == '/' ? "" : "/", base);
    name->next = names;
    names = name;
    return name->text;
}

struct found {
    char *path[WANTED_MAX]; /* the newest first */
    struct timespec when[WANTED_MAX];
    int n, wanted;
};

static bool is_later(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

/* Several formats of one run differ by their endings. */
static bool is_same_run(const char *a, const char *b)
{
    size_t n = pdump_csv_stem(a);

    return n == pdump_csv_stem(b) && strncmp(a, b, n) == 0;
}

/* Puts a dump into the list, if it is new enough. */
static void offer(struct found *f, char *path, struct timespec when)
{
    int at = 0, last;

    for (int i = 0; i < f->n; i++)
        if (is_same_run(path, f->path[i])) {
            if (is_later(when, f->when[i]))
                f->path[i] = path;
            return;
        }
    while (at < f->n && is_later(f->when[at], when))
        at++;
    if (at == f->wanted)
        return;
    f->n += f->n < f->wanted;
    last = f->n - 1;
    for (int i = last; i > at; i--) {
        f->path[i] = f->path[i - 1];
        f->when[i] = f->when[i - 1];
    }
    f->path[at] = path;
    f->when[at] = when;
}

/* `pdump run` writes "x-others.csv" beside the file "x.csv" of a job, which is
 * what a reader wants. */
static bool is_beside_a_job(const char *path)
{
    static const char mark[] = "-others";
    size_t stem = pdump_csv_stem(path), len = strlen(mark);
    char job[PATH_MAX];

    if (stem <= len || strncmp(path + stem - len, mark, len) != 0)
        return false;
    snprintf(job, sizeof(job), "%.*s%s", (int)(stem - len), path, path + stem);
    return access(job, F_OK) == 0;
}

/* Stores are no files of a run that has ended. */
static bool is_candidate(const char *path, struct stat *st)
{
    const char *dot = strrchr(path, '.');

    return dot && strcmp(dot, ".store") != 0 && stat(path, st) == 0 &&
           S_ISREG(st->st_mode) && !pdump_csv_is_side(path, NULL) &&
           !is_beside_a_job(path) && pdump_reader_knows(path);
}

/* Returns an exit code after a message, or -1 to go on. */
static int look(const struct command *self, const char *folder, struct found *f)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;

    if (!dir)
        return command_fail(self, "%s: %s", folder, strerror(errno));
    while ((entry = readdir(dir)) != NULL) {
        struct stat st;
        char *path;

        if (entry->d_name[0] == '.')
            continue;
        path = keep(folder, entry->d_name);
        if (path && is_candidate(path, &st))
            offer(f, path, st.st_mtim);
    }
    closedir(dir);
    return -1;
}

static void tell(const struct command *self, const char *path)
{
    fflush(stdout);
    fprintf(stderr, "pdump %s: ", self->name);
    pdump_safe_text_put(stderr, path, 0);
    fputc('\n', stderr);
}

static bool is_folder(const char *path)
{
    char manifest[4200];
    struct stat st;

    snprintf(manifest, sizeof(manifest), "%.4096s/" PDUMP_MANIFEST, path);
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
           stat(manifest, &st) != 0;
}

/* Replaces a folder by its newest dump. */
static int enter(const struct command *self, char **file)
{
    struct found f = { .wanted = 1 };
    int code;

    if (!is_folder(*file))
        return -1;
    code = look(self, *file, &f);
    if (code < 0 && f.n == 0)
        code = command_fail(self,
                            "%s: no dump is in this folder, "
                            "and it is not one of a run of libpdump",
                            *file);
    if (code >= 0)
        return code;
    *file = f.path[0];
    tell(self, *file);
    return -1;
}

/* Looks in one folder for stores of killed runs whose dump would be here.
 * Returns their number, and sets a pattern for the first. */
static int count_leftovers(const char *stores, const char *here, char *first)
{
    char own[PATH_MAX + 2];

    snprintf(own, sizeof(own), "%s/-", stores);
    return pdump_store_leftover_find(own, pdump_store_leftover_number(here),
                                     first, PATH_MAX);
}

/* Says how to make the dump of a run in this folder that was killed. */
static void tell_leftover(const struct command *self)
{
    const char *chosen = pdump_env("PDUMP_STORE");
    char here[PATH_MAX], stores[PATH_MAX], first[PATH_MAX];
    int n = 0;

    if (!getcwd(here, sizeof(here)))
        return;
    if (chosen && *chosen == '/')
        n = count_leftovers(chosen, here, first);
    for (int i = 0;
         n <= 0 && pdump_store_file_folder(i, stores, sizeof(stores)); i++)
        n = count_leftovers(stores, here, first);
    if (n <= 0)
        return;
    fprintf(stderr,
            "pdump %s: a run here ended without its dump; to make it: "
            "pdump recover ",
            self->name);
    pdump_safe_text_put(stderr, n == 1 ? first : "--list", 0);
    fputc('\n', stderr);
}

int newest_take(const struct command *self, char **files, int *n, int wanted)
{
    struct found f = { .wanted = wanted };
    int code = -1;

    for (int i = 0; code < 0 && i < *n; i++)
        code = enter(self, &files[i]);
    if (code >= 0 || *n > 0)
        return code;
    tell_leftover(self);
    code = look(self, ".", &f);
    if (code >= 0 || f.n < wanted)
        return code;
    while (*n < wanted) {
        files[*n] = f.path[wanted - 1 - *n];
        tell(self, files[*n]);
        ++*n;
    }
    return -1;
}
