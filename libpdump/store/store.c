/* SPDX-License-Identifier: BSD-3-Clause */
/* The store: one reserved range of addresses, made usable piece by piece with
 * pieces of a file or with anonymous memory. */
#include "store/store.h"
#include "store/store_link.h"
#include "system/kernel_memory.h"
#include "system/lock.h"
#include "system/log.h"
#include "system/write_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Pieces are mapped one after the other.  Each is a multiple of 64 KiB, the
 * largest page size of a kernel. */
enum {
    FIRST = 64 * 1024,    /* enough for a process that records nothing */
    SEGMENT = 256 * 1024, /* the smallest later piece */
    RESERVE_MIN = 1024 * 1024,
    REFILL_MIN = 4 * 1024 / 8,
    REFILL_MAX = 256 * 1024 / 8,
    POPULATE = 23, /* MADV_POPULATE_WRITE, which not every C library has */
};

struct pdump_store {
    char *base;
    size_t reserved;
    size_t usable;
    size_t used;
    struct pdump_store_link file;
    bool is_mapped; /* the whole range: the file grows without a descriptor */
    bool is_file_full;
    bool is_full;            /* anonymous memory cannot be used either */
    _Atomic uint64_t *shown; /* the size of the file, for readers, or NULL */
    pthread_mutex_t lock;
    pthread_mutex_t lists;
    size_t size; /* of this, with the path behind it */
    char path[];
};

/* Freeze the file: from now on, changes go to private copies of its pages.
 * Otherwise the heads of lists in the file would refer to records that are not
 * in the file, and a reader would find nothing.  Returns false if that fails.
 */
