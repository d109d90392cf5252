/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the timeline into the data of the page. */
#ifndef PDUMP_HTML_WRITE_TIMELINE_H
#define PDUMP_HTML_WRITE_TIMELINE_H

#include "figures.h"

#include <stdio.h>

/* Writes a comma and "timeline": null if there are no events. */
int html_write_timeline(FILE *f, const struct figures *figures,
                        struct pdump_stream *in);

#endif
