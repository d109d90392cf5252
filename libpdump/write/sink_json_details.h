/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the tables of details in a JSON document. */
#ifndef PDUMP_SINK_JSON_DETAILS_H
#define PDUMP_SINK_JSON_DETAILS_H

#include "dump/dump.h"

#include <stdio.h>

/* Writes `"details": [...]` with a comma in front, or nothing if there are
 * none. */
void pdump_json_put_details(FILE *f, const struct pdump_dump *dump);

#endif