static bool store_freeze(struct pdump_store *s, int fd)
{
    int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;

    if (s->is_mapped && mmap(s->base + s->usable, s->reserved - s->usable,
                             PROT_NONE, how, -1, 0) == MAP_FAILED)
        return false;
    s->is_mapped = false;
    if (s->usable > 0 && mmap(s->base, s->usable, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED)
        return false;
    madvise(s->base, s->reserved, MADV_DONTFORK);
    return true;
}

/* Allocate blocks for a piece of the file.  Returns 0 or an errno. */
static int blocks_allocate(int fd, size_t from, size_t to)
{
    struct pdump_write_guard hold;
    int err;

    pdump_write_guard_hold(&hold);
    err = posix_fallocate(fd, (off_t)from, (off_t)(to - from));
    pdump_write_guard_release(&hold);
    return err;
}

/* Called when the file cannot grow any more.  If it cannot be frozen either,
 * everything recorded has to be in it, so the store is full. */
static void end_file(struct pdump_store *s, int fd, const char *why)
{
    s->is_file_full = true;
    s->is_full = fd < 0 || !store_freeze(s, fd);
    pdump_warn("store", "%s cannot grow: %s; %s", s->file.path, why,
               s->is_full ? "new regions are only counted together from now on"
                          : "what is recorded from now on does not survive a "
                            "kill");
}

/* Make a piece of the mapped file usable and allocate its blocks.  Uses no
 * descriptor, so the program's other threads cannot notice.  Returns an errno.
 */
static int fill_piece(struct pdump_store *s, size_t from, size_t to)
{
    int err;

    if (mprotect(s->base + from, to - from, PROT_READ | PROT_WRITE) != 0)
        return errno;
    do
        err = madvise(s->base + from, to - from, POPULATE) == 0 ? 0 : errno;
    while (err == EINTR || err == EAGAIN);
    if (err != 0)
        mprotect(s->base + from, to - from, PROT_NONE);
    return err == EFAULT ? ENOSPC : err; /* a plain write would raise SIGBUS */
}

/* Map a piece of the file over the reserved range.  Its blocks are allocated
 * first: writing to a hole on a full disk would raise SIGBUS later. */
static int map_piece(struct pdump_store *s, int fd, size_t from, size_t to)
{
    int how = MAP_SHARED | MAP_FIXED | (from ? 0 : MAP_POPULATE);
    int err = blocks_allocate(fd, from, to);

    if (err == 0 && mmap(s->base + from, to - from, PROT_READ | PROT_WRITE, how,
                         fd, (off_t)from) == MAP_FAILED)
        err = errno;
    /* A child of fork() starts empty, and must not write into the parent's
     * store. */
    if (err == 0)
        madvise(s->base + from, to - from, MADV_DONTFORK);
    return err;
}

static bool grow_file(struct pdump_store *s, size_t from, size_t to)
{
    int err = s->is_mapped ? fill_piece(s, from, to) : 0, fd = -1;
    bool needs_open = !s->is_mapped || err != 0;

    if (needs_open)
        fd = pdump_store_link_open(&s->file);
    if (!s->is_mapped)
        err = fd < 0 ? EBADF : map_piece(s, fd, from, to);
    if (err != 0)
        end_file(s, fd,
                 err == EBADF ? "it cannot be opened any more" : strerror(err));
    else if (s->shown)
        atomic_store(s->shown, to);
    if (fd >= 0)
        pdump_store_link_close(&s->file, fd);
    return err == 0;
}

/* Returns how much is to be usable if `want` bytes have to be. */
static size_t usable_for(const struct pdump_store *s, size_t want)
{
    size_t step = s->usable || want > FIRST ? SEGMENT : FIRST;
    size_t to = (want + step - 1) / step * step;

    /* Grow by a quarter, so that a large store needs few calls. */
    if (to < s->usable + s->usable / 4)
        to = (s->usable + s->usable / 4) / SEGMENT * SEGMENT;
    return to > s->reserved ? s->reserved : to;
}

static bool grow_memory(struct pdump_store *s, size_t to)
{
    return mprotect(s->base + s->usable, to - s->usable,
                    PROT_READ | PROT_WRITE) == 0;
}

static bool make_usable(struct pdump_store *s, size_t want)
{
    size_t to = usable_for(s, want);
    bool is_in_file;

    if (want > to)
        return false;
    is_in_file =
        s->file.path && !s->is_file_full && grow_file(s, s->usable, to);
    if (s->is_full)
        return false;
    if (!is_in_file && !grow_memory(s, to))
        return false;
    s->usable = to;
    return true;
}

/* The same without a descriptor and without a warning. */
static bool make_usable_now(struct pdump_store *s, size_t want)
{
    size_t to = usable_for(s, want);

    if (want > to || s->is_full)
        return false;
    if (!s->file.path || s->is_file_full) {
        if (!grow_memory(s, to))
            return false;
    } else if (!s->is_mapped || fill_piece(s, s->usable, to) != 0) {
        return false;
    } else if (s->shown) {
        atomic_store(s->shown, to);
    }
    s->usable = to;
    return true;
}

static uint32_t store_take(struct pdump_store *s, size_t bytes)
{
    size_t at = s->used;

    bytes = (bytes + 7) & ~(size_t)7;
    if (bytes > s->reserved - at)
        return 0;
    if (at + bytes > s->usable && !make_usable(s, at + bytes))
        return 0;
    s->used = at + bytes;
    return (uint32_t)(at / 8);
}

/* Give the file its largest size, without blocks, so that it can be mapped as a
 * whole and grow without being opened.  Not possible before Linux 5.14, nor
 * beyond a limit on file sizes (ulimit -f). */
static bool store_make_large(int fd, size_t max)
{
    struct pdump_write_guard hold;
    bool is_large;

    if (fd < 0 || madvise(NULL, 0, POPULATE) != 0)
        return false;
    pdump_write_guard_hold(&hold);
    is_large = ftruncate(fd, (off_t)max) == 0;
    pdump_write_guard_release(&hold);
    return is_large;
}

/* A limit on addresses (ulimit -v) may forbid the whole range: halve it until
 * it fits. */
static bool store_reserve(struct pdump_store *s, size_t max, int fd)
{
    int how = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;

    s->base = MAP_FAILED;
    for (; max >= RESERVE_MIN && s->base == MAP_FAILED; max /= 2) {
        s->reserved = max;
        s->base = mmap(NULL, max, PROT_NONE, how, fd, 0);
    }
    if (s->base == MAP_FAILED)
        return false;
    madvise(s->base, s->reserved, MADV_DONTFORK);
    s->is_mapped = fd >= 0;
    return true;
}

static bool store_reserve_file(struct pdump_store *s, size_t max)
{
    int fd = s->file.own.fd;

    return (store_make_large(fd, max) && store_reserve(s, max, fd)) ||
           store_reserve(s, max, -1);
}

/* Remove a file that does not even contain the head. */
static void drop_file(struct pdump_store *s)
{
    pdump_store_remove(s);
    pdump_store_link_free(&s->file);
}

/* A signal handler opens a store if it makes the first visit of a kind: see
 * visit_cost.c. */
static struct pdump_store *store_make(int fd, const char *path)
{
    size_t size = sizeof(struct pdump_store) + (path ? strlen(path) + 1 : 0);
    struct pdump_store *s = pdump_kernel_memory_get(size);

    if (!s)
        return NULL;
    s->size = size;
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->lists, NULL);
    pdump_store_link_make(&s->file, fd, path ? strcpy(s->path, path) : NULL);
    return s;
}

static void store_free(struct pdump_store *s)
{
    pdump_store_link_free(&s->file);
    pthread_mutex_destroy(&s->lock);
    pthread_mutex_destroy(&s->lists);
    pdump_kernel_memory_free(s, s->size);
}

int pdump_store_open_file(struct pdump_store **out, size_t max, size_t head,
                          int fd, const char *path)
{
    struct pdump_store *s = store_make(fd, path);

    if (!s || !store_reserve_file(s, max)) {
        if (path)
            unlink(path); /* the caller has just created it */
        if (s)
            store_free(s);
        return pdump_no_memory();
    }
    store_take(s, head);
    pdump_store_link_rest(&s->file);
    if (s->used < head) {
        pdump_store_remove(s);
        pdump_store_close(s);
        return pdump_no_memory();
    }
    if (s->is_file_full)
        drop_file(s);
    *out = s;
    return PDUMP_OK;
}

