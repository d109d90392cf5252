/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Debug files: on this machine, and from debuginfod if the user requests it.
 *
 * DEBUGINFOD_URLS lists the servers.  They are queried only for files without
 * any symbols, never in a privileged process, and for a few seconds in total: a
 * measured program must not wait for them.
 */
#ifndef PDUMP_SYMBOLS_SERVERS_H
#define PDUMP_SYMBOLS_SERVERS_H

#include <elfutils/libdwfl.h>

/* A find_debuginfo callback of libdwfl, for modules whose user data is their
 * Dwfl. */
int pdump_servers_find(Dwfl_Module *module, void **data, const char *name,
                       Dwarf_Addr base, const char *file, const char *link,
                       GElf_Word crc, char **out);

#endif
