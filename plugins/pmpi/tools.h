/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Other tools for MPI in the same process.
 *
 * A tool defines MPI_Send and calls PMPI_Send, which is MPI's own: of several
 * tools only the first one would see the call.  So we are the first, and pass
 * the call on to the next MPI_Send, if that is a tool's, which calls PMPI_Send
 * then.
 */
#ifndef PDUMP_PMPI_TOOLS_H
#define PDUMP_PMPI_TOOLS_H

/* The next definition of `name` behind our own; NULL if there is none, or it is
 * in the library that has `own`, which is MPI's function. */
void *pdump_tools_next(const char *name, const void *own);

/* The file of a library that has some MPI function and comes before ours, so
 * that calls go to it and not to us; NULL if there is none. */
const char *pdump_tools_in_front(void);

#endif
