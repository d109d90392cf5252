/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the run's first process is to know: texts in a file in its memory, which
 * goes with it.  It reads them when the command has ended.  Each ends with NUL,
 * as names of files may have any other byte.
 */
#ifndef PDUMP_RUN_RUN_NOTES_H
#define PDUMP_RUN_RUN_NOTES_H

/* Allocates nothing; if it cannot be done, it is not. */
void notes_add(const char *kind, const char *text);

/* The same in two steps, for a process that is about to lose the right to open
 * the file: open it (-1: not possible), then write to it and close it. */
int notes_open(void);
void notes_put(int fd, const char *kind, const char *text);

#endif
