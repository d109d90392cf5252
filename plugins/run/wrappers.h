/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads the wrappers of MPI calls (pdump run --mpi):
 * FOLDER/SONAME/libpdump-pmpi.so, for every MPI that libpdump was built for.
 *
 * Which one a program needs is certain only when the loader has mapped all its
 * libraries, and then it is too late to come before them.  So the program is
 * executed again, with the wrappers, before any of its code has run.  It keeps
 * its pid, arguments and open files.  Interpreters load MPI later; for them the
 * variables of the launcher show which MPI it is.
 */
#ifndef PDUMP_RUN_WRAPPERS_H
#define PDUMP_RUN_WRAPPERS_H

/* Returns if this process does not need wrappers, or has them already. */
void wrappers_load(const char *program);

#endif
