/* SPDX-License-Identifier: BSD-3-Clause */
/* Modules: shared objects that connect libpdump to a foreign library, loaded
 * only into processes they fit. */
#ifndef PDUMP_PLUGIN_H
#define PDUMP_PLUGIN_H

#include "base/error.h"
#include "system/plugin_note.h"

#include <stdbool.h>
#include <stddef.h>

struct pdump_comm;
struct pdump_reader;
struct pdump_sink;
struct pdump_source;
struct pdump_symbols;

/* The structure that a module exports as the symbol `pdump_plugin`.  Each
 * member may be NULL; lists end with NULL. */
struct pdump_plugin {
    const char *name;
    /* Returns PDUMP_OK if the module may be used in this process, else a
     * pdump_error with the reason.  NULL: always. */
    int (*check)(void);
    const struct pdump_comm *comm;
    const struct pdump_source *const *sources;
    const struct pdump_sink *const *sinks;
    const struct pdump_reader *const *readers;
    const struct pdump_symbols *symbols;
};

/* Every module uses this once, before it defines `pdump_plugin`: it contains
 * the note that identifies the module, and the declaration. */
#define PDUMP_PLUGIN_DECLARE(plugin_abi, plugin_release)              \
    static const struct pdump_plugin_note pdump_plugin_note           \
        __attribute__((section(".note.pdump"), aligned(4), used)) = { \
            .name_size = sizeof("pdump"),                             \
            .size = sizeof(struct pdump_plugin_note) -                \
                    offsetof(struct pdump_plugin_note, abi),          \
            .type = PDUMP_PLUGIN_NOTE,                                \
            .name = "pdump",                                          \
            .abi = (plugin_abi),                                      \
            .plugin_size = sizeof(struct pdump_plugin),               \
            .release = plugin_release,                                \
        };                                                            \
    PDUMP_SHARED extern const struct pdump_plugin pdump_plugin
#define PDUMP_PLUGIN_MODULE \
    PDUMP_PLUGIN_DECLARE(PDUMP_PLUGIN_ABI, PDUMP_VERSION)

/*
 * Load <folder>/<soname>/pdump_<name>.so, or <folder>/pdump_<name>.so if soname
 * is NULL.  With a soname, the module is loaded only into a process that has
 * that library already: the MPI module for libmpi.so.40 never loads MPI into a
 * serial program, nor a second MPI into an MPICH program.  The module stays
 * loaded; *out is static.  Here and below, a `folder` that is NULL or "" means
 * the one chosen by pdump_plugin_use().
 *
 * PDUMP_ENOENT if that library is not loaded, PDUMP_EPLUGIN if the module is
 * missing, can be changed by another user (trust.h), or does not fit this
 * release or this process.
 */
PDUMP_SHARED int pdump_plugin_load(const char *folder, const char *soname,
                                   const char *name,
                                   const struct pdump_plugin **out);

/* Load the module `name` for a library that this process has, whichever it is.
 * PDUMP_ENOENT if there is no such module. */
PDUMP_SHARED int pdump_plugin_find(const char *folder, const char *name,
                                   const struct pdump_plugin **out);

/* Returns true if there is a module of that name that needs no other library to
 * be loaded.  Does not load it. */
bool pdump_plugin_is_there(const char *name);

/* Write the path from which to load the file `name` of the folder of the
 * modules to `path`, of PATH_MAX bytes.  PDUMP_EPLUGIN if the file is
 * missing, cannot be trusted, or is of another release. */
PDUMP_SHARED int pdump_plugin_file(const char *folder, const char *name,
                                   char *path);

/* From now on look for modules in `folder`, copied.  NULL or "": the folder
 * given by PDUMP_MODULES in the environment, or else the installed one.  Any
 * thread may call it; without memory for a new folder the old one stays. */
PDUMP_SHARED void pdump_plugin_use(const char *folder);

/* Returns the folder in which modules are looked for: `folder`, or the one
 * above if it is NULL or "". */
PDUMP_SHARED const char *pdump_plugin_folder(const char *folder);

#endif
