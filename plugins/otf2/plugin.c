/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The module "otf2": a sink that writes a folder with an OTF2 archive, for
 * Vampir, Score-P's tools and others.
 */
#include "archive.h"
#include "system/log.h"
#include "system/plugin.h"
#include "write/sink.h"

#include <limits.h>
#include <pdump.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

PDUMP_PLUGIN_MODULE;

enum { EVENTS_CHUNK = 1 << 20, DEFINITIONS_CHUNK = 1 << 22 };

void archive_keep(struct archive *a, OTF2_ErrorCode code)
{
    if (a->code == OTF2_SUCCESS)
        a->code = code;
}

/* Full buffers are written, so that memory does not grow. */
static OTF2_FlushType archive_flush(void *data, OTF2_FileType type,
                                    OTF2_LocationRef location, void *caller,
                                    bool final)
{
    (void)data, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

/* OTF2 prints errors to stderr unless this callback takes them. */
static OTF2_ErrorCode be_quiet(void *data, const char *file, uint64_t line,
                               const char *function, OTF2_ErrorCode code,
                               const char *format, va_list arguments)
{
    (void)data, (void)file, (void)line, (void)function;
    (void)format, (void)arguments;
    return code;
}

static int by_number(const void *a, const void *b)
{
    const int *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Finds the ranks of the dump. */
static int find_ranks(struct archive *a)
{
    const struct pdump_dump *t = a->tables;
    int n = 0;

    a->ranks = malloc(((size_t)t->n_threads + 1) * sizeof(*a->ranks));
    if (!a->ranks)
        return pdump_no_memory();
    for (int i = 0; i < t->n_threads; i++) {
        int rank = t->processes[t->threads[i].process].rank;

        if (rank >= 0)
            a->ranks[n++] = rank;
    }
    qsort(a->ranks, (size_t)n, sizeof(*a->ranks), by_number);
    for (int i = 0; i < n; i++)
        if (i == 0 || a->ranks[i] != a->ranks[a->n_ranks - 1])
            a->ranks[a->n_ranks++] = a->ranks[i];
    return PDUMP_OK;
}

int archive_member(const struct archive *a, int64_t rank)
{
    int wanted = rank < 0 || rank > INT_MAX ? -1 : (int)rank;
    const int *found = bsearch(&wanted, a->ranks, (size_t)a->n_ranks,
                               sizeof(*a->ranks), by_number);

    return found ? (int)(found - a->ranks) : -1;
}

static int open_archive(struct archive *a, const char *path)
{
    static const OTF2_FlushCallbacks callbacks = { .otf2_pre_flush =
                                                       archive_flush };
    char creator[64];

    a->otf2 = OTF2_Archive_Open(path, "traces", OTF2_FILEMODE_WRITE,
                                EVENTS_CHUNK, DEFINITIONS_CHUNK,
                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!a->otf2)
        return pdump_fail(PDUMP_EIO, "%s: OTF2 cannot make an archive", path);
    snprintf(creator, sizeof(creator), "libpdump %s", pdump_version());
    archive_keep(a, OTF2_Archive_SetFlushCallbacks(a->otf2, &callbacks, NULL));
    archive_keep(a, OTF2_Archive_SetSerialCollectiveCallbacks(a->otf2));
    archive_keep(a, OTF2_Archive_SetCreator(a->otf2, creator));
    return PDUMP_OK;
}

/* Says why there is nothing to write. */
static int no_events(const struct pdump_dump *tables)
{
    const char *why = "record with PDUMP_RECORD=events";

    if (pdump_dump_metadata(tables, "events"))
        why = tables->n_nodes > 0 && tables->n_warnings > 0
                  ? "the dump's warnings say why"
                  : "no region has begun";
    return pdump_fail(PDUMP_EFORMAT,
                      "there are no events, which otf2 consists of: %s", why);
}

static int put_archive(struct archive *a, struct pdump_stream *in,
                       const char *path)
{
    int err = open_archive(a, path);

    if (err < 0)
        return err;
    err = archive_put_events(a, in);
    if (err >= 0 && a->n_events_all == 0)
        err = no_events(a->tables);
    if (err >= 0)
        err = archive_put_definitions(a);
    archive_keep(a, OTF2_Archive_Close(a->otf2));
    if (err >= 0 && a->code != OTF2_SUCCESS)
        err = pdump_fail(PDUMP_EIO, "%s: OTF2: %s", path,
                         OTF2_Error_GetDescription(a->code));
    return err;
}

/* OTF2 opens names.  This one cannot be replaced by another user. */
static const char *name_of(const struct pdump_new_file *folder, char name[40])
{
    snprintf(name, 40, "/proc/self/fd/%d", folder->fd);
    return access(name, W_OK | X_OK) == 0 ? name : folder->path;
}

static int otf2_write(struct pdump_stream *in,
                      const struct pdump_new_file *folder)
{
    const struct pdump_dump *t = in->tables;
    struct archive a = {
        .tables = t,
        .is_job = in->n_ranks > 0 || pdump_dump_metadata(t, "ranks"),
        .n_events = calloc((size_t)t->n_threads + 1, sizeof(*a.n_events)),
        .is_closed = calloc((size_t)t->n_threads + 1, sizeof(*a.is_closed)),
        .regions = calloc((size_t)t->n_regions + 1, sizeof(*a.regions)),
        .is_defined = calloc((size_t)t->n_regions + 1, sizeof(*a.is_defined)),
    };
    int err = a.n_events && a.is_closed && a.is_defined && a.regions
                  ? find_ranks(&a)
                  : pdump_no_memory();
    char name[40];

    if (err >= 0)
        err = archive_find_parameters(&a);
    if (err >= 0)
        archive_find_collectives(&a), archive_find_io(&a);
    OTF2_Error_RegisterCallback(be_quiet, NULL);
    if (err >= 0)
        err = put_archive(&a, in, name_of(folder, name));
    if (err >= 0 && a.n_strangers > 0)
        pdump_warn("otf2",
                   "%lld messages to or from ranks that are not in the "
                   "dump are left out",
                   (long long)a.n_strangers);
    free(a.n_events);
    free(a.is_closed);
    free(a.is_defined);
    free(a.ranks);
    free(a.regions);
    free(a.handles);
    archive_free_communicators(&a);
    return err;
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".otf2", .is_folder = true, .write = otf2_write },
    { .suffix = NULL },
};

static const struct pdump_sink sink = {
    .name = "otf2",
    .about = "events, for Vampir and the tools of Score-P; a folder",
    .parts = parts,
};

static const struct pdump_sink *const sinks[] = { &sink, NULL };

const struct pdump_plugin pdump_plugin = {
    .name = "otf2",
    .sinks = sinks,
};
