/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the environment of a program that is about to be executed. */
#include "environment.h"
#include "preload.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

enum { SAVED_MAX = 64, ENTRIES_MAX = 20000 };

static char *saved[SAVED_MAX]; /* our variables at the start */
static size_t n_saved;
static char *saved_preload;

static const char *value_of(const char *entry, const char *name)
{
    size_t n = strlen(name);

    return strncmp(entry, name, n) == 0 && entry[n] == '=' ? entry + n + 1
                                                           : NULL;
}

static const char *look_up(char *const *env, const char *name)
{
    const char *value;

    for (; env && *env; env++) {
        value = value_of(*env, name);
        if (value && *value)
            return value;
    }
    return NULL;
}

void environment_save(void)
{
    const char *preload = getenv("LD_PRELOAD");

    for (char **e = environ; e && *e && n_saved < SAVED_MAX; e++)
        if (strncmp(*e, "PDUMP_", 6) == 0) {
            saved[n_saved] = strdup(*e);
            n_saved += saved[n_saved] != NULL;
        }
    saved_preload = preload ? strdup(preload) : NULL;
}

bool environment_preloads(const char *name)
{
    return preload_has(saved_preload, name);
}

bool environment_is_rank(char *const *env)
{
    const char *tasks = look_up(env, "SLURM_STEP_NUM_TASKS");

    return look_up(env, "OMPI_COMM_WORLD_RANK") || look_up(env, "PMIX_RANK") ||
           look_up(env, "PMI_RANK") || look_up(env, "MV2_COMM_WORLD_RANK") ||
           (tasks && atoi(tasks) > 1 && look_up(env, "SLURM_PROCID"));
}

/* Returns LD_PRELOAD of the environment; the saved one if the environment was
 * created anew. */
static const char *preload_of(char *const *env, bool *is_new)
{
    *is_new = look_up(env, "PDUMP_RUN") == NULL;
    return look_up(env, "LD_PRELOAD")
               ? look_up(env, "LD_PRELOAD")
               : (*is_new && saved_preload ? saved_preload : "");
}

size_t environment_size(char *const *env, size_t *bytes)
{
    bool is_new;
    size_t n = 0;

    if (!run.is_followed)
        return 0;
    while (env && env[n])
        n++;
    *bytes = preload_room(preload_of(env, &is_new));
    return n < ENTRIES_MAX ? n + n_saved + 2 : 0;
}

void environment_make(char *const *env, const struct image *image, char **out,
                      char *text, size_t bytes)
{
    bool is_new;
    const char *preload = preload_of(env, &is_new);

    preload_make(preload, image->runtime, environment_is_rank(env), text,
                 bytes);
    for (; env && *env; env++)
        if (!value_of(*env, "LD_PRELOAD"))
            *out++ = *env;
    for (size_t i = 0; is_new && i < n_saved; i++)
        *out++ = saved[i];
    if (text[sizeof(PRELOAD) - 1])
        *out++ = text;
    *out = NULL;
}
