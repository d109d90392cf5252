/* SPDX-License-Identifier: BSD-3-Clause */
/* The option --user: the user whose stores are read. */
#ifndef PDUMP_USER_H
#define PDUMP_USER_H

#include "command.h"

/* Makes the stores of `user`, a name or a number, be read instead of the
 * caller's own.  Returns an exit code, or -1 to go on. */
int user_choose(const struct command *self, const char *user);

#endif
