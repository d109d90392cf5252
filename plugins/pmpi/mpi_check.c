/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks that this library fits the program's MPI, and that it comes before
 * other tools.
 *
 * Handles are numbers in one MPI and addresses in another: functions of the
 * wrong library cannot even forward a call, and the program would crash.  A
 * library that was preloaded by mistake is removed from LD_PRELOAD, and one
 * that was preloaded after another tool is moved before it (tools.h).  Then the
 * program is executed again, before it has done anything.
 */
#include "system/env.h"
#include "system/log.h"
#include "tools.h"

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

/* Returns the MPI library that the program uses if it is not ours, else
 * NULL. */
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

static bool is_ours(const char *word)
{
    return strcmp(base_name(word), "libpdump-pmpi.so") == 0;
}

static void list_append(char *list, const char *word)
{
    strcat(list, list[0] ? ":" : "");
    strcat(list, word);
}

/* Removes libraries of our name from the list.  Returns false if there is
 * none. */
static bool leave_out(char *list)
{
    char *copy = strdup(list), *rest = copy, *word;
    bool is_there = false;

    list[0] = '\0';
    while (copy && (word = strsep(&rest, ": ")) != NULL) {
        if (is_ours(word))
            is_there = true;
        else if (*word)
            list_append(list, word);
    }
    free(copy);
    return is_there;
}

/* Returns the first library in the list that has our name.  Given, or NULL. */
static char *own_word(const char *list)
{
    char *copy = strdup(list), *rest = copy, *word, *found = NULL;

    while (copy && !found && (word = strsep(&rest, ": ")) != NULL)
        if (is_ours(word))
            found = strdup(word);
    free(copy);
    return found;
}

/* Moves our library before the tool.  Returns false if the list does not have
 * both, or has them in that order already. */
static bool move_up(char *list, const char *tool)
{
    char *own = own_word(list), *copy = strdup(list), *rest = copy, *word;
    bool is_moved = false, is_met = false;

    list[0] = '\0';
    while (own && copy && (word = strsep(&rest, ": ")) != NULL) {
        if (is_ours(word)) {
            is_met = true;
            continue;
        }
        if (!is_met && !is_moved &&
            strcmp(base_name(word), base_name(tool)) == 0) {
            list_append(list, own);
            is_moved = true;
        }
        if (*word)
            list_append(list, word);
    }
    free(copy);
    free(own);
    return is_moved;
}

/* Executes the program again with the same arguments.  Returns if that
 * fails. */
static void start_again(char **argv, const char *list)
{
    const char *before = getenv("LD_PRELOAD");
    char path[4096], *preloaded = before ? strdup(before) : NULL;
    ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

    /* Base 0: started by the loader as a command; then /proc/self/exe is the
     * loader. */
    if (preloaded && n > 0 && getauxval(AT_BASE) != 0) {
        path[n] = '\0';
        if (list[0])
            setenv("LD_PRELOAD", list, 1);
        else
            unsetenv("LD_PRELOAD");
        execv(path, argv);
        setenv("LD_PRELOAD", preloaded, 1);
    }
    free(preloaded);
}

/* Reads the variable directly, because the settings have not been read yet. */
static bool is_quiet(void)
{
    const char *quiet = pdump_env("PDUMP_QUIET");

    return quiet && strcmp(quiet, "1") == 0;
}

static void program_leave(char **argv, char *list, const char *other)
{
    if (!is_quiet())
        pdump_warn("wrong MPI",
                   "MPI calls are not recorded: this libpdump-pmpi.so is for "
                   "%s, and the program has %s, which has its own",
                   PDUMP_MPI_SONAME, other);
    if (list && leave_out(list))
        start_again(argv, list);
}

static void come_first(char **argv, char *list)
{
    const char *tool = pdump_tools_in_front();

    if (!tool)
        return;
    if (list && move_up(list, tool))
        start_again(argv, list);
    if (!is_quiet())
        pdump_warn("another tool",
                   "MPI calls that %s has functions for are not recorded: it "
                   "comes before libpdump-pmpi.so, which must be preloaded",
                   base_name(tool));
}

__attribute__((constructor)) static void mpi_look(int argc, char **argv)
{
    const char *preloaded = getenv("LD_PRELOAD"), *other = other_mpi();
    char *list = preloaded ? strdup(preloaded) : NULL, *own;

    (void)argc;
    own = list ? own_word(list) : NULL;
    if (other)
        program_leave(argv, list, other);
    else if (!own || strncmp(list, own, strlen(own)) != 0)
        come_first(argv, list);
    free(own);
    free(list);
}
