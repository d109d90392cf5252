/* SPDX-License-Identifier: BSD-3-Clause */
/* What happened when, in the data of the page. */
#ifndef PDUMP_HTML_WRITE_TIMELINE_H
#define PDUMP_HTML_WRITE_TIMELINE_H

#include "figures.h"

#include <stdio.h>

/* "timeline", after a comma; null if there are no events. */
int html_write_timeline(FILE *f, const struct figures *figures,
                        struct pdump_stream *in);

#endif
