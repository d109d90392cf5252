/* SPDX-License-Identifier: BSD-3-Clause */
/* pthread_create(): every thread counts by itself, so every thread gets the
 * region of the program, too. */
#include "run.h"

#include "program.h"

#include <dlfcn.h>
#include <pdump.h>
#include <pthread.h>
#include <stdlib.h>

#define API __attribute__((visibility("default")))

struct start {
    void *(*function)(void *);
    void *argument;
};

static void leave(void *unused)
{
    (void)unused;
    pdump_program_end(false);
}

/* Its end is also pthread_exit(), or that it is cancelled. */
static void *thread(void *data)
{
    struct start start = *(struct start *)data;
    void *result;

    free(data);
    run_begin();
    pthread_cleanup_push(leave, NULL);
    result = start.function(start.argument);
    pthread_cleanup_pop(1);
    return result;
}

/* One of libpdump's own? */
static bool is_inner(void *(*function)(void *))
{
    Dl_info of_function, of_library;

    return dladdr((void *)function, &of_function) &&
           dladdr((void *)pdump_init, &of_library) &&
           of_function.dli_fbase == of_library.dli_fbase;
}

API int pthread_create(pthread_t *id, const pthread_attr_t *attributes,
                       void *(*function)(void *), void *argument)
{
    struct start *start;
    int err;

    if (!run_is_ours() || !pdump_is_active() || is_inner(function))
        return RUN_NEXT(pthread_create)(id, attributes, function, argument);
    start = malloc(sizeof(*start));
    if (!start)
        return RUN_NEXT(pthread_create)(id, attributes, function, argument);
    *start = (struct start){ function, argument };
    err = RUN_NEXT(pthread_create)(id, attributes, thread, start);
    if (err)
        free(start);
    return err;
}
