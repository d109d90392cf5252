/* SPDX-License-Identifier: BSD-3-Clause */
/* What a shell is told about the commands, so that it can complete them. */
#ifndef PDUMP_COMPLETION_H
#define PDUMP_COMPLETION_H

#include "command.h"

#define COMPLETION_SHELLS "bash fish zsh"

/* Words that an option may have as its value, with blanks between, or NULL if
 * they are not known.  Either `buf` or static. */
const char *completion_choices(const struct command_option *option, char *buf,
                               size_t len);

/* The help of an option on one line, those of the rows that go on with it
 * included; the string is `buf`. */
const char *completion_help(const struct command_option *option, char *buf,
                            size_t len);

/* Does an option of this command take a file? */
bool completion_is_file(const struct command_option *option);

/* Scripts to be read by the shell, on standard output. */
void completion_bash(void);
void completion_fish(void);
void completion_zsh(void);

#endif
