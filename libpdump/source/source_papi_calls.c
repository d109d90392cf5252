/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads PAPI and finds its functions. */
#include "source/source_papi_calls.h"
#include "base/error.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>

struct pdump_papi_calls pdump_papi;

/* The result of a thread that has loaded PAPI.  Threads that load it at the
 * same time get the same result. */
struct found {
    struct pdump_papi_calls calls;
    bool is_good;
    char why[200];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool is_known;
static struct found known; /* written under the lock, once */

/* PAPI crashes if it cannot allocate memory (ulimit -v).  The amount tried is
 * more than PAPI and libpfm need. */
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

/* PAPI stays loaded, because it keeps state for every thread.  If the program
 * uses PAPI as well, this is the same library. */
static void papi_load(struct found *f)
{
    void *so = dlopen(PDUMP_PAPI_SONAME, RTLD_NOW | RTLD_LOCAL);

    if (!so) {
        snprintf(f->why, sizeof(f->why), "%s", dlerror());
        return;
    }
    f->is_good = true;
#define FIND(name)                                       \
    *(void **)&f->calls.name = dlsym(so, "PAPI_" #name); \
    f->is_good = f->is_good && f->calls.name;
    PDUMP_PAPI_CALLS(FIND)
#undef FIND
    if (!f->is_good)
        snprintf(f->why, sizeof(f->why), PDUMP_PAPI_SONAME " lacks a function");
}

#else

/* For a build with only a static libpapi.a. */
static void papi_load(struct found *f)
{
#define FIND(name) f->calls.name = PAPI_##name;
    PDUMP_PAPI_CALLS(FIND)
#undef FIND
    f->is_good = true;
}

#endif

/* Does not use pthread_once(): dlopen() may wait for a thread that would wait
 * for the once. */
static void papi_look(void)
{
    struct found found = { .is_good = false };

    if (has_room())
        papi_load(&found);
    else
        snprintf(found.why, sizeof(found.why),
                 "too little memory for it (ulimit -v)");
    pthread_mutex_lock(&lock);
    if (!is_known) {
        known = found;
        pdump_papi = found.calls;
        is_known = true;
    }
    pthread_mutex_unlock(&lock);
}

int pdump_papi_load(void)
{
    if (!is_known)
        papi_look();
    return known.is_good ? PDUMP_OK
                         : pdump_fail(PDUMP_ESOURCE, "PAPI cannot be used: %s",
                                      known.why);
}

void pdump_papi_load_in_child(void)
{
    pthread_mutex_init(&lock, NULL);
}
