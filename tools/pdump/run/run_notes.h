/* SPDX-License-Identifier: BSD-3-Clause */
/* What the processes of a run noted for `pdump run`: lines "KIND TEXT". */
#ifndef PDUMP_RUN_NOTES_H
#define PDUMP_RUN_NOTES_H

#include "command.h"

struct run_notes {
    char *text;   /* all of it, cut into lines */
    char **files; /* that they have written, each once */
    int n_files;
};

/* Read them from the descriptor (-1: there are none). */
void run_notes_read(int fd, struct run_notes *notes);

/* Tell which programs were not followed, each once. */
void run_notes_tell(const struct command *self, const struct run_notes *notes);

/* Accept the stores of the users that processes of the run have switched to. */
void run_notes_trust(const struct run_notes *notes);

void run_notes_free(struct run_notes *notes);

#endif
