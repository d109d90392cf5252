/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a run as a folder: PDUMP_EXPERIMENT_DIR.
 *
 * The folder holds the dump, settings.txt, warnings.txt and manifest.txt, which
 * identifies it.  It is made under a temporary name, and gets its final name
 * when it is complete.
 */
#ifndef PDUMP_RUN_FOLDER_H
#define PDUMP_RUN_FOLDER_H

#include "config/settings.h"
#include "dump/dump.h"

#include <limits.h>

/* A folder that is being written. */
struct pdump_run_folder {
    const struct pdump_settings *settings; /* borrowed */
    const char *run;                       /* borrowed */
    char dir[PATH_MAX];                    /* current folder of its files */
    char main[NAME_MAX + 1]; /* its file that can be read as a dump, or "" */
    bool is_there;        /* the folder has its final name: this run made it */
    char aside[PATH_MAX]; /* first folder, if another process was faster */
};

/* Makes a folder for the files of a run, or takes the one that the run already
 * has. */
int pdump_run_folder_begin(struct pdump_run_folder *e,
                           const struct pdump_settings *set, const char *run);

/* Notes that the sink of that name has written a file. */
void pdump_run_folder_note(struct pdump_run_folder *e, const char *sink,
                           const char *path);

/* Call this when all files are written: writes the texts and gives the folder
 * its name.  Earlier runs are renamed to NAME.1 and so on.  If anything else
 * has the name, it stays, and a warning says which name this run gets.  `path`
 * gets the main file.  PDUMP_ESTATE if another process of the run was first:
 * e->dir is its folder now; write the files again, and call again. */
int pdump_run_folder_end(struct pdump_run_folder *e,
                         const struct pdump_dump *dump, char path[PATH_MAX]);

#endif
