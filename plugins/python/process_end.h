/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles the ends of a process that Python does not report to its scripts. */
#ifndef PDUMP_PROCESS_END_H
#define PDUMP_PROCESS_END_H

/*
 * Makes SIGTERM write the dump before it kills the process.  Only if SIGTERM
 * has no handler; a later handler replaces ours.  Python does not see our
 * handler.  `is_job`: this process is a rank of an MPI job, whose dump is a
 * separate file.
 */
void pdump_ending_catch_term(int is_job);

/* Runs a program after Python and MPI have ended, with its standard output
 * redirected to standard error.  `argv` is copied and ends with NULL. */
int pdump_ending_run(char *const *argv);

#endif
