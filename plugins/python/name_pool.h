/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pool of region names, each stored once and for ever.
 *
 * libpdump's lookup cache uses the address of a name, and code objects come and
 * go.  So equal names have one address, which stays valid.  Under the GIL.
 */
#ifndef PDUMP_NAME_POOL_H
#define PDUMP_NAME_POOL_H

#include <stddef.h>

/* Returns the only copy of `text`, static; NULL if there is no memory. */
const char *pdump_name_keep(const char *text, size_t len);

/* Gives libpdump the file and line of a region: once per session and name. */
void pdump_name_place(const char *name, const char *file, int line);

#endif
