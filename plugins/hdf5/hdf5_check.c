/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks which HDF5 library this module is bound to.
 *
 * A program may have its own HDF5, of another release or another build, in the
 * global scope.  If symbols have no versions, some or all of our calls would go
 * to that library.  In that case the module does not use HDF5 at all.
 */
#include "hdf5_check.h"
#include "h5_call.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* The most important calls, and one from each part of HDF5 that we use.
 * PDUMP_HDF5_SPECIAL is a call that only this build of HDF5 has. */
#define CALL(name)                  \
    {                               \
#name, (void (*)(void))name \
    }
#define CALL_BY(macro) CALL(macro)
static const struct {
    const char *name;
    void (*ours)(void);
} calls[] = {
    CALL(H5open),     CALL(H5Fcreate),    CALL(H5Fopen),
    CALL(H5Fclose),   CALL(H5Dcreate2),   CALL(H5Dwrite),
    CALL(H5Dread),    CALL(H5Dclose),     CALL(H5Pcreate),
    CALL(H5Gcreate2), CALL(H5Acreate2),   CALL(H5Screate_simple),
    CALL(H5Ewalk2),   CALL(H5Eset_auto2), CALL_BY(PDUMP_HDF5_SPECIAL),
};

/* Returns the path of the file that contains a function. */
static const char *place_of(void *function)
{
    Dl_info info;

    return dladdr(function, &info) && info.dli_fname ? info.dli_fname
                                                     : "an unknown place";
}

static int check_release(void)
{
    unsigned major = 0, minor = 0, release = 0;

    H5get_libversion(&major, &minor, &release);
    if (major != H5_VERS_MAJOR || minor != H5_VERS_MINOR)
        return pdump_fail(PDUMP_EPLUGIN,
                          "HDF5 is %u.%u.%u here, but the module was built "
                          "with %d.%d.%d",
                          major, minor, release, H5_VERS_MAJOR, H5_VERS_MINOR,
                          H5_VERS_RELEASE);
    return PDUMP_OK;
}

int pdump_h5_origin(void)
{
    void *library = dlopen(PDUMP_HDF5_SONAME, RTLD_LAZY | RTLD_NOLOAD);
    int err = PDUMP_OK;

    if (!library)
        return pdump_fail(PDUMP_EPLUGIN, "%s is not in this process",
                          PDUMP_HDF5_SONAME);
    for (size_t i = 0; err == PDUMP_OK && i < sizeof(calls) / sizeof(calls[0]);
         i++) {
        void *theirs = dlsym(library, calls[i].name), *ours;

        memcpy(&ours, &calls[i].ours, sizeof(ours));
        if (ours != theirs)
            err = pdump_fail(PDUMP_EPLUGIN,
                             "another HDF5 is in the way: %s is in %s, not in "
                             "%s",
                             calls[i].name, place_of(ours), place_of(theirs));
    }
    dlclose(library);
    return err < 0 ? err : check_release();
}
