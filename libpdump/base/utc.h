/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dates without the C library.
 *
 * gmtime_r() takes a lock that fork() does not release in the child: if another
 * thread was in it, a child that asks for the date waits forever.
 */
#ifndef PDUMP_UTC_H
#define PDUMP_UTC_H

#include <stddef.h>
#include <stdint.h>

/* Write `seconds` since 1970, which are not negative, as
 * "2026-11-18T00:42:06Z". */
void pdump_utc_text(int64_t seconds, char *out, size_t len);

#endif
