/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds AddressSanitizer's runtime, if a program needs it as a shared
 * library. */
#ifndef PDUMP_RUN_SANITIZER_H
#define PDUMP_RUN_SANITIZER_H

#include <stdbool.h>

enum { SANITIZER_MAX = 64 };

/* Gets the name of the runtime that the ELF file needs, as the loader looks for
 * it.  The runtime aborts the program unless it is the first library after it.
 * Returns false if there is none.  Allocates nothing. */
bool sanitizer_find(int fd, char name[SANITIZER_MAX]);

#endif
