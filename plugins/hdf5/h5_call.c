/* SPDX-License-Identifier: BSD-3-Clause */
/* Files, groups, attributes, and the error messages of HDF5. */
#include "h5_call.h"
#include "file_driver.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* New in HDF5 1.10.7.  In older releases only the variable
 * HDF5_USE_FILE_LOCKING can disable locks. */
extern herr_t H5Pset_file_locking(hid_t fapl, hbool_t use, hbool_t ignore)
    __attribute__((weak));

/* The program's setting for HDF5's error printing, by one of two interfaces. */
static struct {
    unsigned is_v2;
    H5E_auto2_t print2;
    H5E_auto1_t print1;
    void *data;
} printing;

/* Recursive: one file may be read while another one is written. */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int depth;

void pdump_h5_enter(void)
{
    pthread_mutex_lock(&lock);
    if (depth++ > 0)
        return;
    printing.is_v2 = 1;
    H5Eauto_is_v2(H5E_DEFAULT, &printing.is_v2);
    if (printing.is_v2)
        H5Eget_auto2(H5E_DEFAULT, &printing.print2, &printing.data);
    else
        H5Eget_auto1(&printing.print1, &printing.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void pdump_h5_leave(void)
{
    depth--;
    if (depth == 0 && printing.is_v2)
        H5Eset_auto2(H5E_DEFAULT, printing.print2, printing.data);
    else if (depth == 0)
        H5Eset_auto1(printing.print1, printing.data);
    pthread_mutex_unlock(&lock);
}

/* Takes the first entry, which is the innermost reason.  For a failed system
 * call the reason is in "..., error message = 'No space left on device',
 * ...". */
static herr_t take_reason(unsigned n, const H5E_error2_t *e, void *data)
{
    static const char mark[] = "error message = '";
    const char *text = e->desc ? e->desc : "";
    const char *system = strstr(text, mark);

    if (n == 0 && system) {
        system += sizeof(mark) - 1;
        snprintf(data, 200, "%.*s", (int)strcspn(system, "'"), system);
    } else if (n == 0) {
        snprintf(data, 200, "%s", text);
    }
    return 0;
}

static void be_quiet(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* HDF5 leaks memory when it reads a damaged file, and prints a message about
 * that at exit that users cannot understand.  Exit handlers run in reverse
 * order, so this one runs before HDF5's own. */
static void be_quiet_at_the_end(void)
{
    static bool is_planned;

    if (!is_planned)
        is_planned = atexit(be_quiet) == 0;
}

int pdump_h5_fail(const struct pdump_h5 *h, int err, const char *where)
{
    char why[200] = "";

    be_quiet_at_the_end();
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, why);
    return pdump_fail(err, "%s: %s: %s", h->path, where,
                      *why ? why : "HDF5 failed");
}

hid_t pdump_h5_access(void)
{
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);

    if (list < 0)
        return list;
    if (H5Pset_file_locking)
        H5Pset_file_locking(list, false, true);
    /* This version has checksums for all metadata, and small headers. */
    H5Pset_libver_bounds(list, H5F_LIBVER_V110, H5F_LIBVER_V110);
    /* Closing the file also closes objects that an error has left open. */
    H5Pset_fclose_degree(list, H5F_CLOSE_STRONG);
    return list;
}

int pdump_h5_disk(const struct pdump_h5 *h, int err)
{
    if (h->mode != PDUMP_H5_MAKE || pdump_h5_disk_error() == 0)
        return err;
    return pdump_fail(PDUMP_EIO, "%s: %s", h->path,
                      strerror(pdump_h5_disk_error()));
}

/* A property list without time stamps, so that equal dumps give equal files. */
static hid_t list_timeless(hid_t class)
{
    hid_t list = H5Pcreate(class);

    H5Pset_obj_track_times(list, false);
    return list;
}

int pdump_h5_create(struct pdump_h5 *h, const struct pdump_new_file *file)
{
    hid_t list = pdump_h5_access(), how = list_timeless(H5P_FILE_CREATE);
    int err = PDUMP_OK;

    *h = (struct pdump_h5){ .file = -1,
                            .path = file->path,
                            .mode = PDUMP_H5_MAKE,
                            .transfer = H5P_DEFAULT };
    h->driver = pdump_h5_disk_open(list, file->fd, true);
    if (h->driver >= 0)
        h->file = H5Fcreate(file->path, H5F_ACC_TRUNC, how, list);
    pdump_h5_disk_opened();
    if (h->file < 0)
        err = pdump_h5_disk(h, pdump_h5_fail(h, PDUMP_EIO, "cannot be made"));
    H5Pclose(how);
    H5Pclose(list);
    return err;
}

int pdump_h5_open(struct pdump_h5 *h, int fd, const char *path)
{
    hid_t list = pdump_h5_access();
    int err = PDUMP_OK;

    *h = (struct pdump_h5){ .path = path,
                            .mode = PDUMP_H5_CHECK,
                            .transfer = H5P_DEFAULT };
    h->driver = pdump_h5_disk_open(list, fd, false);
    h->file = H5Fopen(path, H5F_ACC_RDONLY, list);
    pdump_h5_disk_opened();
    if (h->file < 0)
        err = pdump_h5_fail(h, PDUMP_EFORMAT, "cannot be opened");
    H5Pclose(list);
    return err;
}

int pdump_h5_close(struct pdump_h5 *h, int err)
{
    if (h->file >= 0 && err == PDUMP_OK &&
        H5Fflush(h->file, H5F_SCOPE_LOCAL) < 0)
        err = pdump_h5_fail(h, PDUMP_EIO, "cannot be flushed");
    if (h->file >= 0 && H5Fclose(h->file) < 0 && err == PDUMP_OK)
        err = pdump_h5_fail(h, PDUMP_EIO, "cannot be closed");
    h->file = -1;
    pdump_h5_disk_close(h->driver);
    h->driver = -1;
    return pdump_h5_disk(h, err);
}

int pdump_h5_group(const struct pdump_h5 *h, hid_t place, const char *name,
                   hid_t *out)
{
    hid_t how = list_timeless(H5P_GROUP_CREATE);
    int err = PDUMP_OK;

    *out = h->mode == PDUMP_H5_MAKE
               ? H5Gcreate2(place, name, H5P_DEFAULT, how, H5P_DEFAULT)
               : H5Gopen2(place, name, H5P_DEFAULT);
    if (*out < 0)
        err = pdump_h5_fail(h, PDUMP_EIO, name);
    H5Pclose(how);
    return err;
}

static int write_attribute(const struct pdump_h5 *h, const char *name,
                           int64_t value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(h->file, name, H5T_STD_I64LE, space,
                                 H5P_DEFAULT, H5P_DEFAULT);
    int err = PDUMP_OK;

    if (attribute < 0 || H5Awrite(attribute, H5T_NATIVE_INT64, &value) < 0)
        err = pdump_h5_fail(h, PDUMP_EIO, name);
    if (attribute >= 0 && H5Aclose(attribute) < 0 && err == PDUMP_OK)
        err = pdump_h5_fail(h, PDUMP_EIO, name);
    H5Sclose(space);
    return err;
}

int pdump_h5_put_attribute(const struct pdump_h5 *h, const char *name,
                           int64_t value)
{
    int64_t back;

    if (h->mode == PDUMP_H5_MAKE)
        return write_attribute(h, name, value);
    if (pdump_h5_get_attribute(h, name, &back) < 0 || back != value)
        return pdump_fail(PDUMP_EIO, "%s: %s is not what was written", h->path,
                          name);
    return PDUMP_OK;
}

int pdump_h5_get_attribute(const struct pdump_h5 *h, const char *name,
                           int64_t *out)
{
    hid_t attribute, space;
    int err = PDUMP_OK;
    htri_t is_there = H5Aexists(h->file, name);

    if (is_there < 0)
        return pdump_h5_fail(h, PDUMP_EFORMAT, name);
    if (!is_there)
        return PDUMP_ENOENT;
    attribute = H5Aopen(h->file, name, H5P_DEFAULT);
    if (attribute < 0)
        return pdump_h5_fail(h, PDUMP_EFORMAT, name);
    space = H5Aget_space(attribute);
    if (H5Sget_simple_extent_npoints(space) != 1)
        err = pdump_fail(PDUMP_EFORMAT, "%s: %s is not one number", h->path,
                         name);
    else if (H5Aread(attribute, H5T_NATIVE_INT64, out) < 0)
        err = pdump_h5_fail(h, PDUMP_EFORMAT, name);
    H5Sclose(space);
    H5Aclose(attribute);
    return err;
}
