/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Notes for the first process of the run: texts in an anonymous memory file,
 * which vanishes with that process.  It reads them when the command has ended.
 * Each text ends with NUL, because file names may have any other byte.
 */
#ifndef PDUMP_RUN_NOTES_WRITER_H
#define PDUMP_RUN_NOTES_WRITER_H

/* Adds a note.  Allocates nothing, and ignores errors. */
void notes_add(const char *kind, const char *text);

/* The same in two steps, for a process that is about to lose the right to open
 * the file: notes_open() opens it (-1: not possible), notes_put() writes and
 * closes. */
int notes_open(void);
void notes_put(int fd, const char *kind, const char *text);

#endif
