/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the tables of details and the communication matrix into the page's
 * data. */
#ifndef PDUMP_HTML_WRITE_DETAILS_H
#define PDUMP_HTML_WRITE_DETAILS_H

#include "dump/dump.h"

#include <stdio.h>

/* Writes ,"details":[...],"matrix":... */
void html_write_details(FILE *f, const struct pdump_dump *tables);

#endif
