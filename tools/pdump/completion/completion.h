/* SPDX-License-Identifier: BSD-3-Clause */
/* Generates scripts that let shells complete the commands and options. */
#ifndef PDUMP_COMPLETION_H
#define PDUMP_COMPLETION_H

#include "command.h"

#define COMPLETION_SHELLS "bash fish zsh"

/* Returns the words that an option may have as its value, separated by blanks,
 * or NULL if they are not known.  Either `buf` or static. */
const char *completion_choices(const struct command_option *option, char *buf,
                               size_t len);

/* Returns the help of an option on one line, including the rows that continue
 * it; the string is in `buf`. */
const char *completion_help(const struct command_option *option, char *buf,
                            size_t len);

/* Returns true if the option takes a file. */
bool completion_is_file(const struct command_option *option);

/* Print the script for a shell on standard output. */
void completion_bash(void);
void completion_fish(void);
void completion_zsh(void);

#endif
