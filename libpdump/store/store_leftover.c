/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the stores of earlier runs that ended without their dump. */
#include "store/store_leftover.h"
#include "base/checksum.h"
#include "store/store_file.h"
#include "store/store_layout.h"
#include "system/owned_file.h"

#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { OPENED_MAX = 256 };

struct search {
    uint64_t number;
    char *first;
    size_t len;
    char run[sizeof(((struct pdump_head *)0)->run)]; /* the last one found */
    int n_runs;
    int n_opened;
};

uint64_t pdump_store_leftover_number(const char *folder)
{
    struct pdump_checksum sum = { 0 };

    pdump_checksum_add(&sum, folder, strlen(folder));
    return pdump_checksum_value(&sum);
}

/* Returns true for the store of a run's first process: those of its other
 * processes may be waiting for a process that is alive. */
static bool is_left(int fd, uint64_t number, struct pdump_head *head)
{
    return pread(fd, head, sizeof(*head), 0) == (ssize_t)sizeof(*head) &&
           head->layout == pdump_store_layout() &&
           head->checksum == pdump_head_checksum(head) && !head->parent &&
           head->folder == number && !pdump_store_file_is_locked(fd);
}

/* The stores of a run follow one another, because their names begin with its
 * name. */
static int store_look(const char *path, void *data)
{
    struct search *s = data;
    int fd = pdump_owned_file_open(path, O_RDONLY);
    struct pdump_head head;

    if (fd < 0)
        return 0;
    if (is_left(fd, s->number, &head) &&
        memcmp(head.run, s->run, sizeof(s->run)) != 0) {
        memcpy(s->run, head.run, sizeof(s->run));
        s->run[sizeof(s->run) - 1] = '\0';
        if (s->n_runs++ == 0)
            pdump_store_file_pattern(path, s->run, s->first, s->len);
    }
    close(fd);
    return ++s->n_opened == OPENED_MAX;
}

int pdump_store_leftover_find(const char *own, uint64_t number, char *first,
                              size_t len)
{
    struct search s = { .number = number, .first = first, .len = len };
    char folder[PATH_MAX];

    snprintf(folder, sizeof(folder), "%s", own);
    pdump_store_file_each(dirname(folder), NULL, store_look, &s);
    return s.n_runs;
}
