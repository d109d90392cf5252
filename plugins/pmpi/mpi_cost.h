/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the cost of a recorded MPI call. */
#ifndef PDUMP_MPI_COST_H
#define PDUMP_MPI_COST_H

/* Call this when MPI has just been initialised.  MPI itself is not called:
 * other tools would see these calls. */
void pdump_mpi_cost_measure(void);

#endif
