/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A run as a folder: PDUMP_EXPERIMENT_DIR.
 *
 * It holds the dump, settings.txt, warnings.txt and manifest.txt, by which it
 * is known.  It is made under another name, and gets its own when all is in it.
 */
#ifndef PDUMP_RUN_FOLDER_H
#define PDUMP_RUN_FOLDER_H

#include "config/settings.h"
#include "dump/dump.h"

#include <limits.h>

/* One that is being written. */
struct pdump_run_folder {
    const struct pdump_settings *settings; /* borrowed */
    const char *run;                       /* borrowed */
    char dir[PATH_MAX];                    /* where its files go for now */
    char main[NAME_MAX + 1]; /* of them the dump that can be read, or "" */
    bool is_there;           /* the folder has its name: this run has made it */
    char aside[PATH_MAX]; /* where they were before it was found to be there */
};

/* Make a folder for the files of a run; that which it has already, if so. */
int pdump_run_folder_begin(struct pdump_run_folder *e,
                           const struct pdump_settings *set, const char *run);

/* A file was written by the sink of that name. */
void pdump_run_folder_note(struct pdump_run_folder *e, const char *sink,
                           const char *path);

/* That is all of them: write the texts and give the folder its name.  Earlier
 * runs are renamed to NAME.1 and so on, whatever else is there stays, and a
 * warning tells what this one is called then.  `path` gets the main file.
 * PDUMP_ESTATE: another process of the run was first, and e->dir is its folder
 * now: write the files once more, and call again. */
int pdump_run_folder_end(struct pdump_run_folder *e,
                         const struct pdump_dump *dump, char path[PATH_MAX]);

#endif
