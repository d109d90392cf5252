/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters of another thread of this process, from the kernel. */
#include "source/source_other.h"
#include "source/source.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*
 * The kernel's id of a thread's CPU clock: the lowest three bits say that it is
 * the scheduler's clock of one thread.  pthread_getcpuclockid() computes the
 * same id, but must not be called for a thread that has ended; with this id the
 * kernel returns an error.
 */
static clockid_t clock_of(int64_t tid)
{
    return (clockid_t)(~(unsigned)tid << 3 | 6);
}

static int64_t cpu_time(int64_t tid)
{
    struct timespec ts;

    if (clock_gettime(clock_of(tid), &ts) != 0)
        return PDUMP_UNREAD;
    return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

/* Returns the fields of /proc/self/task/TID/stat after the name, which may
 * itself contain blanks and brackets; "" if there is no such thread. */
static const char *read_stat(int64_t tid, char *text, size_t len)
{
    const char *name_end;
    char path[64];
    ssize_t n = -1;
    int fd;

    snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)tid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        n = read(fd, text, len - 1);
        close(fd);
    }
    text[n < 0 ? 0 : n] = '\0';
    name_end = strrchr(text, ')');
    return name_end ? name_end + 1 : "";
}

struct pdump_other_thread pdump_source_other(int64_t tid)
{
    struct pdump_other_thread other = { cpu_time(tid), PDUMP_UNREAD,
                                        PDUMP_UNREAD, PDUMP_UNREAD };
    char text[512];
    long long minor, major;

    /* state ppid pgrp session tty_nr tpgid flags minflt cminflt majflt */
    if (sscanf(read_stat(tid, text, sizeof(text)),
               " %*c %*d %*d %*d %*d %*d %*u %lld %*d %lld", &minor,
               &major) == 2) {
        other.minor_faults = minor;
        other.major_faults = major;
        other.faults = minor + major;
    }
    return other;
}
