/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of regions, each kept once and for ever.
 *
 * libpdump guesses a region by the address of its name, and code objects come
 * and go: so equal names have one address, which stays valid.  All of this
 * under the GIL.
 */
#ifndef PDUMP_NAME_POOL_H
#define PDUMP_NAME_POOL_H

#include <stddef.h>

/* The one copy of `text`, static; NULL if there is no memory. */
const char *pdump_name_keep(const char *text, size_t len);

/* Tell libpdump where the region is: once per session and name. */
void pdump_name_place(const char *name, const char *file, int line);

#endif
