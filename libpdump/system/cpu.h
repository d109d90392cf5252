/* SPDX-License-Identifier: BSD-3-Clause */
/* The processor that this process runs on. */
#ifndef PDUMP_CPU_H
#define PDUMP_CPU_H

#include <stddef.h>

/* Write the model as the system names it, or else the architecture. */
void pdump_cpu_model(char *out, size_t len);

/* Write the cores that this process may run on, as "0-3,8"; as many as fit. */
void pdump_cpu_cores(char *out, size_t len);

#endif