int pdump_store_open(struct pdump_store **out, size_t max, size_t head)
{
    return pdump_store_open_file(out, max, head, -1, NULL);
}

void pdump_store_close(struct pdump_store *s)
{
    if (!s)
        return;
    munmap(s->base, s->reserved);
    store_free(s);
}

/* Uses no descriptor, because the program may have none left. */
void pdump_store_remove(struct pdump_store *s)
{
    struct stat found;

    if (s->file.path && lstat(s->file.path, &found) == 0 &&
        found.st_dev == s->file.own.device && found.st_ino == s->file.own.file)
        unlink(s->file.path);
}

void pdump_store_forget(struct pdump_store *s)
{
    pdump_private_fd_close(&s->file.own);
}

void pdump_store_keep_open(struct pdump_store *s)
{
    pthread_mutex_lock(&s->lock);
    if (!s->is_mapped)
        pdump_store_link_keep(&s->file);
    pthread_mutex_unlock(&s->lock);
}

void pdump_store_leave(struct pdump_store *s)
{
    pdump_store_link_unlock(&s->file);
}

bool pdump_store_take_back(struct pdump_store *s)
{
    return pdump_store_link_lock(&s->file);
}

const char *pdump_store_path(const struct pdump_store *s)
{
    return s->file.path;
}

void pdump_store_publish(struct pdump_store *s, const void *at, size_t n)
{
    int fd = s->is_file_full ? pdump_store_link_open(&s->file) : -1;

    if (fd < 0)
        return;
    if (pwrite(fd, at, n, (const char *)at - s->base) < 0)
        n = 0; /* ignored: readers do not see the change */
    pdump_store_link_close(&s->file, fd);
}

/* The file keeps its size, because a shorter file would look truncated.  Memory
 * that is allocated later gets new blocks. */
void pdump_store_trim(struct pdump_store *s)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), from;

    if (s->is_file_full || !s->file.path ||
        pthread_mutex_trylock(&s->lock) != 0)
        return;
    from = (s->used + page - 1) / page * page;
    if (from < s->usable)
        madvise(s->base + from, s->usable - from, MADV_REMOVE);
    pthread_mutex_unlock(&s->lock);
}

void pdump_store_show_size(struct pdump_store *s, _Atomic uint64_t *at)
{
    pthread_mutex_lock(&s->lock);
    s->shown = at;
    atomic_store(at, s->is_file_full || !s->file.path ? 0 : s->usable);
    pthread_mutex_unlock(&s->lock);
}

bool pdump_store_is_whole(const struct pdump_store *s)
{
    return s->file.path && (!s->is_file_full || s->is_full);
}

char *pdump_store_base(const struct pdump_store *s)
{
    return s->base;
}

uint32_t pdump_store_alloc(struct pdump_store *s, size_t bytes)
{
    uint32_t ref;

    pthread_mutex_lock(&s->lock);
    ref = store_take(s, bytes);
    pthread_mutex_unlock(&s->lock);
    return ref;
}

/* The lock may be that of the code which the handler has interrupted; then
 * waiting is of no use. */
static bool lock_now(struct pdump_store *s)
{
    enum { TRIES = 10000 }; /* some milliseconds */
    int i = 0;

    while (pthread_mutex_trylock(&s->lock) != 0 && ++i < TRIES)
        sched_yield();
    return i < TRIES;
}

uint32_t pdump_store_alloc_now(struct pdump_store *s, size_t bytes)
{
    uint32_t ref = 0;

    if (!lock_now(s))
        return 0;
    if (bytes + 7 <= s->reserved - s->used &&
        (s->used + bytes + 7 <= s->usable ||
         make_usable_now(s, s->used + bytes + 7)))
        ref = store_take(s, bytes);
    pthread_mutex_unlock(&s->lock);
    return ref;
}

int pdump_store_take(struct pdump_store *s)
{
    return pdump_turn_take(&s->lists);
}

void pdump_store_end(struct pdump_store *s)
{
    pdump_turn_end(&s->lists);
}

size_t pdump_store_used(const struct pdump_store *s)
{
    return s->used;
}

uint32_t pdump_store_text(struct pdump_store *s, const char *text, size_t len)
{
    uint32_t ref = pdump_store_alloc(s, len + 1);

    if (ref)
        memcpy(pdump_store_at(s->base, ref), text, len);
    return ref;
}

void pdump_arena_init(struct pdump_arena *arena, struct pdump_store *store)
{
    *arena = (struct pdump_arena){ .store = store, .refill = REFILL_MIN };
}

uint32_t pdump_arena_alloc(struct pdump_arena *arena, size_t bytes)
{
    uint32_t units = (uint32_t)((bytes + 7) / 8);
    uint32_t ref;

    if (arena->end - arena->next < units) {
        uint32_t ask = arena->refill > units ? arena->refill : units;

        ref = pdump_store_alloc(arena->store, (size_t)ask * 8);
        if (!ref)
            return 0;
        arena->next = ref;
        arena->end = ref + ask;
        if (arena->refill < REFILL_MAX)
            arena->refill *= 2;
    }
    ref = arena->next;
    arena->next += units;
    return ref;
}
