/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the events of threads as trace events. */
#ifndef PDUMP_SINK_CHROME_EVENTS_H
#define PDUMP_SINK_CHROME_EVENTS_H

#include "write/message_match.h"

#include <stdio.h>

/* Writes the events of the threads of a piece, in order, each after a comma.
 * Processes and threads are numbered from 1 on. */
int pdump_chrome_events(FILE *f, const struct pdump_dump *piece,
                        struct pdump_message_match *messages);

#endif
