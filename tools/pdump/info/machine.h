/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts about the machine that determine what can be counted. */
#ifndef PDUMP_MACHINE_H
#define PDUMP_MACHINE_H

#include <stddef.h>

/* Each writes a text to `buf` that is never empty. */
void machine_host(char *buf, size_t len);
void machine_cpu(char *buf, size_t len);
void machine_cores(char *buf, size_t len);
/* /proc/sys/kernel/perf_event_paranoid, and its meaning. */
void machine_paranoid(char *buf, size_t len);

#endif
