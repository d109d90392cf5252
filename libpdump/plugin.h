/* SPDX-License-Identifier: BSD-3-Clause */
/* Modules: shared objects that bring a foreign library, loaded where they fit.
 */
#ifndef PDUMP_PLUGIN_H
#define PDUMP_PLUGIN_H

#include "comm.h"
#include "reader.h"
#include "settings.h"
#include "sink.h"
#include "source.h"

enum { PDUMP_PLUGIN_ABI = 1 };

/* What a module exports, as the symbol `pdump_plugin`.  Each part may be NULL;
 * lists end with NULL. */
struct pdump_plugin {
    int abi;     /* PDUMP_PLUGIN_ABI */
    size_t size; /* of this structure */
    const char *name;
    const struct pdump_comm *comm;
    const struct pdump_source *const *sources;
    const struct pdump_sink *const *sinks;
    const struct pdump_reader *const *readers;
};

/*
 * Load <folder>/<soname>/pdump_<name>.so, or <folder>/pdump_<name>.so if soname
 * is NULL.  With a soname, only into a process that has that library already:
 * the MPI module for libmpi.so.40 never drags MPI into a serial program, nor a
 * second MPI into an MPICH one.  The module stays loaded; *out is static.
 *
 * PDUMP_ENOENT if the soname is not there, PDUMP_EPLUGIN if the module is
 * missing or does not fit this release.
 */
PDUMP_SHARED int pdump_plugin_load(const struct pdump_settings *set,
                                   const char *soname, const char *name,
                                   const struct pdump_plugin **out);

/* Where modules are looked for: PDUMP_MODULES, or where they were installed. */
PDUMP_SHARED const char *pdump_plugin_folder(const struct pdump_settings *set);

#endif
