/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of files: a hash table that only grows, in memory of its own. */
#include "file_table.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLOTS = 4 * PDUMP_IO_FILES_MAX, CHUNK = 1 << 18 };

static const char *const fixed[PDUMP_IO_FIRST] = {
    [PDUMP_IO_UNKNOWN] = "unknown",
    [PDUMP_IO_STDIN] = "stdin",
    [PDUMP_IO_STDOUT] = "stdout",
    [PDUMP_IO_STDERR] = "stderr",
    [PDUMP_IO_PIPE] = "pipe",
    [PDUMP_IO_SOCKET] = "socket",
    [PDUMP_IO_ANONYMOUS] = "anonymous",
    [PDUMP_IO_NONE] = "no file",
    [PDUMP_IO_STREAMS] = "all streams",
    [PDUMP_IO_MORE] = "other files",
    [PDUMP_IO_SYSTEM] = "MPI and system files",
    [PDUMP_IO_HIDDEN] = "hidden",
};

/* Beginnings of links in /proc/self/fd that are not paths. */
static const struct {
    const char *text;
    uint32_t file;
} prefixes[] = {
    { "pipe:", PDUMP_IO_PIPE },
    { "socket:", PDUMP_IO_SOCKET },
    { "anon_inode:", PDUMP_IO_ANONYMOUS },
    { "/memfd:", PDUMP_IO_ANONYMOUS },
    { "/dev/zero (deleted)", PDUMP_IO_ANONYMOUS }, /* shared memory */
};

static const char *_Atomic names[PDUMP_IO_FILES_MAX];
static _Atomic uint32_t n_names;
static _Atomic uint32_t slots[SLOTS]; /* numbers; 0: free */

struct chunk {
    _Atomic size_t used;
    char text[CHUNK - sizeof(size_t)];
};
static struct chunk *_Atomic current;

/* Replaces a full chunk.  If another thread was faster, uses its chunk. */
static struct chunk *chunk_more(struct chunk *full)
{
    struct chunk *new = mmap(NULL, sizeof(*new), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (new == MAP_FAILED)
        return NULL;
    if (atomic_compare_exchange_strong(&current, &full, new))
        return new;
    munmap(new, sizeof(*new));
    return full;
}

/* Returns a permanent copy, or NULL. */
static const char *path_keep(const char *text, size_t len)
{
    struct chunk *chunk = current;

    for (;;) {
        size_t at = chunk ? atomic_fetch_add(&chunk->used, len + 1) : 0;

        if (chunk && at + len < sizeof(chunk->text)) {
            memcpy(chunk->text + at, text, len);
            return chunk->text + at; /* ends in NUL: the memory was zeroed */
        }
        chunk = chunk_more(chunk);
        if (!chunk)
            return NULL;
    }
}

static uint32_t path_hash(const char *text, size_t len)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return (uint32_t)(h ^ h >> 32);
}

static bool is_same(uint32_t file, const char *path, size_t len)
{
    const char *name = names[file - PDUMP_IO_FIRST];

    return strncmp(name, path, len) == 0 && !name[len];
}

/* Returns a new number for a path; 0 if there are none left. */
static uint32_t path_number(const char *path, size_t len)
{
    const char *name;
    uint32_t n;

    if (n_names >= PDUMP_IO_FILES_MAX)
        return 0;
    name = path_keep(path, len);
    n = name ? atomic_fetch_add(&n_names, 1) : PDUMP_IO_FILES_MAX;
    if (n >= PDUMP_IO_FILES_MAX)
        return 0;
    names[n] = name;
    return n + PDUMP_IO_FIRST;
}

/* If two threads add the same path at once, both get the first number. */
uint32_t pdump_io_files_add(const char *path, size_t len)
{
    uint32_t i = path_hash(path, len) % SLOTS, mine = 0;

    if (len > PATH_MAX)
        return PDUMP_IO_MORE;
    for (;; i = (i + 1) % SLOTS) {
        uint32_t file = slots[i];

        if (!file) {
            if (!mine)
                mine = path_number(path, len);
            if (!mine)
                return PDUMP_IO_MORE;
            if (atomic_compare_exchange_strong(&slots[i], &file, mine))
                return mine;
        }
        if (is_same(file, path, len))
            return file;
    }
}

const char *pdump_io_files_name(uint32_t file)
{
    return file < PDUMP_IO_FIRST ? fixed[file] : names[file - PDUMP_IO_FIRST];
}

/* Finds the kind of file if /proc is not available. */
static uint32_t look_at_kind(int fd, const char *path)
{
    struct stat status;

    if (fstat(fd, &status) != 0)
        return PDUMP_IO_NONE;
    if (path)
        return pdump_io_files_add(path, strlen(path));
    return S_ISFIFO(status.st_mode)   ? PDUMP_IO_PIPE
           : S_ISSOCK(status.st_mode) ? PDUMP_IO_SOCKET
                                      : PDUMP_IO_ANONYMOUS;
}

/* A file whose name ends in " (deleted)" may really exist under that name. */
static bool is_name_of(int fd, const char *path)
{
    struct stat named, open;

    return stat(path, &named) == 0 && fstat(fd, &open) == 0 &&
           named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

uint32_t pdump_io_files_look(int fd, const char *path)
{
    static const char deleted[] = " (deleted)";
    const size_t tail = sizeof(deleted) - 1;
    char link[40], text[PATH_MAX + 1];
    ssize_t len;

    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    len = fd < 0 ? -1 : readlink(link, text, sizeof(text) - 1);
    if (len < 0)
        return look_at_kind(fd, path);
    text[len] = '\0';
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
        if (strncmp(text, prefixes[i].text, strlen(prefixes[i].text)) == 0)
            return prefixes[i].file;
    if ((size_t)len > tail && strcmp(text + len - tail, deleted) == 0 &&
        !is_name_of(fd, text))
        len -= (ssize_t)tail;
    return pdump_io_files_add(text, (size_t)len);
}
