/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI in Fortran: its functions, and the addresses of its special constants.
 *
 * The Fortran libraries of MPI are not linked: a C program has none, and which
 * ones fit depends on the compiler of the program.
 */
#include "fortran.h"
#include "arguments.h"
#include "system/log.h"
#include "thread_state.h"
#include "tools.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

#ifdef MPI_F_STATUS_SIZE
enum { STATUS_WORDS = MPI_F_STATUS_SIZE };
#else
enum { STATUS_WORDS = sizeof(MPI_Status) / sizeof(MPI_Fint) };
#endif

/* Common blocks of Open MPI, in libmpi; variables of MPICH, in libmpich and
 * libmpichfort.  They have other names here because MPICH's mpi.h declares some
 * of them.  A process has only one of the MPIs. */
#define MAYBE(name, symbol)            \
    extern char name[] __asm__(symbol) \
        __attribute__((weak, visibility("default")))
MAYBE(open_in_place, "mpi_fortran_in_place_");
MAYBE(open_status_ignore, "mpi_fortran_status_ignore_");
MAYBE(open_statuses_ignore, "mpi_fortran_statuses_ignore_");
MAYBE(mpich_in_place, "MPIR_F08_MPI_IN_PLACE");
MAYBE(mpich_status_ignore, "MPIR_F08_MPI_STATUS_IGNORE_OBJ");
MAYBE(mpich_statuses_ignore, "MPIR_F08_MPI_STATUSES_IGNORE_OBJ");

/* MPICH's Fortran library sets these addresses when it is first called. */
static const void *learnt_address(const char *name)
{
    void *const *at = dlsym(RTLD_DEFAULT, name);

    return at ? *at : NULL;
}

static bool is_one_of(const void *at, const void *a, const void *b,
                      const void *c)
{
    return at && (at == a || at == b || at == c);
}

bool pdump_fortran_is_in_place(const struct pdump_mpi_call *call, int index)
{
    const void *at = (const void *)pdump_argument(call, index);

    if (call->language == PDUMP_C)
        return at == MPI_IN_PLACE;
    if (call->language == PDUMP_F08TS)
        at = *(void *const *)at; /* a descriptor begins with the address */
    return is_one_of(at, open_in_place, mpich_in_place,
                     call->language == PDUMP_F77
                         ? learnt_address("MPIR_F_MPI_IN_PLACE")
                         : NULL);
}

bool pdump_fortran_is_ignored(const struct pdump_mpi_call *call, int index)
{
    const void *at = (const void *)pdump_argument(call, index);

    if (call->language == PDUMP_C)
        return at == MPI_STATUS_IGNORE || at == MPI_STATUSES_IGNORE;
    return is_one_of(at, MPI_F_STATUS_IGNORE, open_status_ignore,
                     mpich_status_ignore) ||
           is_one_of(at, MPI_F_STATUSES_IGNORE, open_statuses_ignore,
                     mpich_statuses_ignore);
}

bool pdump_fortran_status(const struct pdump_mpi_call *call, const void *at,
                          int i, MPI_Status *out)
{
    if (call->language == PDUMP_C) {
        *out = ((const MPI_Status *)at)[i];
        return true;
    }
    return PMPI_Status_f2c((MPI_Fint *)at + (size_t)i * STATUS_WORDS, out) ==
           MPI_SUCCESS;
}

/* Calls the function with a completed request to see which index it returns. */
static int ask_first_index(const struct pdump_mpi_call *call)
{
    typedef void six(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                     uintptr_t);
    const struct pdump_plan *plan = &call->function->plan;
    MPI_Fint n = 1, handle, index = 1, n_done = 0, flag = 0, code = 0;
    union pdump_status status;
    uintptr_t a[7] = { 0 }; /* from 1; [0] is for missing arguments */
    MPI_Request request;

    if (PMPI_Isend(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF,
                   &request) != MPI_SUCCESS)
        return 1;
    handle = PMPI_Request_c2f(request);
    a[plan->flag] = (uintptr_t)&flag;
    a[plan->n_done] = (uintptr_t)&n_done;
    a[plan->n] = (uintptr_t)&n;
    a[plan->request] = (uintptr_t)&handle;
    a[plan->index] = (uintptr_t)&index;
    a[plan->status] = (uintptr_t)&status;
    a[plan->status + 1] = (uintptr_t)&code;
    /* It may call the C function: that call is not the program's. */
    call->state->inside = (const char *)(call + 1);
    ((six *)call->routine)(a[1], a[2], a[3], a[4], a[5], a[6]);
    call->state->inside = NULL;
    return code == MPI_SUCCESS && index == 0 ? 0 : 1;
}

/* Indices begin at 1 in Fortran, but at 0 in the mpi_f08 of MPICH 4.0. */
int pdump_fortran_first_index(const struct pdump_mpi_call *call)
{
    struct pdump_mpi_function *function = call->function;

    if (call->language == PDUMP_C || call->language == PDUMP_F77)
        return call->language == PDUMP_F77;
    if (!function->first)
        function->first = 1 + ask_first_index(call);
    return function->first - 1;
}

size_t pdump_fortran_status_size(const struct pdump_mpi_call *call)
{
    return call->language == PDUMP_C ? sizeof(MPI_Status)
                                     : STATUS_WORDS * sizeof(MPI_Fint);
}

/* Looks up a name in the caller's file and the libraries it was linked with:
 * they may have been loaded with RTLD_LOCAL. */
static void *find_for(const void *caller, const char *name)
{
    struct link_map *map = NULL;
    void *handle, *address = NULL;
    Dl_info info;

    if (!dladdr1(caller, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return NULL;
    handle =
        dlopen(map->l_name[0] ? map->l_name : NULL, RTLD_LAZY | RTLD_NOLOAD);
    if (handle) {
        address = dlsym(handle, name);
        dlclose(handle);
    }
    return address;
}

/* Finds the profiling names: pmpi_send_, or pmpir_send_f08ts_ of MPICH. */
static void *find_own(const char *name, const void *caller)
{
    static const char *const heads[] = { "p", "pmpir" };
    char own[128];
    void *address = NULL;

    for (int i = 0; !address && i < 2; i++) {
        snprintf(own, sizeof(own), "%s%s", heads[i], name + (i ? 3 : 0));
        address = dlsym(RTLD_DEFAULT, own);
        if (!address)
            address = find_for(caller, own);
    }
    return address;
}

pdump_routine *pdump_fortran_find(const char *name, const void *caller)
{
    void *address = find_own(name, caller);
    void *tool = pdump_tools_next(name, address);

    if (tool)
        return (pdump_routine *)tool;
    if (!address)
        pdump_warn("no Fortran MPI",
                   "%s was called, and there is no p%s: it "
                   "did nothing",
                   name, name);
    return (pdump_routine *)address;
}
