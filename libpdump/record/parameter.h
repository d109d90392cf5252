/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters: split the current region by a value. */
#ifndef PDUMP_PARAMETER_H
#define PDUMP_PARAMETER_H

#include "record/recorder.h"

/* From now on, record the current region under the node "name=value". */
int pdump_parameter_enter(struct pdump_recorder *r, const char *name,
                          const char *value);

#endif
