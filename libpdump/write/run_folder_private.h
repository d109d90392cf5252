/* SPDX-License-Identifier: BSD-3-Clause */
/* The text files in the folder of a run (run_folder_text.c). */
#ifndef PDUMP_RUN_FOLDER_PRIVATE_H
#define PDUMP_RUN_FOLDER_PRIVATE_H

#include "write/run_folder.h"

/* Writes the text files into e->dir; existing ones are replaced. */
int pdump_run_folder_write(const struct pdump_run_folder *e,
                           const struct pdump_dump *dump);

#endif
