/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a recovered run to files, and reads them back. */
#ifndef PDUMP_RECOVERY_WRITE_H
#define PDUMP_RECOVERY_WRITE_H

#include "recover/recovery.h"

#include "dump/dump.h"

/* Sets the name and the format of the files from the user's (both may be NULL)
 * or the settings.  Returns COMMAND_OK, or COMMAND_USAGE after a message. */
int recovery_choose_output(struct recovery *r, const char *name,
                           const char *format);

/* Writes the dumps as one, in every format.  Returns true if the stores are no
 * longer needed: a file was read back and has all rows. */
bool recovery_write(struct recovery *r, const char *run,
                    struct pdump_dump *const *dumps, int n);

#endif
