/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes memory over time into the data of the page. */
#ifndef PDUMP_HTML_WRITE_MEMORY_H
#define PDUMP_HTML_WRITE_MEMORY_H

#include "dump/dump.h"

#include <stdio.h>

/* Writes "memory": a line per process, or an empty list. */
void html_write_memory(FILE *f, const struct pdump_dump *tables);

#endif
