/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For a build that aborts if foreign code is called while a lock of libpdump is
 * held: --enable-lock-checks includes this file before every other.
 *
 * Tools that check locks do not see the loader's lock.  Calls with the name in
 * parentheses, as (pthread_mutex_lock)(...), are not checked: see lock.h.
 */
#ifndef PDUMP_LOCK_CHECKS_H
#define PDUMP_LOCK_CHECKS_H

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define PDUMP_LOCK_CHECKED __attribute__((visibility("default")))

/* For the calling thread: note that a lock was taken or released, if `err` is
 * 0; both return it.  The third function aborts if the thread holds a lock. */
PDUMP_LOCK_CHECKED int pdump_lock_taken(int err);
PDUMP_LOCK_CHECKED int pdump_lock_released(int err);
PDUMP_LOCK_CHECKED void pdump_lock_none(const char *file, int line);

#define pthread_mutex_lock(m) pdump_lock_taken(pthread_mutex_lock(m))
#define pthread_mutex_trylock(m) pdump_lock_taken(pthread_mutex_trylock(m))
#define pthread_mutex_unlock(m) pdump_lock_released(pthread_mutex_unlock(m))

#define PDUMP_FOREIGN(call) (pdump_lock_none(__FILE__, __LINE__), call)

#define dlopen(...) PDUMP_FOREIGN(dlopen(__VA_ARGS__))
#define dlclose(so) PDUMP_FOREIGN(dlclose(so))
#define dlsym(...) PDUMP_FOREIGN(dlsym(__VA_ARGS__))
#define dladdr(...) PDUMP_FOREIGN(dladdr(__VA_ARGS__))
#define dladdr1(...) PDUMP_FOREIGN(dladdr1(__VA_ARGS__))
#define dl_iterate_phdr(...) PDUMP_FOREIGN(dl_iterate_phdr(__VA_ARGS__))
#define pthread_create(...) PDUMP_FOREIGN(pthread_create(__VA_ARGS__))
#define malloc(n) PDUMP_FOREIGN(malloc(n))
#define calloc(n, size) PDUMP_FOREIGN(calloc(n, size))
#define realloc(block, n) PDUMP_FOREIGN(realloc(block, n))
#undef strdup
#define strdup(text) PDUMP_FOREIGN(strdup(text))

#endif
