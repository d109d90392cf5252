/* SPDX-License-Identifier: BSD-3-Clause */
/* The output formats that there are. */
#ifndef PDUMP_FORMAT_LIST_H
#define PDUMP_FORMAT_LIST_H

/* A line for each: its name, what it is, how its files end. */
void format_list_print(void);

#endif
