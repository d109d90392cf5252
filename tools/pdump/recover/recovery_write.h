/* SPDX-License-Identifier: BSD-3-Clause */
/* A recovered run becomes files, which are read back. */
#ifndef PDUMP_RECOVERY_WRITE_H
#define PDUMP_RECOVERY_WRITE_H

#include "recover/recovery.h"

#include "dump/dump.h"

/* Take the name and the format of the files from the user, both perhaps NULL,
 * else from the settings.  COMMAND_OK, or COMMAND_USAGE with a message. */
int recovery_choose_output(struct recovery *r, const char *name,
                           const char *format);

/* Write the dumps as one, in every format.  True if nothing needs the stores
 * any more: a file was read back and has all rows. */
bool recovery_write(struct recovery *r, const char *run,
                    struct pdump_dump *const *dumps, int n);

#endif
