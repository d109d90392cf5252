/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads PAPI and finds its functions. */
#include "source_papi_calls.h"
#include "error.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

struct pdump_papi_calls pdump_papi;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded;
static char why[200];

#ifdef PDUMP_PAPI_SONAME

/* Stays loaded: PAPI keeps state for every thread.  If the program uses PAPI
 * as well, this is the same library. */
static void load(void)
{
    void *so = dlopen(PDUMP_PAPI_SONAME, RTLD_NOW | RTLD_LOCAL);

    if (!so) {
        snprintf(why, sizeof(why), "%s", dlerror());
        return;
    }
    is_loaded = true;
#define FIND(name)                                         \
    *(void **)&pdump_papi.name = dlsym(so, "PAPI_" #name); \
    is_loaded = is_loaded && pdump_papi.name;
    PDUMP_PAPI_CALLS(FIND)
#undef FIND
    if (!is_loaded)
        snprintf(why, sizeof(why), PDUMP_PAPI_SONAME " lacks a function");
}

#else

/* Only a static libpapi.a was there when libpdump was built. */
static void load(void)
{
#define FIND(name) pdump_papi.name = PAPI_##name;
    PDUMP_PAPI_CALLS(FIND)
#undef FIND
    is_loaded = true;
}

#endif

int pdump_papi_load(void)
{
    pthread_once(&once, load);
    return is_loaded ? PDUMP_OK
                     : pdump_fail(PDUMP_ESOURCE, "PAPI is not there: %s", why);
}
