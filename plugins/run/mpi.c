/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wraps MPI_Init() in a rank that `pdump run` follows: afterwards its session
 * joins the job, so that the ranks write one file together in MPI_Finalize().
 *
 * No MPI is needed to build this, so one library serves all of them.  It is
 * preloaded only into the ranks of jobs.
 */
#include <pdump.h>

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PDUMP_API int MPI_Init(int *argc, char ***argv);
PDUMP_API int MPI_Init_thread(int *argc, char ***argv, int required,
                              int *provided);
PDUMP_API void mpi_init_(int *error);
PDUMP_API void mpi_init_f08_(int *error);
PDUMP_API void mpi_init_thread_(int *required, int *provided, int *error);
PDUMP_API void mpi_init_thread_f08_(int *required, int *provided, int *error);

/* Libraries whose names begin like those of MPI libraries. */
struct candidates {
    char path[8][PATH_MAX];
    int n;
};

static int library_note(struct dl_phdr_info *info, size_t size, void *data)
{
    struct candidates *c = data;
    const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;

    (void)size;
    if (slash && strncmp(slash, "/libmpi", 7) == 0 && c->n < 8)
        snprintf(c->path[c->n++], PATH_MAX, "%s", info->dlpi_name);
    return 0;
}

/* Python loads its MPI with RTLD_LOCAL, where RTLD_NEXT does not find it. */
static void *find_elsewhere(const char *name)
{
    struct candidates *c = calloc(1, sizeof(*c));
    void *found = NULL;

    if (!c)
        return NULL;
    dl_iterate_phdr(library_note, c);
    for (int i = 0; i < c->n && !found; i++) {
        void *so = dlopen(c->path[i], RTLD_LAZY | RTLD_NOLOAD);

        if (so) {
            found = dlsym(so, name);
            dlclose(so);
        }
    }
    free(c);
    return found;
}

/* Returns the function behind our wrapper. */
static void *next_function(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);

    return found ? found : find_elsewhere(name);
}

/* pdump_init() does not restart a session that was ended; it joins the job. */
static void job_join(void)
{
    if (pdump_is_active())
        pdump_init();
}

int MPI_Init(int *argc, char ***argv)
{
    int (*function)(int *, char ***) = next_function("MPI_Init");
    int err = function ? function(argc, argv) : 1;

    job_join();
    return err;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int (*function)(int *, char ***, int, int *) =
        next_function("MPI_Init_thread");
    int err = function ? function(argc, argv, required, provided) : 1;

    job_join();
    return err;
}

static void mpi_init(const char *name, int *error)
{
    void (*function)(int *) = next_function(name);

    if (function)
        function(error);
    else if (error)
        *error = 1;
    job_join();
}

void mpi_init_(int *error)
{
    mpi_init("mpi_init_", error);
}

void mpi_init_f08_(int *error)
{
    mpi_init("mpi_init_f08_", error);
}

static void mpi_init_thread(const char *name, int *required, int *provided,
                            int *error)
{
    void (*function)(int *, int *, int *) = next_function(name);

    if (function)
        function(required, provided, error);
    else if (error)
        *error = 1;
    job_join();
}

void mpi_init_thread_(int *required, int *provided, int *error)
{
    mpi_init_thread("mpi_init_thread_", required, provided, error);
}

void mpi_init_thread_f08_(int *required, int *provided, int *error)
{
    mpi_init_thread("mpi_init_thread_f08_", required, provided, error);
}
