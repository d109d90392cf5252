/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the notes that the processes of a run left for `pdump run`: lines "KIND
 * TEXT". */
#ifndef PDUMP_RUN_NOTES_H
#define PDUMP_RUN_NOTES_H

#include "command.h"

struct run_notes {
    char *text;   /* the whole text, split into lines */
    char **files; /* written by the processes, each once */
    int n_files;
};

/* Reads the notes from the descriptor (-1: there are none). */
void run_notes_read(int fd, struct run_notes *notes);

/* Prints which programs were not followed, each once. */
void run_notes_tell(const struct command *self, const struct run_notes *notes);

/* Accepts the stores of users that processes of the run have switched to. */
void run_notes_trust(const struct run_notes *notes);

void run_notes_free(struct run_notes *notes);

#endif
