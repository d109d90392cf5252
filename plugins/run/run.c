/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs when the program starts: joins the run, and begins the region that
 * stands for the whole program. libpdump leaves that region when the session
 * ends.
 */
#include "run.h"
#include "environment.h"
#include "openmp_workers.h"
#include "preload.h"
#include "program_kind.h"
#include "notes_writer.h"
#include "wrappers.h"

#include "probe/handshake.h"
#include "probe/program_region.h"
#include "probe/run_join.h"
#include "system/env.h"
#include "system/process_state.h"

#include <dlfcn.h>
#include <limits.h>
#include <pdump.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run run;

static char folder[PATH_MAX];
static char origin[PATH_MAX + 80];
static char name[NAME_MAX + 1];
static bool is_shell;

void *run_next(const char *symbol)
{
    return dlsym(RTLD_NEXT, symbol);
}

bool run_is_ours(void)
{
    return run.is_recorded && pdump_process_is_own();
}

void run_begin(void)
{
    pdump_program_begin(name);
}

void run_leave(void)
{
    if (run_is_ours())
        pdump_program_end(true);
    if (run.is_followed && pdump_process_is_own() && *pdump_run_join_written())
        notes_add("file", pdump_run_join_written());
}

/* Parses "FLAGS NOTES ORIGIN": FLAGS has an m if MPI calls are to be
 * recorded. */
static bool read_run(void)
{
    const char *text = pdump_env("PDUMP_RUN");
    char flags[8], store[2];
    int at = 0;

    if (!text || sscanf(text, "%7s %d %n", flags, &run.notes, &at) != 2 ||
        sscanf(text + at, "%*s %ld %*s %1s", &run.root, store) != 2 ||
        strlen(text + at) >= sizeof(origin))
        return false;
    strcpy(origin, text + at);
    run.origin = origin;
    run.wants_mpi = strchr(flags, 'm') != NULL;
    return true;
}

static bool find_folder(void)
{
    Dl_info info;
    char *slash;

    if (!dladdr(&run, &info) || !info.dli_fname || info.dli_fname[0] != '/')
        return false;
    snprintf(folder, sizeof(folder), "%s", info.dli_fname);
    slash = strrchr(folder, '/');
    *slash = '\0';
    run.folder = folder;
    return true;
}

/* A child may have been forked to work or to execute another program; this is
 * not known yet.  A shell usually does the latter. */
static void start_anew(void)
{
    if (!run.is_followed)
        return;
    run.pid = getpid();
    run.is_forked = true;
    team_forget();
    if (run.is_recorded && !is_shell)
        run_begin();
}

static struct pdump_process_hook in_child = { .call = start_anew };

/* The first process of the run may be on another machine, or may have ended.
 * Then this process stands alone. */
static void join_run(void)
{
    if (pdump_run_join_is_open(run.origin))
        pdump_run_join_by(run.origin);
    run.is_recorded = true;
    run_begin();
    pdump_program_at_end(team_leave);
    pdump_process_in_child(&in_child);
}

__attribute__((constructor)) static void at_start(void)
{
    if (!pdump_probe_is_open() || !read_run() || !find_folder())
        return;
    run.pid = getpid();
    run.is_followed = true;
    environment_save();
    kind_name(name, sizeof(name));
    is_shell = kind_is_shell(name);
    if (run.wants_mpi)
        wrappers_load(name);
    preload_hide();
    if (!kind_is_launcher(name))
        join_run();
    else if (!kind_is_pdump(name)) /* its I/O is not recorded, either */
        pdump_set("PDUMP_DISABLE", "1");
}

/* Runs before libpdump's own destructor, which may still write a file; the file
 * of MPI_Finalize() is complete. */
__attribute__((destructor)) static void at_end(void)
{
    if (run.is_followed && pdump_process_is_own() && *pdump_run_join_written())
        notes_add("file", pdump_run_join_written());
}
