/* SPDX-License-Identifier: BSD-3-Clause */
/* The texts in the folder of a run (run_folder_text.c). */
#ifndef PDUMP_RUN_FOLDER_PRIVATE_H
#define PDUMP_RUN_FOLDER_PRIVATE_H

#include "write/run_folder.h"

/* Write the texts into e->dir; those that are there are replaced. */
int pdump_run_folder_write(const struct pdump_run_folder *e,
                           const struct pdump_dump *dump);

#endif
