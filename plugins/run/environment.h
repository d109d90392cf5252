/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the environment of a program that is about to be executed. */
#ifndef PDUMP_RUN_ENVIRONMENT_H
#define PDUMP_RUN_ENVIRONMENT_H

#include "executable.h"

#include <stdbool.h>
#include <stddef.h>

/* Called at the start: saves the variables that following needs, for programs
 * that start others with a new environment. */
void environment_save(void);

/* Returns true if our library `name` is preloaded into all processes of the
 * run. */
bool environment_preloads(const char *name);

/* Returns true if this is the environment of a rank of an MPI job. */
bool environment_is_rank(char *const *env);

/*
 * For callers that must not allocate, such as the child of a vfork(). size()
 * returns the number of entries of the new environment, and sets the bytes of
 * text. 0 entries: the environment is passed on unchanged.
 */
size_t environment_size(char *const *env, size_t *bytes);
void environment_make(char *const *env, const struct image *image, char **out,
                      char *text, size_t bytes);

#endif
