/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_cost.h"
#include "mpi_call.h"

#include "probe/visit_cost.h"

#include <mpi.h>
#include <stdatomic.h>
#include <string.h>

static struct pdump_mpi_function *measured;

/* As a wrapper does it; see generate/generate.awk. */
static __attribute__((noinline)) void call_visit(void)
{
    int rank = 0;
    uintptr_t a[] = { (uintptr_t)MPI_COMM_WORLD, (uintptr_t)&rank };
    struct pdump_mpi_call call;

    pdump_mpi_call_enter(&call, measured, a, PDUMP_C,
                         __builtin_return_address(0),
                         __builtin_frame_address(0));
    pdump_mpi_call_leave(&call, MPI_SUCCESS);
}

static void calls_visit(int n)
{
    for (int i = 0; i < n; i++)
        call_visit();
}

void pdump_mpi_cost_measure(void)
{
    static atomic_bool is_measured;

    if (atomic_exchange(&is_measured, true))
        return;
    for (int i = 0; i < pdump_n_mpi_functions; i++)
        if (strcmp(pdump_mpi_functions[i].callee.name, "MPI_Comm_rank") == 0)
            measured = &pdump_mpi_functions[i];
    if (measured && !measured->is_left_out)
        pdump_visit_cost_measure(PDUMP_VISIT_MPI_CALL, calls_visit, NULL);
}
