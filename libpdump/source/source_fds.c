/* SPDX-License-Identifier: BSD-3-Clause */
/* The file descriptors that a source holds, so that a child can close them. */
#include "source/source_fds.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static bool is_in_range(int fd)
{
    return fd >= 0 && fd < PDUMP_FDS_MAX;
}

static uint64_t bit_of(int fd)
{
    return UINT64_C(1) << (fd % 64);
}

/* Returns the words of the set, mapped if they are not yet, or NULL. */
static _Atomic uint64_t *words_of(struct pdump_fds *set)
{
    const size_t size = PDUMP_FDS_WORDS * sizeof(uint64_t);
    _Atomic uint64_t *old = set->word, *new;

    if (old)
        return old;
    new = mmap(NULL, size, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (new == MAP_FAILED)
        return NULL;
    if (atomic_compare_exchange_strong(&set->word, &old, new))
        return new;
    munmap((void *)new, size); /* another thread was faster */
    return old;
}

bool pdump_fds_add(struct pdump_fds *set, int fd)
{
    _Atomic uint64_t *word;
    int n;

    if (!is_in_range(fd))
        return true;
    word = words_of(set);
    if (!word)
        return false;
    n = atomic_load(&set->n_words);
    while (n <= fd / 64 &&
           !atomic_compare_exchange_weak(&set->n_words, &n, fd / 64 + 1))
        ;
    atomic_fetch_or(&word[fd / 64], bit_of(fd));
    return true;
}

void pdump_fds_remove(struct pdump_fds *set, int fd)
{
    if (is_in_range(fd) && set->word)
        atomic_fetch_and(&set->word[fd / 64], ~bit_of(fd));
}

bool pdump_fds_has(const struct pdump_fds *set, int fd)
{
    return is_in_range(fd) && set->word &&
           (atomic_load(&set->word[fd / 64]) & bit_of(fd)) != 0;
}

void pdump_fds_clear(struct pdump_fds *set)
{
    int n = atomic_exchange(&set->n_words, 0);

    for (int i = 0; i < n; i++)
        atomic_store(&set->word[i], 0);
}

int pdump_fds_drop(struct pdump_fds *set, bool (*is_still)(int fd))
{
    int n = atomic_load(&set->n_words) * 64, n_dropped = 0;

    for (int fd = 0; fd < n; fd++)
        if (pdump_fds_has(set, fd) && !is_still(fd)) {
            pdump_fds_remove(set, fd);
            n_dropped++;
        }
    return n_dropped;
}

void pdump_fds_close_all(struct pdump_fds *set)
{
    int n = atomic_load(&set->n_words) * 64;

    for (int fd = 0; fd < n; fd++)
        if (pdump_fds_has(set, fd))
            close(fd);
    pdump_fds_clear(set);
}

void pdump_fds_disarm_all(struct pdump_fds *set)
{
    int n = atomic_load(&set->n_words) * 64;
    int dead = -1;

    for (int fd = 0; fd < n; fd++) {
        if (!pdump_fds_has(set, fd))
            continue;
        /* Close it before the open(), because no other number may be free. */
        if (dead < 0) {
            close(fd);
            dead = open("/", O_PATH | O_CLOEXEC);
            if (dead == fd)
                continue;
        }
        if (dead < 0 || dup3(dead, fd, O_CLOEXEC) < 0)
            close(fd);
    }
    if (dead >= 0 && !pdump_fds_has(set, dead))
        close(dead);
}

void pdump_fds_release_all(struct pdump_fds *set)
{
    int n = atomic_load(&set->n_words) * 64;

    for (int fd = 0; fd < n; fd++) {
        int flags = pdump_fds_has(set, fd) ? fcntl(fd, F_GETFL) : -1;

        if (flags >= 0 && (flags & O_PATH))
            close(fd);
    }
    pdump_fds_clear(set);
}

bool pdump_fds_each(void (*each)(int fd, void *data), void *data)
{
    DIR *dir = opendir("/proc/self/fd");
    const struct dirent *entry;

    if (!dir)
        return false;
    while ((entry = readdir(dir))) {
        char *end;
        long fd = strtol(entry->d_name, &end, 10);

        if (*end == '\0' && end != entry->d_name && fd != dirfd(dir))
            each((int)fd, data);
    }
    closedir(dir);
    return true;
}
