/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a dump as JSON on standard output. */
#ifndef PDUMP_PRINT_JSON_H
#define PDUMP_PRINT_JSON_H

#include "command.h"

struct pdump_dump;

/* Returns the exit code of `self`. */
int json_print(const struct command *self, const struct pdump_dump *dump);

#endif
