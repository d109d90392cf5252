/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads the wrappers of MPI calls. */
#include "wrappers.h"
#include "environment.h"
#include "preload.h"
#include "program_kind.h"
#include "run.h"
#include "notes_writer.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

enum { ARGUMENTS_MAX = 4 * 1024 * 1024 };

static bool is_mapped(const char *soname)
{
    void *so = dlopen(soname, RTLD_LAZY | RTLD_NOLOAD);

    if (so)
        dlclose(so);
    return so != NULL;
}

/* Returns true for the library of the MPI whose launcher started this rank. */
static bool is_launchers(const char *soname)
{
    bool is_mpich =
        strstr(soname, "mpich") || strcmp(soname, "libmpi.so.12") == 0;

    return getenv("OMPI_COMM_WORLD_RANK") ? !is_mpich : is_mpich;
}

/* Finds the path of the wrappers that fit. */
static bool wrappers_find(const char *program, char *path, size_t len)
{
    bool is_guessed =
        kind_is_interpreter(program) && environment_is_rank(environ);
    DIR *dir = opendir(run.folder);
    struct dirent *entry;
    bool is_found = false;

    for (int round = 0; dir && !is_found && round <= is_guessed; round++) {
        rewinddir(dir);
        while (!is_found && (entry = readdir(dir))) {
            if (entry->d_name[0] == '.' ||
                snprintf(path, len, "%s/%s/" PRELOAD_MPI, run.folder,
                         entry->d_name) >= (int)len ||
                access(path, R_OK) != 0)
                continue;
            is_found = round == 0 ? is_mapped(entry->d_name)
                                  : is_launchers(entry->d_name);
        }
    }
    if (dir)
        closedir(dir);
    return is_found;
}

/* Notes an MPI that there are no wrappers for. */
static int tell_unknown(struct dl_phdr_info *info, size_t size, void *program)
{
    const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    char text[NAME_MAX + 300];

    (void)size;
    if (!slash || (strncmp(slash, "/libmpi.so", 10) != 0 &&
                   strncmp(slash, "/libmpich.so", 12) != 0))
        return 0;
    snprintf(text, sizeof(text), "%s (%s)", (const char *)program, slash + 1);
    notes_add("wrappers", text);
    return 1;
}

/* Reads all of a file in /proc.  Given, or NULL. */
static char *read_all(const char *path, size_t *len)
{
    char *text = malloc(ARGUMENTS_MAX + 1);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = 0;

    *len = 0;
    while (text && fd >= 0 && *len < ARGUMENTS_MAX &&
           (n = read(fd, text + *len, ARGUMENTS_MAX - *len)) > 0)
        *len += (size_t)n;
    if (fd >= 0)
        close(fd);
    if (text && n == 0 && *len > 0) {
        text[*len] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

/* Executes the program again.  Returns if that fails. */
static void execute_again(const char *preload)
{
    char program[PATH_MAX], **argv;
    ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);
    size_t len, n_args = 0;
    char *text = read_all("/proc/self/cmdline", &len);

    for (size_t i = 0; text && i < len; i++)
        n_args += text[i] == '\0';
    argv = text ? malloc((n_args + 1) * sizeof(*argv)) : NULL;
    if (n > 0 && argv) {
        size_t at = 0;

        program[n] = '\0';
        for (size_t i = 0; i < n_args; i++, at += strlen(text + at) + 1)
            argv[i] = text + at;
        argv[n_args] = NULL;
        setenv("LD_PRELOAD", preload, 1);
        RUN_NEXT(execve)(program, argv, environ);
    }
    free(argv);
    free(text);
}

void wrappers_load(const char *program)
{
    const char *before = getenv("LD_PRELOAD");
    char path[PATH_MAX], *preload, *old;
    size_t len, n;

    if (preload_has(before, PRELOAD_MPI))
        return;
    if (!wrappers_find(program, path, sizeof(path))) {
        dl_iterate_phdr(tell_unknown, (void *)program);
        return;
    }
    len = strlen(before ? before : "") + strlen(path) + 2;
    preload = malloc(len);
    old = strdup(before ? before : "");
    if (preload && old) {
        /* First, so that the wrapper of MPI_Init() is called; but after a
         * sanitizer, which must be the very first. */
        n = preload_runtime(old);
        snprintf(preload, len, "%.*s%s%s%s", (int)n, old, path,
                 old[n] ? ":" : "", old + n);
        execute_again(preload);
        setenv("LD_PRELOAD", old, 1);
        notes_add("wrappers", program);
    }
    free(preload);
    free(old);
}
