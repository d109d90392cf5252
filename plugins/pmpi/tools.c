/* SPDX-License-Identifier: BSD-3-Clause */
/* Other tools for MPI in the same process. */
#include "tools.h"
#include "mpi_call.h"

#include <dlfcn.h>
#include <stdio.h>

static const char *file_of(const void *address, void **base)
{
    Dl_info info;

    if (!dladdr(address, &info))
        return NULL;
    *base = info.dli_fbase;
    return info.dli_fname;
}

static bool is_in_one_file(const void *a, const void *b)
{
    void *base_a = NULL, *base_b = NULL;

    return a == b ||
           (file_of(a, &base_a) && file_of(b, &base_b) && base_a == base_b);
}

void *pdump_tools_next(const char *name, const void *own)
{
    void *next = dlsym(RTLD_NEXT, name);

    return next && !(own && is_in_one_file(next, own)) ? next : NULL;
}

/* Finds "PMPI_Send" for MPI_Send. */
static void *own_function(const char *name)
{
    char own[128];

    snprintf(own, sizeof(own), "P%s", name);
    return dlsym(RTLD_NEXT, own);
}

const char *pdump_tools_in_front(void)
{
    for (int i = 0; i < pdump_n_mpi_functions; i++) {
        const char *name = pdump_mpi_functions[i].callee.name, *file;
        void *first = dlsym(RTLD_DEFAULT, name), *own, *base;

        if (!first || is_in_one_file(first, pdump_mpi_functions))
            continue;
        own = own_function(name);
        file = file_of(first, &base);
        if (file && !(own && is_in_one_file(first, own)))
            return file;
    }
    return NULL;
}

/* Runs before the program starts, and before it has threads. */
__attribute__((constructor)) static void tools_look(void)
{
    for (int i = 0; i < pdump_n_mpi_functions; i++) {
        struct pdump_mpi_function *f = &pdump_mpi_functions[i];
        void *own = own_function(f->callee.name);

        if (own) /* NULL: the function exists only in Fortran */
            f->next = (void (*)(void))pdump_tools_next(f->callee.name, own);
    }
}
