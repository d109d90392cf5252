/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the store of a process, dead or alive.
 *
 * The file is mapped at the start of a range of zeroes that is as large as a
 * ref can reach.  So reading stays within bounds, whatever a damaged store
 * contains; snapshot.c stops at endless lists.
 */
#include "read/reader.h"
#include "snapshot/snapshot.h"
#include "store/store_file.h"
#include "system/log.h"
#include "system/owned_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define REACH ((size_t)UINT32_MAX * 8 + (64 << 20))

static bool store_knows(const char *head, size_t len)
{
    size_t n = sizeof(PDUMP_STORE_MAGIC) - 1;

    return len >= n && memcmp(head, PDUMP_STORE_MAGIC, n) == 0;
}

static int store_check(const char *path, const struct pdump_head *head,
                       size_t size)
{
    if (size < sizeof(*head))
        return pdump_fail(PDUMP_EFORMAT,
                          "%s: only %zu bytes of a store, nothing is left",
                          path, size);
    if (head->version == 0)
        return pdump_fail(PDUMP_EFORMAT,
                          "%s: the program had not yet started to record",
                          path);
    if (head->version != PDUMP_STORE_VERSION ||
        head->layout != pdump_store_layout())
        return pdump_fail(PDUMP_EFORMAT,
                          "%s: made by another version of libpdump or on "
                          "another kind of machine",
                          path);
    if (head->checksum != pdump_head_checksum(head))
        return pdump_fail(PDUMP_EFORMAT,
                          "%s: its head is damaged, or the program had not "
                          "yet started to record",
                          path);
    return PDUMP_OK;
}

static int add_state(const char *path, const struct pdump_head *head,
                     size_t size, struct pdump_builder *b)
{
    int err = PDUMP_OK;
    char text[32];

    if (size < head->size)
        err = pdump_builder_warning(b,
                                    "the store was cut: what stood behind "
                                    "the cut is lost",
                                    1);
    if (err >= 0)
        err = pdump_builder_metadata(b, "store", path);
    if (err >= 0 && head->signal) {
        snprintf(text, sizeof(text), "%" PRIu32, head->signal);
        err = pdump_builder_metadata(b, "signal", text);
    }
    return err;
}

/* The end of the file is sparse, so that it can grow.  Returns the bytes in
 * use. */
static size_t used_bytes(int fd, size_t size)
{
    struct pdump_head head;

    if (pread(fd, &head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
        head.size >= sizeof(head) && head.size < size)
        return head.size;
    return size;
}

static int read_mapped(const char *path, char *base, size_t size,
                       struct pdump_builder *b)
{
    int err = store_check(path, (const void *)base, size);

    if (err < 0)
        return err;
    err = pdump_snapshot_read(b, base, size, path);
    if (err == PDUMP_EFORMAT)
        return pdump_fail(PDUMP_EFORMAT, "%s: %s", path, pdump_last_error());
    return err < 0 ? err : add_state(path, (const void *)base, size, b);
}

/* A file of another user is copied: if it were truncated while it is mapped,
 * reading it would raise SIGBUS. */
static bool store_fill(char *base, size_t size, int fd)
{
    size_t done = 0;
    ssize_t n = 1;

    if (size == 0)
        return true;
    if (pdump_owned_file_is_self(fd))
        return mmap(base, size, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0) !=
               MAP_FAILED;
    if (mprotect(base, size, PROT_READ | PROT_WRITE) != 0)
        return false;
    for (; done < size && n > 0; done += (size_t)n)
        n = pread(fd, base + done, size - done, (off_t)done);
    return n >= 0;
}

static int store_read(const char *path, struct pdump_builder *b)
{
    int fd = pdump_owned_file_open(path, O_RDONLY), err = fd;
    char *base = MAP_FAILED;
    struct stat st;
    size_t size;

    if (fd < 0)
        return err;
    if (fstat(fd, &st) != 0) {
        err = pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
        goto out;
    }
    size =
        used_bytes(fd, (size_t)st.st_size < REACH ? (size_t)st.st_size : REACH);
    base = mmap(NULL, REACH, PROT_READ,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED || !store_fill(base, size, fd)) {
        err = pdump_fail(PDUMP_ENOMEM,
                         "%s: cannot be mapped: %s (32 GiB of addresses are "
                         "needed: ulimit -v)",
                         path, strerror(errno));
        goto out;
    }
    err = read_mapped(path, base, size, b);
out:
    if (base != MAP_FAILED)
        munmap(base, REACH);
    close(fd);
    return err;
}

const struct pdump_reader pdump_reader_store = {
    .name = "store",
    .knows = store_knows,
    .read = store_read,
    .is_live = pdump_store_file_is_alive,
};
