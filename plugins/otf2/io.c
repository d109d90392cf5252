/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes calls on files.  A file has one handle in each process, whatever
 * descriptors it is opened as.
 */
#include "archive.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum kind { NONE, OPEN, CLOSE, READ, WRITE, FLUSH, SEEK };

static const struct {
    enum kind kind;
    const char *names; /* each between spaces */
} calls[] = {
    { OPEN, " open openat creat fopen freopen fdopen " },
    { CLOSE, " close fclose " },
    { READ, " read pread readv preadv preadv2 fread fgets fgetc getline scanf "
            "fscanf " },
    { WRITE, " write pwrite writev pwritev pwritev2 fwrite fputs puts fputc "
             "printf fprintf dprintf " },
    { FLUSH, " fsync fdatasync fflush " },
    { SEEK, " lseek fseek " },
};

enum { N_CALLS = sizeof(calls) / sizeof(calls[0]) };

static enum kind kind_of(const char *name)
{
    size_t len = strlen(name);

    for (int i = 0; i < N_CALLS; i++)
        for (const char *at = calls[i].names; (at = strchr(at, ' ')) && *++at;)
            if (strncmp(at, name, len) == 0 && at[len] == ' ')
                return calls[i].kind;
    return NONE;
}

void archive_find_io(struct archive *a)
{
    for (int i = 0; i < a->tables->n_regions; i++)
        if (strcmp(a->tables->regions[i].group, "io") == 0)
            a->regions[i].io = (int)kind_of(a->tables->regions[i].name);
}

/* Returns the handle of a file in a process, made if it is new, or NULL. */
static struct io_handle *handle_of(struct archive *a, int file, int process)
{
    struct archive_region *r = &a->regions[file];

    if (r->handle && a->handles[r->handle - 1].process == process)
        return &a->handles[r->handle - 1];
    if (pdump_array_make(&a->handles, a->n_handles, sizeof(*a->handles)) < 0) {
        archive_keep(a, OTF2_ERROR_MEM_ALLOC_FAILED);
        return NULL;
    }
    a->handles[a->n_handles++] =
        (struct io_handle){ .file = file, .process = process };
    r->handle = a->n_handles;
    return &a->handles[a->n_handles - 1];
}

static bool kind_moves(int kind)
{
    return kind == READ || kind == WRITE || kind == FLUSH;
}

void archive_put_io_begin(struct archive *a, OTF2_EvtWriter *w, int process,
                          int region, const struct pdump_event *enter,
                          const struct pdump_event *io)
{
    static const OTF2_IoOperationMode modes[] = {
        [READ] = OTF2_IO_OPERATION_MODE_READ,
        [WRITE] = OTF2_IO_OPERATION_MODE_WRITE,
        [FLUSH] = OTF2_IO_OPERATION_MODE_FLUSH,
    };
    int kind = a->regions[region].io;
    const struct io_handle *h =
        kind_moves(kind) ? handle_of(a, (int)io->what, process) : NULL;

    if (h)
        archive_keep(a, OTF2_EvtWriter_IoOperationBegin(
                            w, NULL, (OTF2_TimeStamp)enter->time,
                            (OTF2_IoHandleRef)(h - a->handles), modes[kind],
                            OTF2_IO_OPERATION_FLAG_NONE,
                            io->value < 0 ? 0 : (uint64_t)io->value,
                            ++a->n_operations));
}

void archive_put_io(struct archive *a, OTF2_EvtWriter *w, int process,
                    int region, const struct pdump_event *io)
{
    int kind = a->regions[region].io;
    OTF2_TimeStamp time = (OTF2_TimeStamp)io->time;
    uint64_t value = io->value < 0 ? 0 : (uint64_t)io->value;
    struct io_handle *h = kind == NONE || (io->value < 0 && !kind_moves(kind))
                              ? NULL
                              : handle_of(a, (int)io->what, process);
    OTF2_IoHandleRef ref = h ? (OTF2_IoHandleRef)(h - a->handles) : 0;

    if (!h)
        return;
    if (kind_moves(kind))
        archive_keep(a, OTF2_EvtWriter_IoOperationComplete(
                            w, NULL, time, ref, value, a->n_operations));
    else if (kind == SEEK)
        archive_keep(a, OTF2_EvtWriter_IoSeek(w, NULL, time, ref, io->value,
                                              OTF2_IO_SEEK_FROM_START, value));
    else if (kind == CLOSE)
        archive_keep(a, OTF2_EvtWriter_IoDestroyHandle(w, NULL, time, ref));
    else
        archive_keep(a,
                     OTF2_EvtWriter_IoCreateHandle(
                         w, NULL, time, ref, OTF2_IO_ACCESS_MODE_READ_WRITE,
                         OTF2_IO_CREATION_FLAG_NONE, OTF2_IO_STATUS_FLAG_NONE));
    h->is_made = h->is_made || kind == OPEN;
}

void archive_put_io_definitions(struct archive *a, OTF2_GlobalDefWriter *w,
                                OTF2_StringRef *n_strings)
{
    OTF2_StringRef posix = *n_strings;

    if (a->n_handles == 0)
        return;
    archive_keep(a,
                 OTF2_GlobalDefWriter_WriteString(w, (*n_strings)++, "POSIX"));
    archive_keep(
        a, OTF2_GlobalDefWriter_WriteString(w, (*n_strings)++, "POSIX I/O"));
    archive_keep(a, OTF2_GlobalDefWriter_WriteString(w, (*n_strings)++, ""));
    archive_keep(a, OTF2_GlobalDefWriter_WriteIoParadigm(
                        w, 0, posix, posix + 1, OTF2_IO_PARADIGM_CLASS_SERIAL,
                        OTF2_IO_PARADIGM_FLAG_OS, 0, NULL, NULL, NULL));
    for (int i = 0; i < a->n_handles; i++) {
        const struct io_handle *h = &a->handles[i];
        OTF2_StringRef name = (*n_strings)++;

        archive_keep(a, OTF2_GlobalDefWriter_WriteString(
                            w, name, a->tables->regions[h->file].name));
        archive_keep(a, OTF2_GlobalDefWriter_WriteIoRegularFile(
                            w, (OTF2_IoFileRef)i, name, 0));
        archive_keep(a, OTF2_GlobalDefWriter_WriteIoHandle(
                            w, (OTF2_IoHandleRef)i, posix + 2,
                            (OTF2_IoFileRef)i, 0,
                            h->is_made ? OTF2_IO_HANDLE_FLAG_NONE
                                       : OTF2_IO_HANDLE_FLAG_PRE_CREATED,
                            OTF2_UNDEFINED_COMM, OTF2_UNDEFINED_IO_HANDLE));
    }
}
