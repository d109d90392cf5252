/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hooks that a compiler calls at the begin and the end of every function
 * with -finstrument-functions.  This library is linked or preloaded; without
 * it, the C library's functions of these names run, which do nothing.
 */
#include "probe/function_probe.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

PDUMP_API void __cyg_profile_func_enter(void *function, void *site);
PDUMP_API void __cyg_profile_func_exit(void *function, void *site);
PDUMP_API int dlclose(void *library);

void __cyg_profile_func_enter(void *function, void *site)
{
    (void)site;
    pdump_function_probe_enter(function, __builtin_dwarf_cfa());
}

void __cyg_profile_func_exit(void *function, void *site)
{
    pdump_function_probe_exit(function, __builtin_dwarf_cfa(),
                              __builtin_return_address(0) == site);
}

/* After a library is unloaded, another one may be loaded at the same
 * addresses. */
int dlclose(void *library)
{
    static int (*real)(void *);
    int err;

    if (!real) {
        void *next = dlsym(RTLD_NEXT, "dlclose");

        memcpy(&real, &next, sizeof(real));
    }
    err = real ? real(library) : -1;
    pdump_function_probe_unload();
    return err;
}
