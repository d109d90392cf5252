/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Other tools for MPI in the same process.
 *
 * A tool defines MPI_Send and calls PMPI_Send, which is MPI's own: of several
 * tools only the first one would see the call.  So libpdump comes first and
 * passes the call on to the next MPI_Send if that belongs to a tool, which then
 * calls PMPI_Send.
 */
#ifndef PDUMP_PMPI_TOOLS_H
#define PDUMP_PMPI_TOOLS_H

/* Returns the next definition of `name` after ours; NULL if there is none, or
 * if it is in the same library as `own`, MPI's function. */
void *pdump_tools_next(const char *name, const void *own);

/* Returns the file of a library that defines MPI functions and comes before
 * ours, so that calls go to it instead of us; NULL if there is none. */
const char *pdump_tools_in_front(void);

#endif
