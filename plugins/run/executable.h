/* SPDX-License-Identifier: BSD-3-Clause */
/* Examines a file before it is executed: finds out whether it can be
 * followed. */
#ifndef PDUMP_RUN_EXECUTABLE_H
#define PDUMP_RUN_EXECUTABLE_H

#include "sanitizer.h"

/* Properties of a program that its environment depends on. */
struct image {
    char runtime[SANITIZER_MAX]; /* see sanitizer_find(); "": none */
};

/* Examines the program at `path`, or the interpreter of that script, and adds a
 * note if it cannot be followed.  Allocates nothing. */
void image_check(const char *path, struct image *image);

/* Finds `file` as execvp() does, for image_check().  Borrowed, or in `buf` of
 * PATH_MAX bytes. */
const char *image_find(const char *file, char *buf);

#endif
