/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wraps the exec family: completes the record of this program, and makes the
 * next one be followed.
 *
 * The caller may be the child of a vfork(), which shares its parent's memory.
 * So nothing is allocated here, and nothing is changed unless the session
 * belongs to this process.
 */
#include "environment.h"
#include "executable.h"
#include "run.h"

#include "probe/program_region.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))

extern char **environ;

enum how { EXACT, SEARCHED, OPENED };

/* Looked up early, because a forked child should not call dlsym(). */
static __typeof__(&execve) next_execve;
static __typeof__(&execvpe) next_execvpe;
static __typeof__(&fexecve) next_fexecve;

__attribute__((constructor)) static void find_next(void)
{
    next_execve = RUN_NEXT(execve);
    next_execvpe = RUN_NEXT(execvpe);
    next_fexecve = RUN_NEXT(fexecve);
}

static int exec_call(enum how how, const char *file, int fd, char *const *argv,
                     char *const *env)
{
    if (!next_execve)
        find_next();
    if (how == SEARCHED)
        return next_execvpe(file, argv, env);
    if (how == OPENED)
        return next_fexecve(fd, argv, env);
    return next_execve(file, argv, env);
}

/* Calls exec with the environment that makes the program be followed. */
static int call_followed(enum how how, const char *file, int fd,
                         char *const *argv, char *const *env,
                         const struct image *image)
{
    size_t bytes = 0, n = environment_size(env, &bytes);
    char *changed[n + 1], text[bytes + 1];

    if (n == 0)
        return exec_call(how, file, fd, argv, env);
    environment_make(env, image, changed, text, bytes);
    return exec_call(how, file, fd, argv, changed);
}

/* A file that cannot be executed anyway changes nothing in the record. */
static int exec_file(enum how how, const char *file, int fd, char *const *argv,
                     char *const *env)
{
    char buf[PATH_MAX];
    const char *path;
    bool is_leaving;
    struct image image = { "" };
    int result, why;

    if (!run.is_followed)
        return exec_call(how, file, fd, argv, env);
    path = how == SEARCHED ? image_find(file, buf) : file;
    is_leaving = run_is_ours() && access(path, X_OK) == 0;
    image_check(path, &image);
    if (is_leaving && run.is_forked)
        pdump_program_void();
    if (is_leaving)
        run_leave();
    result = call_followed(how, file, fd, argv, env, &image);
    why = errno;
    if (is_leaving) {
        pdump_program_keep();
        run_begin();
    }
    errno = why;
    return result;
}

API int execve(const char *path, char *const argv[], char *const envp[])
{
    return exec_file(EXACT, path, -1, argv, envp);
}

API int execv(const char *path, char *const argv[])
{
    return exec_file(EXACT, path, -1, argv, environ);
}

API int execvp(const char *file, char *const argv[])
{
    return exec_file(SEARCHED, file, -1, argv, environ);
}

API int execvpe(const char *file, char *const argv[], char *const envp[])
{
    return exec_file(SEARCHED, file, -1, argv, envp);
}

API int fexecve(int fd, char *const argv[], char *const envp[])
{
    char path[40];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    return exec_file(OPENED, path, fd, argv, envp);
}

/* Makes an array of the arguments `first` to NULL; if `has_env`, the
 * environment follows.  It is on the stack, because the caller may be a child
 * of vfork(). */
static int exec_list(enum how how, const char *path, const char *first,
                     bool has_env, va_list list)
{
    char *const *env = environ;
    size_t n = 1;
    va_list again;

    va_copy(again, list);
    for (const char *arg = first; arg; n++)
        arg = va_arg(again, const char *);
    va_end(again);
    char *argv[n + 1];

    argv[0] = (char *)first;
    for (size_t i = 0; argv[i]; i++)
        argv[i + 1] = va_arg(list, char *);
    if (has_env)
        env = va_arg(list, char *const *);
    return exec_file(how, path, -1, argv, env);
}

API int execl(const char *path, const char *arg, ...)
{
    va_list list;
    int code;

    va_start(list, arg);
    code = exec_list(EXACT, path, arg, false, list);
    va_end(list);
    return code;
}

API int execlp(const char *file, const char *arg, ...)
{
    va_list list;
    int code;

    va_start(list, arg);
    code = exec_list(SEARCHED, file, arg, false, list);
    va_end(list);
    return code;
}

API int execle(const char *path, const char *arg, ...)
{
    va_list list;
    int code;

    va_start(list, arg);
    code = exec_list(EXACT, path, arg, true, list);
    va_end(list);
    return code;
}
