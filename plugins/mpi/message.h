/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of any length between two ranks of a group, as in comm.h. */
#ifndef PDUMP_MESSAGE_H
#define PDUMP_MESSAGE_H

#include "group.h"

#include <stddef.h>

/* The deadline is that of the group, or `times` times that, and starts again
 * with every piece: a message that is on its way is not late. */
int pdump_message_send(struct pdump_group *g, int to, const void *bytes,
                       size_t len);
int pdump_message_receive(struct pdump_group *g, int from, int times,
                          void **bytes, size_t *len);

#endif
