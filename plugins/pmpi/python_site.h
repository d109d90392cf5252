/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the Python call site of a call of MPI. */
#ifndef PDUMP_PMPI_PYTHON_SITE_H
#define PDUMP_PMPI_PYTHON_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Looks up Python's functions with the loader.  If several threads call it, the
 * first result counts. */
void pdump_python_look(void);

/* Called in the child after fork(). */
void pdump_python_in_child(void);

extern bool pdump_python_is_there;
uint64_t pdump_python_find(void);

/* Returns the key of the Python line that this thread is executing; 0 if the
 * thread runs no Python.  It takes the GIL, which mpi4py releases for the
 * call. */
static inline uint64_t pdump_python_site(void)
{
    return pdump_python_is_there ? pdump_python_find() : 0;
}

/* Writes the text of a key, "file.py:12 (function)".  Returns false if the key
 * is not a Python call site. */
bool pdump_python_label(uint64_t key, char *buf, size_t len);

#endif
