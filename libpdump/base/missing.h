/* SPDX-License-Identifier: BSD-3-Clause */
/* The value of a metric that a process did not count. */
#ifndef PDUMP_MISSING_H
#define PDUMP_MISSING_H

#include <stdint.h>

#define PDUMP_MISSING INT64_MIN

#endif
