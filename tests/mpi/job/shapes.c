/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that have little in common, or much to tell; and that say nothing
 * to each other while they run. */
#define _GNU_SOURCE
#include "kit.h"

#include <dlfcn.h>

enum { REGIONS = 5000, LONG = 65535, MILLION = 1000000 };

/* Half of the regions are those of all ranks. */
static void many(void)
{
    char name[40];

    start();
    for (int i = 0; i < REGIONS; i++) {
        snprintf(name, sizeof(name), "region %d of %d", i, i % 2 ? rank : -1);
        visit(name);
    }
    MPI_Finalize();
}

static void long_name(void)
{
    char *name = malloc(LONG + 1);

    memset(name, 'a', LONG);
    name[LONG] = '\0';
    start();
    visit(name);
    visit("short");
    MPI_Finalize();
    free(name);
}

static void different(void)
{
    start();
    OK(pdump_region_begin(rank % 2 ? "odd" : "even"));
    visit("common");
    OK(pdump_counter_add(rank ? "mine" : "yours", rank + 1));
    OK(pdump_region_end(NULL));
    MPI_Finalize();
}

/*
 * Calls of the module that can send something.  It uses the names of MPI's
 * profiling interface, and a program's own come before those of the library.
 */
static _Atomic int n_calls;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int PMPI_Isend(const void *bytes, int n, MPI_Datatype type, int to, int tag,
               MPI_Comm comm, MPI_Request *request)
{
    n_calls++;
    return REAL(PMPI_Isend)(bytes, n, type, to, tag, comm, request);
}

int PMPI_Iallreduce(const void *in, void *out, int n, MPI_Datatype type,
                    MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    n_calls++;
    return REAL(PMPI_Iallreduce)(in, out, n, type, op, comm, request);
}

int PMPI_Comm_idup(MPI_Comm comm, MPI_Comm *copy, MPI_Request *request)
{
    n_calls++;
    return REAL(PMPI_Comm_idup)(comm, copy, request);
}

/* Rank 1 is not in MPI while the others record, and waits for a file. */
static void silent(void)
{
    start();
    OK(pdump_init());
    for (int i = 0; rank == 0 && i < MILLION; i++)
        visit("quick");
    if (rank == 0)
        fclose(fopen("recorded", "w"));
    for (int i = 0; rank == 1 && access("recorded", R_OK) != 0; i++) {
        YES(i < 2000);
        if (i >= 2000)
            break;
        usleep(10000);
    }
    OK(pdump_flush());
    IS(n_calls, 0);
    MPI_Finalize();
    YES(n_calls > 0);
}

static const struct behaviour table[] = {
    { "many", many },
    { "long_name", long_name },
    { "different", different },
    { "silent", silent },
    { NULL, NULL },
};

int main(int argc, char **argv)
{
    return main_of(argc, argv, table);
}
