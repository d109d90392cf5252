/* SPDX-License-Identifier: BSD-3-Clause */
/* An HDF5 file driver for files that are open already. */
#include "file_driver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Newer releases have drivers in a separate header, and number them. */
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#define DRIVER_NUMBERS .version = H5FD_CLASS_VERSION, .value = 600,
#else
#define DRIVER_NUMBERS
#endif

struct disk {
    H5FD_t common; /* HDF5's part: must be first */
    int fd;
    haddr_t allocated;
    haddr_t end;
};

static int first_error;
static int next_fd = -1; /* of the file that HDF5 is to open, or -1 */

static void error_note(int err)
{
    if (first_error == 0)
        first_error = err ? err : EIO;
}

static H5FD_t *disk_open(const char *name, unsigned flags, hid_t access,
                         haddr_t most)
{
    struct disk *disk = next_fd >= 0 ? calloc(1, sizeof(*disk)) : NULL;
    bool is_emptied = flags & H5F_ACC_TRUNC;
    struct stat st;

    (void)name, (void)access, (void)most;
    if (!disk)
        return NULL;
    disk->fd = next_fd;
    if (fstat(disk->fd, &st) == 0 &&
        (!is_emptied || st.st_size == 0 || ftruncate(disk->fd, 0) == 0)) {
        disk->end = is_emptied ? 0 : (haddr_t)st.st_size;
        return &disk->common;
    }
    if (is_emptied)
        error_note(errno);
    free(disk);
    return NULL;
}

static herr_t disk_close(H5FD_t *file)
{
    free(file);
    return 0;
}

static herr_t disk_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
             H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t disk_allocated(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const struct disk *)file)->allocated;
}

static herr_t disk_allocate(H5FD_t *file, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((struct disk *)file)->allocated = address;
    return 0;
}

static haddr_t disk_end(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const struct disk *)file)->end;
}

/* Reads beyond the end, and of holes, give zeros. */
static herr_t disk_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer,
                        haddr_t at, size_t n, void *bytes)
{
    struct disk *disk = (struct disk *)file;

    (void)type, (void)transfer;
    while (n > 0) {
        ssize_t done = pread(disk->fd, bytes, n, (off_t)at);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            error_note(errno);
        if (done <= 0)
            break;
        bytes = (char *)bytes + done;
        at += (haddr_t)done;
        n -= (size_t)done;
    }
    memset(bytes, 0, n);
    return 0;
}

static herr_t disk_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer,
                         haddr_t at, size_t n, const void *bytes)
{
    struct disk *disk = (struct disk *)file;

    (void)type, (void)transfer;
    if (at + n > disk->end)
        disk->end = at + n;
    while (n > 0 && first_error == 0) {
        ssize_t done = pwrite(disk->fd, bytes, n, (off_t)at);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            error_note(done < 0 ? errno : ENOSPC);
            break;
        }
        bytes = (const char *)bytes + done;
        at += (haddr_t)done;
        n -= (size_t)done;
    }
    return 0;
}

static herr_t disk_truncate(H5FD_t *file, hid_t transfer, hbool_t is_closing)
{
    struct disk *disk = (struct disk *)file;

    (void)transfer, (void)is_closing;
    if (disk->end == disk->allocated)
        return 0;
    if (first_error == 0 && ftruncate(disk->fd, (off_t)disk->allocated) != 0)
        error_note(errno);
    disk->end = disk->allocated;
    return 0;
}

static const H5FD_class_t driver_class = {
    DRIVER_NUMBERS.name = "pdump",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .open = disk_open,
    .close = disk_close,
    .query = disk_query,
    .get_eoa = disk_allocated,
    .set_eoa = disk_allocate,
    .get_eof = disk_end,
    .read = disk_read,
    .write = disk_write,
    .truncate = disk_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t pdump_h5_disk_open(hid_t access, int fd, bool is_new)
{
    hid_t driver = H5FDregister(&driver_class);

    if (is_new)
        first_error = 0;
    if (driver >= 0 && H5Pset_driver(access, driver, NULL) < 0) {
        H5FDunregister(driver);
        return -1;
    }
    next_fd = fd;
    return driver;
}

void pdump_h5_disk_opened(void)
{
    next_fd = -1;
}

void pdump_h5_disk_close(hid_t driver)
{
    if (driver >= 0)
        H5FDunregister(driver);
}

int pdump_h5_disk_error(void)
{
    return first_error;
}
