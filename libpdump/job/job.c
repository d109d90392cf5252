/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the job that this process may be a rank of. */
#include "job/job.h"
#include "system/env.h"
#include "system/log.h"
#include "system/plugin.h"

#include <ctype.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct pdump_comm *_Atomic found; /* belongs to a module */
static _Atomic bool is_forgotten;

/* The thread that has set is_looking looks for the module and owns the
 * variables below.  Other threads do not wait for it, because it may wait for
 * the loader's lock, which they may hold. */
static _Atomic bool is_looking;
static unsigned long long last_adds; /* libraries loaded at the last look */
static bool is_held; /* is_looking is held by the thread that forks */

static const char *job_variable(const char *name)
{
    const char *value = pdump_env(name);

    return value && *value ? value : NULL;
}

int pdump_job_guess_rank(void)
{
    static const char *const names[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                         "PMI_RANK", "MV2_COMM_WORLD_RANK" };
    const char *tasks = job_variable("SLURM_STEP_NUM_TASKS");

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (job_variable(names[i]))
            return atoi(job_variable(names[i]));
    /* SLURM_PROCID is also set in scripts that srun has not started. */
    if (tasks && atoi(tasks) > 1 && job_variable("SLURM_PROCID"))
        return atoi(job_variable("SLURM_PROCID"));
    return -1;
}

int pdump_job_guess_size(int *rank)
{
    static const char *const names[][2] = {
        { "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK" },
        { "PMI_SIZE", "PMI_RANK" },
        { "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK" },
    };
    int least = 0;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        int size =
            job_variable(names[i][0]) ? atoi(job_variable(names[i][0])) : 0;

        if (size <= 0 || (least > 0 && size >= least))
            continue;
        least = size;
        *rank = job_variable(names[i][1]) ? atoi(job_variable(names[i][1])) : 0;
    }
    return least;
}

/* Returns the start time of a process, in clock ticks since boot; 0 if
 * unknown. */
static unsigned long long start_of(pid_t pid)
{
    char path[40], line[1024], *after;
    unsigned long long start = 0;
    FILE *f;

    snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
    f = fopen(path, "re");
    if (!f)
        return 0;
    /* The name may contain blanks; the fields after its bracket do not. */
    after = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
    if (after)
        sscanf(after + 1,
               "%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
               "%*s %*s %*s %*s %llu",
               &start);
    fclose(f);
    return start;
}

void pdump_job_name(char *out, size_t len)
{
    const char *job = job_variable("PMIX_NAMESPACE");
    const char *slurm = job_variable("SLURM_JOB_ID");
    const char *step = job_variable("SLURM_STEP_ID");

    *out = '\0';
    if (pdump_job_guess_rank() < 0)
        return; /* in a batch script the variables do not describe ranks */
    if (job)    /* keep the end of a long name: it has the number */
        snprintf(out, len, "%s",
                 strlen(job) < len ? job : job + strlen(job) + 1 - len);
    else if (slurm && step)
        snprintf(out, len, "%s_%s", slurm, step);
    else /* MPICH has no name: use the process that started all ranks */
        snprintf(out, len, "%lx%llx", (long)getppid(), start_of(getppid()));
    for (; *out; out++)
        if (!isalnum((unsigned char)*out))
            *out = '_';
}

static int note_adds(struct dl_phdr_info *info, size_t size, void *adds)
{
    (void)size;
    *(unsigned long long *)adds = info->dlpi_adds;
    return 1;
}

/* Returns true if a library has been loaded since the last look. */
static bool has_changed(void)
{
    unsigned long long adds = 0;

    dl_iterate_phdr(note_adds, &adds);
    if (adds == last_adds)
        return false;
    last_adds = adds;
    return true;
}

static int is_mpi(struct dl_phdr_info *info, size_t size, void *data)
{
    const char *slash = strrchr(info->dlpi_name, '/');

    (void)size;
    (void)data;
    return strncmp(slash ? slash + 1 : info->dlpi_name, "libmp", 5) == 0;
}

/* Returns true if a library in this process may be an MPI, by the names of
 * those that libpdump can be built for (m4/pdump_mpi.m4).  Asking the loader
 * for each MPI that has a module would make it search its folders. */
static bool has_mpi(void)
{
    return dl_iterate_phdr(is_mpi, NULL) != 0;
}

static void job_look(const struct pdump_settings *set)
{
    const struct pdump_plugin *plugin;
    int err;

    if (!has_changed() || !has_mpi())
        return;
    err = pdump_plugin_find(set->modules, "mpi", &plugin);
    if (err >= 0)
        found = plugin->comm;
    else if (err == PDUMP_EPLUGIN)
        pdump_warn("MPI module",
                   "every rank writes its own file, because the MPI module "
                   "cannot be used: install libpdump again, or combine the "
                   "files with \"pdump merge\" (%s)",
                   pdump_last_error());
}

const struct pdump_comm *pdump_job_find(const struct pdump_settings *set,
                                        void (*at_end)(void))
{
    const struct pdump_comm *comm;

    if (is_forgotten)
        return NULL;
    if (!found && !atomic_exchange(&is_looking, true)) {
        job_look(set);
        is_looking = false;
    }
    comm = found;
    return comm && comm->attach(at_end) >= 0 ? comm : NULL;
}

bool pdump_job_was_started(void)
{
    const struct pdump_comm *comm = is_forgotten ? NULL : found;

    return comm && comm->was_started();
}

static bool is_past(struct timespec moment)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec > moment.tv_sec ||
           (now.tv_sec == moment.tv_sec && now.tv_nsec >= moment.tv_nsec);
}

/* A child would inherit the loader's lock from the thread that is looking: wait
 * for that thread, but not forever. */
void pdump_job_before_fork(struct timespec until)
{
    const struct timespec pause = { .tv_nsec = 1000000 };

    is_held = !atomic_exchange(&is_looking, true);
    while (!is_held && !is_past(until)) {
        nanosleep(&pause, NULL);
        is_held = !atomic_exchange(&is_looking, true);
    }
}

void pdump_job_in_parent(void)
{
    if (is_held)
        is_looking = false;
}

void pdump_job_forget(void)
{
    is_forgotten = true;
    is_looking = false;
}
