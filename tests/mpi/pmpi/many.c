/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests that are never completed, more than anybody wants to follow. */
#include "ledger.h"

#include <mpi.h>

enum { MANY = 300000 };

int main(int argc, char **argv)
{
    MPI_Request request;
    char byte = 0;

    PMPI_Init(&argc, &argv);
    for (int i = 0; i < MANY; i++) {
        MPI_Isend(&byte, 1, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                  &request);
        did("MPI_Isend", 0, 0, 0);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    did("MPI_Wait", 0, 0, 1);
    tell(0);
    PMPI_Finalize();
    return 0;
}
