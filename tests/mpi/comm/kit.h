/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that use the MPI module as the library does: PROGRAM SONAME CASE. */
#ifndef PDUMP_TESTS_MPI_COMM_KIT_H
#define PDUMP_TESTS_MPI_COMM_KIT_H

#include "program/behaviour/kit.h"

#include "config/settings.h"
#include "job/comm.h"
#include "system/plugin.h"

#include <mpi.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

static const struct pdump_comm *comm;
static int rank, size;

static inline void nothing(void) {}

static inline double now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static inline void load(const char *soname)
{
    const struct pdump_plugin *plugin;
    struct pdump_settings set;

    OK(pdump_settings_load(&set, (pdump_getenv *)getenv));
    OK(pdump_plugin_load(set.modules, soname, "mpi", &plugin));
    if (n_failed > 0)
        exit(1);
    comm = plugin->comm;
}

/* MPI, and the module attached to it. */
static inline void start(int level, void (*at_end)(void))
{
    int provided;

    MPI_Init_thread(NULL, NULL, level, &provided);
    YES(provided >= level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    OK(comm->attach(at_end));
    MPI_Barrier(MPI_COMM_WORLD); /* deadlines begin for all at the same time */
}

static inline int main_of(int argc, char **argv, const struct behaviour *table)
{
    int code;

    if (argc != 3)
        return 99;
    load(argv[1]);
    code = run_behaviour(argc - 1, argv + 1, table);
    if (code == 0)
        printf("passed\n");
    fflush(stdout);
    return code;
}

#endif
