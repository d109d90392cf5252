/* SPDX-License-Identifier: BSD-3-Clause */
/* The option --user: whose stores are meant. */
#ifndef PDUMP_USER_H
#define PDUMP_USER_H

#include "command.h"

/* From now on the stores of `user`, a name or a number, are read instead of the
 * caller's own.  Exit code, or -1 to go on. */
int user_choose(const struct command *self, const char *user);

#endif
