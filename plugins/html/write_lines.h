/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the lines of Python functions, with their source, into the page's
 * data. */
#ifndef PDUMP_HTML_WRITE_LINES_H
#define PDUMP_HTML_WRITE_LINES_H

#include "dump/dump.h"

#include <stdio.h>

/* Writes "lines": a table per function, or an empty list. */
void html_write_lines(FILE *f, const struct pdump_dump *tables);

#endif
