/* SPDX-License-Identifier: BSD-3-Clause */
/* The file to which events are written while the program runs. */
#include "store/store_event_file.h"
#include "system/owned_file.h"
#include "system/write_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SUFFIX ".events"

static const char magic[8] = "pdumpev";

enum { NAMES_MAX = 1000 };

static struct pdump_store_event_owner owner_of(const struct pdump_head *head)
{
    struct pdump_store_event_owner owner = { .pid = head->pid,
                                             .start = head->start.ticks };

    memcpy(owner.magic, magic, sizeof(magic));
    return owner;
}

/* Create the file under the first free name.  The name is written to the store
 * at *ref, but not yet linked in the head. */
static int event_file_create(struct pdump_store *store, const char *beside,
                             const struct pdump_head *head, char *path,
                             size_t len, uint32_t *ref)
{
    const char *slash = strrchr(beside, '/'), *name;
    size_t folder = slash ? (size_t)(slash + 1 - beside) : 0;
    int fd = -1;

    for (int n = 0; fd < 0 && n < NAMES_MAX; n++) {
        if (snprintf(path, len, "%.*spdump-%s-%lld-%d" SUFFIX, (int)folder,
                     beside, head->run, (long long)head->pid, n) >= (int)len)
            return pdump_fail(PDUMP_EIO, "%.60s...: name too long", beside);
        name = path + folder;
        *ref = pdump_store_text(store, name, strlen(name));
        if (!*ref)
            return pdump_no_memory();
        pdump_store_publish(store, pdump_store_at((char *)head, *ref),
                            strlen(name) + 1);
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                  0600);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd >= 0 ? fd
                   : pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
}

/* The head refers to the file as soon as it exists: the process may end at any
 * time, and nothing else would lead to the file. */
int pdump_store_event_file_make(struct pdump_store *store, const char *beside,
                                struct pdump_head *head, char *path, size_t len)
{
    struct pdump_store_event_owner owner = owner_of(head);
    int fd, err = PDUMP_OK;
    uint32_t ref;

    fd = event_file_create(store, beside, head, path, len, &ref);
    if (fd < 0)
        return fd;
    atomic_store(&head->event_file, ref);
    if (write(fd, &owner, sizeof(owner)) != (ssize_t)sizeof(owner)) {
        err = pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
        atomic_store(&head->event_file, 0);
        pdump_owned_file_remove(path, fd);
    }
    close(fd);
    pdump_store_publish(store, &head->event_file, sizeof(head->event_file));
    return err;
}

static bool write_all(int fd, const void *data, size_t n)
{
    const char *from = data;

    while (n > 0) {
        ssize_t done = write(fd, from, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        from += done;
        n -= (size_t)done;
    }
    return true;
}

/* Opens the file each time: a program may close descriptors it does not know,
 * and open another file with the same number. */
int pdump_store_event_file_add(const char *path,
                               const struct pdump_event_piece *piece,
                               const unsigned char *bytes)
{
    int fd = pdump_owned_file_open(path, O_WRONLY | O_APPEND);
    struct pdump_write_guard hold;
    int err = PDUMP_OK;
    off_t before;

    if (fd < 0)
        return fd;
    pdump_write_guard_hold(&hold);
    before = lseek(fd, 0, SEEK_END);
    if (!write_all(fd, piece, sizeof(*piece)) ||
        !write_all(fd, bytes, piece->n)) {
        err = pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
        if (before < 0 || ftruncate(fd, before) != 0)
            err = PDUMP_EFORMAT;
    }
    if (close(fd) != 0 && err >= 0) /* on a remote disk that is full */
        err = pdump_fail(PDUMP_EFORMAT, "%s: %s", path, strerror(errno));
    pdump_write_guard_release(&hold);
    return err;
}

/* Returns true if the file belongs to the store.  An empty file does: its
 * process has just created it, or ended then. */
static bool is_of(int fd, const struct pdump_head *head)
{
    struct pdump_store_event_owner owner, wanted = owner_of(head);
    ssize_t n = pread(fd, &owner, sizeof(owner), 0);

    return n == 0 || (n == (ssize_t)sizeof(owner) &&
                      memcmp(&owner, &wanted, sizeof(owner)) == 0);
}

static bool ends_with(const char *name, const char *tail)
{
    size_t len = strlen(name), n = strlen(tail);

    return len > n && strcmp(name + len - n, tail) == 0;
}

static int open_of(int folder, const char *name, const struct pdump_head *head)
{
    int fd = ends_with(name, SUFFIX)
                 ? pdump_owned_file_open_at(folder, name, O_RDONLY)
                 : -1;

    if (fd >= 0 && !is_of(fd, head)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Write the name of the file, as in the store, or "". */
static void get_name(char *base, char out[NAME_MAX + 1])
{
    const struct pdump_head *head = (const void *)base;

    out[0] = '\0';
    if (head->event_file)
        snprintf(out, NAME_MAX + 1, "%.*s", NAME_MAX,
                 (const char *)pdump_store_at(base, head->event_file));
}

int pdump_store_event_file_open(const char *beside, char *base)
{
    const char *unused;
    int folder = pdump_owned_file_folder(beside, &unused), fd;
    char name[NAME_MAX + 1];

    get_name(base, name);
    fd = folder >= 0 ? open_of(folder, name, (const void *)base) : -1;
    if (folder >= 0)
        close(folder);
    return fd;
}

static void remove_at(int folder, const char *name,
                      const struct pdump_head *head)
{
    int fd = open_of(folder, name, head);

    if (fd < 0)
        return;
    pdump_owned_file_remove_at(folder, name, fd);
    close(fd);
}

void pdump_store_event_file_remove(const char *beside, char *base)
{
    const char *unused;
    int folder = beside ? pdump_owned_file_folder(beside, &unused) : -1;
    char name[NAME_MAX + 1];

    if (folder < 0)
        return;
    get_name(base, name);
    remove_at(folder, name, (const void *)base);
    close(folder);
}

void pdump_store_event_file_remove_of(const char *path)
{
    char name[NAME_MAX + 1] = "";
    struct pdump_head head;
    const char *store;
    int folder = pdump_owned_file_folder(path, &store);
    int fd =
        folder >= 0 ? pdump_owned_file_open_at(folder, store, O_RDONLY) : -1;

    if (fd >= 0 && pread(fd, &head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
        head.version == PDUMP_STORE_VERSION &&
        head.layout == pdump_store_layout() && head.event_file &&
        pread(fd, name, NAME_MAX, (off_t)head.event_file * 8) > 0)
        remove_at(folder, name, &head);
    if (fd >= 0)
        close(fd);
    if (folder >= 0)
        close(folder);
}
