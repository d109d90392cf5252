/* SPDX-License-Identifier: BSD-3-Clause */
/* Dumps that do not say who made them: PDUMP_ANONYMOUS=1. */
#ifndef PDUMP_ANONYMOUS_H
#define PDUMP_ANONYMOUS_H

#include "dump/dump.h"

/* If the metadata of a dump has that setting, removes command lines, hosts,
 * settings and the folders of paths; otherwise does nothing. */
int pdump_anonymous_apply(struct pdump_dump *dump);

#endif
