/* SPDX-License-Identifier: BSD-3-Clause */
/* What kind of program this process is, by its name. */
#ifndef PDUMP_RUN_PROGRAM_KIND_H
#define PDUMP_RUN_PROGRAM_KIND_H

#include <stdbool.h>
#include <stddef.h>

/* The base name of the program; never "". */
void kind_name(char *out, size_t len);

/* Does it only start others, so that nobody wants it in the dump? */
bool kind_is_launcher(const char *name);

/* Is it our own command, one of these? */
bool kind_is_pdump(const char *name);

/* Does it fork mostly to execute others? */
bool kind_is_shell(const char *name);

/* Does it load MPI later, if at all? */
bool kind_is_interpreter(const char *name);

#endif
