/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment of a program that is to be executed. */
#ifndef PDUMP_RUN_ENVIRONMENT_H
#define PDUMP_RUN_ENVIRONMENT_H

#include "executable.h"

#include <stdbool.h>
#include <stddef.h>

/* At the start: remember what following needs, for programs that start others
 * with a new environment. */
void environment_save(void);

/* Returns true if our library `name` is preloaded into all processes of the
 * run. */
bool environment_preloads(const char *name);

/* Is this the environment of a rank of an MPI job? */
bool environment_is_rank(char *const *env);

/*
 * For a caller that must not allocate, as the child of a vfork(): how many
 * entries, and bytes of text, the environment will have.  0 entries: it is
 * to be passed on as it is.
 */
size_t environment_size(char *const *env, size_t *bytes);
void environment_make(char *const *env, const struct image *image, char **out,
                      char *text, size_t bytes);

#endif
