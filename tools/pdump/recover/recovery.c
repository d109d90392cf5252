/* SPDX-License-Identifier: BSD-3-Clause */
/* Recovers the stores of dead processes, one run at a time. */
#include "recover/recovery.h"
#include "recover/recovery_write.h"

#include "base/safe_text.h"
#include "read/reader.h"
#include "store/store_event_file.h"
#include "system/owned_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A store of the run and its content. */
struct candidate {
    const struct store *store;
    struct pdump_dump *dump; /* NULL if it cannot be read */
    int claim;               /* descriptor, or -1: not claimed */
    bool is_cut;
};

static void fail(struct recovery *r)
{
    r->code = command_fail(r->self, "%s", pdump_last_error());
}

bool recovery_is_due(const struct store *stores, int n, int which)
{
    bool goes_on = false;

    for (int i = 0; i < n; i++)
        goes_on |= stores[i].is_alive && stores[i].run[0] != '\0';
    return !stores[which].is_alive && (!goes_on || stores[which].is_named);
}

/*
 * Takes the lock that a living process would hold.  So two `pdump recover` do
 * not write the same store, and the first process of the run leaves it to us.
 * If the file is only readable there is no lock, but it cannot be removed,
 * either.
 */
static int claim(const char *path)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    int fd = pdump_owned_file_open(path, O_RDWR);
    struct stat st;

    if (fd < 0 && (errno == EACCES || errno == EROFS))
        return pdump_owned_file_open(path, O_RDONLY);
    if (fd >= 0 && (fcntl(fd, F_OFD_SETLK, &whole) != 0 ||
                    fstat(fd, &st) != 0 || st.st_nlink == 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static bool is_cut(const struct pdump_dump *dump)
{
    for (int i = 0; i < dump->n_warnings; i++)
        if (strstr(dump->warnings[i].text, "the store was cut"))
            return true;
    return false;
}

static void put_time(int64_t ns)
{
    time_t seconds = (time_t)(ns / 1000000000);
    char text[40];
    struct tm tm;

    if (ns > 0 && localtime_r(&seconds, &tm) &&
        strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm) > 0)
        printf(", %s", text);
}

static void put_signal(const struct pdump_dump *dump)
{
    const char *text = pdump_dump_metadata(dump, "signal");
    int number = text ? atoi(text) : 0;

    if (number > 0)
        printf(", signal %d (%s)", number, strsignal(number));
}

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

/* Prints the owner of the store, and the memory or disk space that it takes. */
static void put_file(const struct store *store)
{
    const struct passwd *user = getpwuid(store->user);

    if (user)
        printf(", user %s", user->pw_name);
    else
        printf(", user %ld", (long)store->user);
    printf(", %" PRId64 " KiB", store->bytes / 1024);
}

static void describe(const struct store *store, const struct pdump_dump *dump)
{
    printf("  ");
    pdump_safe_text_put(stdout, store->path, 0);
    if (dump && dump->n_processes > 0 && dump->processes[0].command[0]) {
        printf("\n    ");
        pdump_safe_text_put(stdout, dump->processes[0].command, 200);
    }
    printf("\n    pid %" PRId64, store->pid);
    if (dump && dump->n_processes > 0 && dump->processes[0].host[0]) {
        printf(" on ");
        pdump_safe_text_put(stdout, dump->processes[0].host, 60);
    }
    put_file(store);
    put_time(store->start);
    if (dump) {
        printf(", %" PRId64 " row%s, %d thread%s", dump->n_rows,
               plural(dump->n_rows), dump->n_threads, plural(dump->n_threads));
        put_signal(dump);
    }
    printf("%s\n", store->is_alive ? ", alive: not touched" : "");
}

/* Returns how many days ago the last sign of life was. */
static double age(const struct candidate *c)
{
    const char *wall =
        c->dump ? pdump_dump_metadata(c->dump, "wall_time_ns") : NULL;
    int64_t last = wall && c->store->start > 0
                       ? c->store->start + strtoll(wall, NULL, 10)
                       : c->store->changed;

    return ((double)time(NULL) - (double)last / 1e9) / 86400;
}

static void load(struct recovery *r, struct candidate *c)
{
    if (pdump_reader_load(c->store->path, &c->dump) < 0) {
        c->dump = NULL;
        /* A store that is only removed need not be readable. */
        if (r->mode != RECOVERY_CLEAN)
            fail(r);
        return;
    }
    c->is_cut = is_cut(c->dump);
    if (c->is_cut && r->mode != RECOVERY_CLEAN)
        r->code = command_fail(r->self,
                               "%s: the store was cut: what stood behind the "
                               "cut is lost",
                               c->store->path);
}

static bool remove_store(struct recovery *r, const struct candidate *c)
{
    const char *path = c->store->path;

    pdump_store_event_file_remove_of(path);
    if (pdump_owned_file_remove(path, c->claim) || errno == ENOENT)
        return true;
    r->code = command_fail(r->self, "%s: cannot be removed: %s", path,
                           strerror(errno));
    return false;
}

static void clean(struct recovery *r, struct candidate *list, int n)
{
    for (int i = 0; i < n; i++) {
        const char *path = list[i].store->path;
        double days = age(&list[i]);

        if (r->older > 0 && days < r->older)
            command_say("  kept %s: its process died %.1f days ago", path,
                        days);
        else if (remove_store(r, &list[i]))
            command_say("  removed %s", path);
    }
}

/* Writes one file and reads it back; only then are the stores removed. */
static void write_out(struct recovery *r, struct candidate *list, int n)
{
    struct pdump_dump **dumps = calloc((size_t)n + 1, sizeof(*dumps));
    int n_dumps = 0, n_removed = 0;

    for (int i = 0; dumps && i < n; i++)
        if (list[i].dump && list[i].claim >= 0)
            dumps[n_dumps++] = list[i].dump;
    if (!dumps) {
        pdump_no_memory();
        fail(r);
    } else if (n_dumps > 0 &&
               recovery_write(r, list[0].store->run, dumps, n_dumps) &&
               !r->keeps) {
        for (int i = 0; i < n; i++)
            if (list[i].dump && list[i].claim >= 0 && !list[i].is_cut)
                n_removed += remove_store(r, &list[i]);
        printf("  removed %d store%s\n", n_removed, plural(n_removed));
    }
    free(dumps);
}

/* Claims and loads the stores that may be taken. */
static int gather(struct recovery *r, const struct store *stores, int n,
                  struct candidate *list)
{
    int n_list = 0;

    for (int i = 0; i < n; i++) {
        struct candidate *c = &list[n_list];

        if (!recovery_is_due(stores, n, i)) {
            describe(&stores[i], NULL);
            if (!stores[i].is_alive)
                printf("    left to its run, which goes on\n");
            continue;
        }
        r->n_dead++;
        *c = (struct candidate){ .store = &stores[i], .claim = -1 };
        if (r->mode != RECOVERY_LIST) {
            c->claim = claim(stores[i].path);
            if (c->claim < 0) {
                r->code =
                    command_fail(r->self, "%s: somebody else is using it now",
                                 stores[i].path);
                continue;
            }
        }
        load(r, c);
        describe(&stores[i], c->dump);
        n_list++;
    }
    return n_list;
}

void recovery_run(struct recovery *r, const struct store *stores, int n)
{
    struct candidate *list = calloc((size_t)n + 1, sizeof(*list));
    int n_list;

    if (!list) {
        pdump_no_memory();
        fail(r);
        return;
    }
    printf("run ");
    pdump_safe_text_put(stdout, stores[0].run[0] ? stores[0].run : "unknown",
                        0);
    printf("\n");
    n_list = gather(r, stores, n, list);
    if (r->mode == RECOVERY_CLEAN)
        clean(r, list, n_list);
    else if (r->mode == RECOVERY_WRITE)
        write_out(r, list, n_list);
    for (int i = 0; i < n_list; i++) {
        pdump_dump_free(list[i].dump);
        if (list[i].claim >= 0)
            close(list[i].claim);
    }
    free(list);
}
