/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the available output formats. */
#ifndef PDUMP_FORMAT_LIST_H
#define PDUMP_FORMAT_LIST_H

/* Prints a line for each: its name, a description, its suffix. */
void format_list_print(void);

/* The same with a heading, for the help of a command. */
void format_list_help(void);

#endif
