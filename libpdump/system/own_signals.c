/* SPDX-License-Identifier: BSD-3-Clause */
/* The C library's functions that change signals. */
#include "system/own_signals.h"

#include <dlfcn.h>
#include <stddef.h>

static int (*own_action)(int, const struct sigaction *, struct sigaction *);
static int (*own_mask)(int, const sigset_t *, sigset_t *);

/* Of whichever library comes first, if the C library is not the usual one or
 * is linked statically.  Not RTLD_NEXT: a program's C library comes before the
 * libraries that preloaded ones need. */
static void *find(void *library, const char *name, void *usual)
{
    void *found = library ? dlsym(library, name) : NULL;

    return found ? found : usual;
}

static void find_all(void)
{
    void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);

    *(void **)(void *)&own_mask =
        find(library, "pthread_sigmask", (void *)pthread_sigmask);
    *(void **)(void *)&own_action =
        find(library, "sigaction", (void *)sigaction);
    if (library)
        dlclose(library);
}

int pdump_own_signals_action(int number, const struct sigaction *action,
                             struct sigaction *old)
{
    if (!own_action)
        find_all();
    return own_action(number, action, old);
}

int pdump_own_signals_mask(int how, const sigset_t *set, sigset_t *old)
{
    if (!own_action)
        find_all();
    return own_mask(how, set, old);
}
