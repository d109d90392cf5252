/* SPDX-License-Identifier: BSD-3-Clause */
/* The ends of a process that Python does not tell its scripts of. */
#ifndef PDUMP_PROCESS_END_H
#define PDUMP_PROCESS_END_H

/*
 * Write the dump at SIGTERM, and then die of it.  Only if nobody handles it;
 * who does so later takes our place.  Python does not see our handler.
 * `is_job`: this is a rank of an MPI job, whose dump is a file of its own.
 */
void pdump_ending_catch_term(int is_job);

/* After Python has ended, MPI too: run a program (copied; NULL at the end),
 * standard output to standard error. */
int pdump_ending_run(char *const *argv);

#endif
