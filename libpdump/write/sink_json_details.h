/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes entries and the tables of details in a JSON document. */
#ifndef PDUMP_SINK_JSON_DETAILS_H
#define PDUMP_SINK_JSON_DETAILS_H

#include "dump/dump_schema.h"

#include <stdio.h>

/* Writes an opening brace and all fields of an entry. */
void pdump_json_put_fields(FILE *f, enum pdump_table table, const void *entry);

/* Writes `"details": [...]` with a comma in front, or nothing if there are
 * none. */
void pdump_json_put_details(FILE *f, const struct pdump_dump *dump);

#endif
