/* SPDX-License-Identifier: BSD-3-Clause */
/* Wraps pthread_create(): every thread counts for itself, so every thread gets
 * the region of the program. */
#include "openmp_workers.h"
#include "run.h"

#include "probe/program_region.h"
#include "system/library.h"
#include "system/private_thread.h"

#include <pdump.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default")))

struct start {
    void *(*function)(void *);
    void *argument;
    bool is_worker; /* of OpenMP */
};

static void thread_leave(void *member)
{
    if (member)
        team_quit(member);
    pdump_program_end(false);
}

/* pthread_exit() and cancellation also run thread_leave(). */
static void *thread_main(void *data)
{
    struct start start = *(struct start *)data;
    struct team_member member = { .has_left = false };
    void *result;

    free(data);
    run_begin();
    if (start.is_worker)
        team_join(&member);
    pthread_cleanup_push(thread_leave, start.is_worker ? &member : NULL);
    result = start.function(start.argument);
    pthread_cleanup_pop(1);
    return result;
}

/* Libraries whose threads only wait for messages. */
static const char *const helpers[] = {
    "libevent", "libfabric", "libmpi", "libopen-", "libpdump",
    "libpmix",  "libprrte",  "libuc",  "pdump_",
};

/* Looked up early, because dlsym() may wait for a lock of the loader. */
static __typeof__(&pthread_create) next_create;

__attribute__((constructor)) static void find_next(void)
{
    next_create = RUN_NEXT(pthread_create);
}

/* Returns true if the thread belongs to libpdump or MPI and not to the
 * program. */
static bool is_helper(const char *library)
{
    for (size_t i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++)
        if (strncmp(library, helpers[i], strlen(helpers[i])) == 0)
            return true;
    return false;
}

/* In parentheses, because lock_checks.h has a macro of that name. */
API int(pthread_create)(pthread_t *id, const pthread_attr_t *attributes,
                        void *(*function)(void *), void *argument)
{
    const char *library = pdump_library_of((void *)(uintptr_t)function);
    struct start *start = NULL;
    int err;

    if (!next_create)
        find_next();
    if (run_is_ours() && pdump_is_active() &&
        !pdump_private_thread_is_starting() && !is_helper(library))
        start = malloc(sizeof(*start));
    if (!start)
        return next_create(id, attributes, function, argument);
    *start = (struct start){ function, argument, team_is_runtime(library) };
    err = next_create(id, attributes, thread_main, start);
    if (err)
        free(start);
    return err;
}
