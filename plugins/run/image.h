/* SPDX-License-Identifier: BSD-3-Clause */
/* What a file is that is to be executed: can we follow? */
#ifndef PDUMP_RUN_IMAGE_H
#define PDUMP_RUN_IMAGE_H

/* Note if the program at `path`, or the interpreter of that script, cannot be
 * followed.  Allocates nothing. */
void image_check(const char *path);

/* As execvp() finds `file`; its argument is image_check()'s.  Borrowed, or in
 * `buf` of PATH_MAX bytes. */
const char *image_find(const char *file, char *buf);

#endif
