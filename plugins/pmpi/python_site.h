/* SPDX-License-Identifier: BSD-3-Clause */
/* Where in a Python program a call of MPI was made. */
#ifndef PDUMP_PMPI_PYTHON_SITE_H
#define PDUMP_PMPI_PYTHON_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Look for Python; what the first thread finds holds.  Calls the loader. */
void pdump_python_look(void);

/* In the child of a fork(). */
void pdump_python_in_child(void);

extern bool pdump_python_is_there;
uint64_t pdump_python_find(void);

/* The key of the place where Python is on this thread; 0 if this thread runs no
 * Python.  It takes Python's lock, which mpi4py gives back for the call. */
static inline uint64_t pdump_python_site(void)
{
    return pdump_python_is_there ? pdump_python_find() : 0;
}

/* Its text, "file.py:12 (function)"; false if the key is no such place. */
bool pdump_python_label(uint64_t key, char *buf, size_t len);

#endif
