/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The wrappers of MPI calls (pdump run --mpi): FOLDER/SONAME/libpdump-pmpi.so,
 * for every MPI that libpdump was built for.
 *
 * Which one a program needs is certain only when the loader has mapped all its
 * libraries, and then it is too late to be in front of them.  So the program is
 * executed once more, with the wrappers, before anything of it has run.  It has
 * the same pid, arguments and open files.  Interpreters load MPI later; for
 * them the launcher's variables tell which.
 */
#ifndef PDUMP_RUN_WRAPPERS_H
#define PDUMP_RUN_WRAPPERS_H

/* Returns if this process needs none, or has them. */
void wrappers_load(const char *program);

#endif
