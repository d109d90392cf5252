/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends and receives messages of any length between two ranks of a group. */
#ifndef PDUMP_MESSAGE_H
#define PDUMP_MESSAGE_H

#include "group.h"

#include <stddef.h>

/* Implement send and receive of comm.h.  The deadline is that of the group, or
 * `times` times that, and starts again with every piece: a message that makes
 * progress is not late. */
int pdump_message_send(struct pdump_group *g, int to, const void *bytes,
                       size_t len);
int pdump_message_receive(struct pdump_group *g, int from, int times,
                          void **bytes, size_t *len);

#endif
