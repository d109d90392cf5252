/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads PAPI and finds its functions. */
#include "source_papi_calls.h"
#include "error.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>

struct pdump_papi_calls pdump_papi;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded;
static char why[200];

/* PAPI crashes if it gets no memory (ulimit -v).  This is more than PAPI and
 * libpfm need. */
static bool has_room(void)
{
    const size_t room = (size_t)32 << 20;
    void *at = mmap(NULL, room, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (at == MAP_FAILED)
        return false;
    munmap(at, room);
    return true;
}

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

static void load_if_there_is_room(void)
{
    if (has_room())
        load();
    else
        snprintf(why, sizeof(why), "too little memory for it (ulimit -v)");
}

int pdump_papi_load(void)
{
    pthread_once(&once, load_if_there_is_room);
    return is_loaded
               ? PDUMP_OK
               : pdump_fail(PDUMP_ESOURCE, "PAPI cannot be used: %s", why);
}
