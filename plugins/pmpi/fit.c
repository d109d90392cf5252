/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Is this library the one for the program's MPI?
 *
 * Handles are numbers in one MPI and addresses in another one: functions of the
 * wrong library cannot even pass a call on, and the program would crash.  What
 * was preloaded by mistake is left out, by starting the program again before it
 * has done anything.
 */
#include "log.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* The library that the program's calls come to, if it is another MPI's. */
static const char *other_mpi(void)
{
    void *own = dlopen(PDUMP_MPI_SONAME, RTLD_LAZY | RTLD_NOLOAD);
    void *used = dlsym(RTLD_DEFAULT, "PMPI_Init");
    bool is_own = !own || !used || dlsym(own, "PMPI_Init") == used;
    Dl_info info;

    if (own)
        dlclose(own);
    return !is_own && dladdr(used, &info) ? base_name(info.dli_fname) : NULL;
}

/* The list without libraries of our name; false if there was none. */
static bool leave_out(char *list)
{
    char *copy = strdup(list), *rest = copy, *word;
    bool is_there = false;

    list[0] = '\0';
    while (copy && (word = strsep(&rest, ": ")) != NULL) {
        if (strcmp(base_name(word), "libpdump-pmpi.so") == 0) {
            is_there = true;
        } else if (*word) {
            strcat(list, list[0] ? ":" : "");
            strcat(list, word);
        }
    }
    free(copy);
    return is_there;
}

/* With the same arguments; returns if that is not possible. */
static void start_again(char **argv)
{
    const char *preloaded = getenv("LD_PRELOAD");
    char path[4096], *list = preloaded ? strdup(preloaded) : NULL;
    ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

    /* Base 0: by the dynamic loader as a command, which is then that file. */
    if (list && leave_out(list) && n > 0 && getauxval(AT_BASE) != 0) {
        path[n] = '\0';
        if (list[0])
            setenv("LD_PRELOAD", list, 1);
        else
            unsetenv("LD_PRELOAD");
        execv(path, argv);
        setenv("LD_PRELOAD", preloaded, 1);
    }
    free(list);
}

__attribute__((constructor)) static void look(int argc, char **argv)
{
    const char *other = other_mpi(), *quiet = getenv("PDUMP_QUIET");

    (void)argc;
    if (!other)
        return;
    /* Nobody has read the settings yet. */
    if (!quiet || strcmp(quiet, "1") != 0)
        pdump_warn("wrong MPI",
                   "MPI calls are not recorded: this libpdump-pmpi.so is for "
                   "%s, and the program has %s, which has its own",
                   PDUMP_MPI_SONAME, other);
    start_again(argv);
}
