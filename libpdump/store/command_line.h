/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of this process, without its secrets. */
#ifndef PDUMP_COMMAND_LINE_H
#define PDUMP_COMMAND_LINE_H

#include <stddef.h>

/* Writes the command line, its words separated by blanks; as much as fits. */
void pdump_command_line(char *out, size_t len);

/* Does the same for `n` bytes of words that each end with NUL.
 *
 * A secret is replaced by "***": VALUE in NAME=VALUE and in "-NAME VALUE" if
 * the name contains one of the words of command_line.c, and the password in
 * "SCHEME://USER:PASSWORD@HOST". */
void pdump_command_line_text(const char *words, size_t n, char *out,
                             size_t len);

#endif
