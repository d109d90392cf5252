/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Pcontrol() for programs that do not know libpdump: to be linked or
 * preloaded.  MPI's own function does nothing, so the call is not passed on.
 * As in perf-dump, the first time step begins in MPI_Init(); libpdump ends the
 * last one in MPI_Finalize().
 *
 * No MPI is needed to build this, so one library serves all of them.
 */
#include <pdump.h>

#include <dlfcn.h>
#include <stdatomic.h>

enum { MPI_FAILURE = 1 };

PDUMP_API int MPI_Init(int *argc, char ***argv);
PDUMP_API int MPI_Init_thread(int *argc, char ***argv, int required,
                              int *provided);
PDUMP_API void mpi_init_(int *error);
PDUMP_API void mpi_init_f08_(int *error);
PDUMP_API void mpi_init_thread_(const int *required, int *provided, int *error);
PDUMP_API void mpi_init_thread_f08_(const int *required, int *provided,
                                    int *error);
PDUMP_API int MPI_Pcontrol(const int level, ...);
PDUMP_API void mpi_pcontrol_(const int *level);
PDUMP_API void mpi_pcontrol_f08_(const int *level);

/* Returns the function behind this one, of MPI or of another tool. */
static void *function_behind(const char *name, const char *profiled)
{
    void *found = dlsym(RTLD_NEXT, name);

    return found ? found : dlsym(RTLD_DEFAULT, profiled);
}

/* MPI's functions for Fortran may call those for C: only the first counts. */
static void begin_steps(void)
{
    static atomic_flag is_begun = ATOMIC_FLAG_INIT;

    if (!atomic_flag_test_and_set(&is_begun))
        pdump_pcontrol(2);
}

int MPI_Init(int *argc, char ***argv)
{
    int (*call)(int *, char ***) =
        (int (*)(int *, char ***))function_behind("MPI_Init", "PMPI_Init");
    int error = call ? call(argc, argv) : MPI_FAILURE;

    if (error == 0)
        begin_steps();
    return error;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int (*call)(int *, char ***, int, int *) =
        (int (*)(int *, char ***, int, int *))function_behind(
            "MPI_Init_thread", "PMPI_Init_thread");
    int error = call ? call(argc, argv, required, provided) : MPI_FAILURE;

    if (error == 0)
        begin_steps();
    return error;
}

/* `error` is NULL if the program omits it, as it may with mpi_f08.  The default
 * error handler ends the program if MPI cannot start. */
static void mpi_init(const char *name, const char *profiled, int *error)
{
    void (*call)(int *) = (void (*)(int *))function_behind(name, profiled);

    if (call)
        call(error);
    else if (error)
        *error = MPI_FAILURE;
    if (call && (!error || *error == 0))
        begin_steps();
}

static void init_thread(const char *name, const char *profiled,
                        const int *required, int *provided, int *error)
{
    void (*call)(const int *, int *, int *) =
        (void (*)(const int *, int *, int *))function_behind(name, profiled);

    if (call)
        call(required, provided, error);
    else if (error)
        *error = MPI_FAILURE;
    if (call && (!error || *error == 0))
        begin_steps();
}

void mpi_init_(int *error)
{
    mpi_init("mpi_init_", "pmpi_init_", error);
}

void mpi_init_f08_(int *error)
{
    mpi_init("mpi_init_f08_", "pmpi_init_f08_", error);
}

void mpi_init_thread_(const int *required, int *provided, int *error)
{
    init_thread("mpi_init_thread_", "pmpi_init_thread_", required, provided,
                error);
}

void mpi_init_thread_f08_(const int *required, int *provided, int *error)
{
    init_thread("mpi_init_thread_f08_", "pmpi_init_thread_f08_", required,
                provided, error);
}

int MPI_Pcontrol(const int level, ...)
{
    pdump_pcontrol(level);
    return 0; /* MPI_SUCCESS in every MPI */
}

void mpi_pcontrol_(const int *level)
{
    pdump_pcontrol(*level);
}

void mpi_pcontrol_f08_(const int *level)
{
    pdump_pcontrol(*level);
}
