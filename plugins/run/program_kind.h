/* SPDX-License-Identifier: BSD-3-Clause */
/* Determines the kind of program of this process, by its name. */
#ifndef PDUMP_RUN_PROGRAM_KIND_H
#define PDUMP_RUN_PROGRAM_KIND_H

#include <stdbool.h>
#include <stddef.h>

/* Gets the base name of the program; never "". */
void kind_name(char *out, size_t len);

/* Returns true for programs that only start others: they are not recorded. */
bool kind_is_launcher(const char *name);

/* Returns true for the `pdump` command itself. */
bool kind_is_pdump(const char *name);

/* Returns true for programs that mostly fork to execute others. */
bool kind_is_shell(const char *name);

/* Returns true for programs that load MPI later, if at all. */
bool kind_is_interpreter(const char *name);

#endif
