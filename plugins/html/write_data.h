/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the data of the page as JSON that is safe inside a script element. */
#ifndef PDUMP_HTML_WRITE_DATA_H
#define PDUMP_HTML_WRITE_DATA_H

#include "figures.h"

#include <stdio.h>

int html_write_data(FILE *f, const struct figures *figures,
                    struct pdump_stream *in);

#endif
