/* SPDX-License-Identifier: BSD-3-Clause */
/* What a file is that is to be executed: can we follow? */
#ifndef PDUMP_RUN_EXECUTABLE_H
#define PDUMP_RUN_EXECUTABLE_H

#include "sanitizer.h"

/* What the environment of a program depends on. */
struct image {
    char runtime[SANITIZER_MAX]; /* see sanitizer_find(); "": none */
};

/* Look at the program at `path`, or at the interpreter of that script, and note
 * if it cannot be followed.  Allocates nothing. */
void image_check(const char *path, struct image *image);

/* As execvp() finds `file`; its argument is image_check()'s.  Borrowed, or in
 * `buf` of PATH_MAX bytes. */
const char *image_find(const char *file, char *buf);

#endif
