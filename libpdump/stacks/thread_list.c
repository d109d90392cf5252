/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads of this process, read from /proc with system calls only. */
#include "stacks/thread_list.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As the kernel writes them. */
struct entry {
    uint64_t file;
    int64_t next;
    uint16_t size;
    uint8_t type;
    char name[];
};

static pid_t number_of(const char *name)
{
    pid_t number = 0;

    for (; *name >= '0' && *name <= '9' && number < 100000000; name++)
        number = number * 10 + (*name - '0');
    return *name ? 0 : number;
}

bool pdump_thread_list_read(void (*each)(pid_t tid, void *data), void *data)
{
    _Alignas(8) char list[512];
    int fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    long n;

    if (fd < 0)
        return false;
    while ((n = syscall(SYS_getdents64, fd, list, sizeof(list))) > 0)
        for (long at = 0; at < n;) {
            const struct entry *e = (const void *)(list + at);
            pid_t tid = number_of(e->name);

            if (tid > 0)
                each(tid, data);
            at += e->size;
        }
    close(fd);
    return n == 0;
}

/* Writes "/proc/self/task/TID/status". */
static void put_path(pid_t tid, char *path)
{
    char digits[12];
    int n = 0;

    strcpy(path, "/proc/self/task/");
    path += strlen(path);
    for (; tid > 0; tid /= 10)
        digits[n++] = (char)('0' + tid % 10);
    while (n > 0)
        *path++ = digits[--n];
    strcpy(path, "/status");
}

/* Returns the value of a hexadecimal digit, or -1. */
static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Finds two values in the text of a file that is read piece by piece. */
struct scan {
    int n_done; /* of the keys */
    size_t matched;
    char state;
    uint64_t blocked;
};

static void scan_next(struct scan *s, char c)
{
    static const char *const keys[] = { "State:\t", "SigBlk:\t", "" };
    const char *key = keys[s->n_done];

    if (key[s->matched]) {
        s->matched = c == key[s->matched] ? s->matched + 1 : 0;
    } else if (s->n_done == 0) {
        s->state = c;
        s->n_done++;
        s->matched = 0;
    } else if (s->n_done == 1 && digit_of(c) >= 0) {
        s->blocked = s->blocked << 4 | (unsigned)digit_of(c);
    } else {
        s->n_done = 2;
    }
}

bool pdump_thread_list_may_signal(pid_t tid, int number)
{
    struct scan scan = { .n_done = 0 };
    char path[48], text[256];
    ssize_t n;
    int fd;

    put_path(tid, path);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    while (scan.n_done < 2 && fd >= 0 && (n = read(fd, text, sizeof(text))) > 0)
        for (ssize_t i = 0; i < n; i++)
            scan_next(&scan, text[i]);
    if (fd >= 0)
        close(fd);
    return scan.n_done == 2 && scan.state == 'R' &&
           !(scan.blocked >> (number - 1) & 1);
}
