/* SPDX-License-Identifier: BSD-3-Clause */
/* User metrics: values that the program adds to its regions. */
#ifndef PDUMP_USER_METRIC_H
#define PDUMP_USER_METRIC_H

#include "record/recorder.h"

/* Add `value` to the user metric `name` in the node at `ref`. */
int pdump_user_metric_add(struct pdump_recorder *r, uint32_t ref,
                          const char *name, int64_t value);

/* Add all user metrics of node `from` to node `to` (0: discard them), and empty
 * `from`. */
int pdump_user_metric_move(struct pdump_recorder *r, uint32_t from,
                           uint32_t to);

#endif
