/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of details in the data of the page, and who sent to whom. */
#ifndef PDUMP_HTML_WRITE_DETAILS_H
#define PDUMP_HTML_WRITE_DETAILS_H

#include "dump/dump.h"

#include <stdio.h>

/* ,"details":[...],"matrix":... */
void html_write_details(FILE *f, const struct pdump_dump *tables);

#endif
