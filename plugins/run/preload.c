/* SPDX-License-Identifier: BSD-3-Clause */
/* Edits LD_PRELOAD. */
#include "preload.h"
#include "run.h"
#include "sanitizer.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char separators[] = ": ";
static const char mark[] = "::"; /* follows a runtime that we have added */

/* Returns true if the item is our library `name`, in our folder or below. */
static bool is_ours(const char *item, size_t len, const char *name)
{
    size_t n = strlen(name), folder = strlen(run.folder);

    return len > n + folder && item[folder] == '/' &&
           strncmp(item, run.folder, folder) == 0 && item[len - n - 1] == '/' &&
           strncmp(item + len - n, name, n) == 0;
}

static bool is_for_one(const char *item, size_t len)
{
    return is_ours(item, len, PRELOAD_RANK) || is_ours(item, len, PRELOAD_MPI);
}

static bool is_of_folder(const char *item, size_t len)
{
    size_t folder = strlen(run.folder);

    return len > folder && item[folder] == '/' &&
           strncmp(item, run.folder, folder) == 0;
}

/* With another root folder, or other rights, our folder may not be accessible.
 * Then the loader would print an error for each library. */
static bool is_in_reach(void)
{
    char path[PATH_MAX];

    return snprintf(path, sizeof(path), "%s/" PRELOAD_RUN, run.folder) <
               (int)sizeof(path) &&
           eaccess(path, R_OK) == 0;
}

bool preload_has(const char *value, const char *name)
{
    while (value && *value) {
        size_t n = strcspn(value, separators);

        if (is_ours(value, n, name))
            return true;
        value += n + (value[n] != '\0');
    }
    return false;
}

size_t preload_room(const char *value)
{
    return sizeof(PRELOAD) + (value ? strlen(value) : 0) + SANITIZER_MAX +
           sizeof(mark) + 2 * (strlen(run.folder) + sizeof(PRELOAD_RANK) + 2);
}

/* Copies the list without some items; `to` may be `value`. */
static char *copy_rest(const char *value, char *to,
                       bool (*is_left_out)(const char *item, size_t len))
{
    char *at = to;

    while (value && *value) {
        size_t n = strcspn(value, separators);

        if (n > 0 && !is_left_out(value, n)) {
            if (at > to)
                *at++ = ':';
            memmove(at, value, n);
            at += n;
        }
        value += n;
        value += strspn(value, separators);
    }
    return at;
}

size_t preload_runtime(const char *value)
{
    size_t n = value ? strcspn(value, separators) : 0;

    return n > 0 && strncmp(value + n, mark, sizeof(mark) - 1) == 0
               ? n + sizeof(mark) - 1
               : 0;
}

/* Returns true if the user has put the library there. */
static bool has_item(const char *value, const char *name)
{
    size_t n = strlen(name);

    for (const char *at = strstr(value, name); at; at = strstr(at + 1, name))
        if ((at == value || strchr(": /", at[-1])) && strchr(separators, at[n]))
            return true;
    return false;
}

void preload_make(const char *value, const char *runtime, bool is_rank,
                  char *out, size_t len)
{
    char *start = out + sizeof(PRELOAD) - 1, *at, *end = out + len;
    bool is_seen;

    memcpy(out, PRELOAD, sizeof(PRELOAD));
    is_seen = is_in_reach();
    value += preload_runtime(value);
    if (is_seen && *runtime && !has_item(value, runtime))
        start += sprintf(start, "%s%s", runtime, mark);
    /* Before other MPI tools, which call PMPI_Init() and not our MPI_Init(). */
    if (is_seen && is_rank)
        start += snprintf(start, (size_t)(end - start), "%s/" PRELOAD_RANK ":",
                          run.folder);
    at = copy_rest(value, start, is_seen ? is_for_one : is_of_folder);
    if (is_seen && !preload_has(value, PRELOAD_RUN))
        at += snprintf(at, (size_t)(end - at), "%s%s/" PRELOAD_RUN,
                       at > start ? ":" : "", run.folder);
    *at = '\0';
}

/* Edits in place: the new value is never longer. */
void preload_hide(void)
{
    char *value = getenv("LD_PRELOAD");
    size_t n = preload_runtime(value);

    if (value && (n > 0 || preload_has(value, PRELOAD_RANK) ||
                  preload_has(value, PRELOAD_MPI)))
        *copy_rest(value + n, value, is_for_one) = '\0';
}
