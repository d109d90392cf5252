/* SPDX-License-Identifier: BSD-3-Clause */
/* Wraps posix_spawn(), so that the new process is followed. */
#include "environment.h"
#include "executable.h"
#include "run.h"

#include <limits.h>
#include <spawn.h>

#define API __attribute__((visibility("default")))

typedef int spawn_function(pid_t *, const char *,
                           const posix_spawn_file_actions_t *,
                           const posix_spawnattr_t *, char *const[],
                           char *const[]);

/* Looked up early: dlsym() waits for a dlopen() in another thread, whose
 * constructors may wait for this one. */
static spawn_function *next_spawn, *next_spawnp;

__attribute__((constructor)) static void find_next(void)
{
    next_spawn = RUN_NEXT(posix_spawn);
    next_spawnp = RUN_NEXT(posix_spawnp);
}

static int spawn_changed(spawn_function *next, pid_t *pid, const char *file,
                         const posix_spawn_file_actions_t *actions,
                         const posix_spawnattr_t *attributes, char *const *argv,
                         char *const *env, const struct image *image)
{
    size_t bytes = 0, n = environment_size(env, &bytes);
    char *changed[n + 1], text[bytes + 1];

    if (n == 0)
        return next(pid, file, actions, attributes, argv, env);
    environment_make(env, image, changed, text, bytes);
    return next(pid, file, actions, attributes, argv, changed);
}

API int posix_spawn(pid_t *pid, const char *path,
                    const posix_spawn_file_actions_t *actions,
                    const posix_spawnattr_t *attributes, char *const argv[],
                    char *const envp[])
{
    struct image image = { "" };

    if (!next_spawn)
        find_next();
    if (run.is_followed)
        image_check(path, &image);
    return spawn_changed(next_spawn, pid, path, actions, attributes, argv, envp,
                         &image);
}

API int posix_spawnp(pid_t *pid, const char *file,
                     const posix_spawn_file_actions_t *actions,
                     const posix_spawnattr_t *attributes, char *const argv[],
                     char *const envp[])
{
    char buf[PATH_MAX];
    struct image image = { "" };

    if (!next_spawn)
        find_next();
    if (run.is_followed)
        image_check(image_find(file, buf), &image);
    return spawn_changed(next_spawnp, pid, file, actions, attributes, argv,
                         envp, &image);
}
