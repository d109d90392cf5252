/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes for the first process of the run. */
#include "notes_writer.h"
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Checks that the path is the notes file: the first process may have ended and
 * its pid may belong to another one, or this process may be in another pid
 * namespace. */
static bool is_notes(const char *path)
{
    static const char name[] = "/memfd:pdump run ";
    char text[sizeof(name)];
    int saved = errno;
    bool is_same = readlink(path, text, sizeof(text)) == sizeof(text) &&
                   memcmp(text, name, sizeof(name) - 1) == 0;

    errno = saved;
    return is_same;
}

int notes_open(void)
{
    char path[64];
    int saved = errno, fd = -1;

    if (run.notes >= 0) {
        snprintf(path, sizeof(path), "/proc/%ld/fd/%d", run.root, run.notes);
        if (is_notes(path))
            fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    }
    errno = saved;
    return fd;
}

void notes_put(int fd, const char *kind, const char *text)
{
    char line[PATH_MAX + 32];
    int saved = errno;
    int n = snprintf(line, sizeof(line), "%s %s", kind, text);

    if (fd >= 0) {
        if (n > 0 && n < (int)sizeof(line) &&
            write(fd, line, (size_t)n + 1) < 0)
            n = 0; /* the reader has gone */
        close(fd);
    }
    errno = saved;
}

void notes_add(const char *kind, const char *text)
{
    notes_put(notes_open(), kind, text);
}
