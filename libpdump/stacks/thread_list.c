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

enum { STATE, PENDING, PROCESS_PENDING, BLOCKED, N_KEYS };

/* Finds values in the text of a file that is read piece by piece. */
struct scan {
    int n_done; /* of the keys */
    size_t matched;
    uint64_t values[N_KEYS]; /* of the state: a letter */
};

static void scan_next(struct scan *s, char c)
{
    static const char *const keys[] = { "State:\t", "SigPnd:\t", "ShdPnd:\t",
                                        "SigBlk:\t", "" };
    const char *key = keys[s->n_done];
    uint64_t *value = &s->values[s->n_done % N_KEYS];

    if (key[s->matched]) {
        s->matched = c == key[s->matched] ? s->matched + 1 : 0;
    } else if (s->n_done == STATE && !*value) {
        *value = (unsigned char)c;
    } else if (s->n_done != STATE && s->n_done < N_KEYS && digit_of(c) >= 0) {
        *value = *value << 4 | (unsigned)digit_of(c);
    } else if (s->n_done < N_KEYS) {
        s->n_done++;
        s->matched = 0;
    }
}

bool pdump_thread_list_may_signal(pid_t tid, int number)
{
    struct scan scan = { .n_done = 0 };
    char path[48], text[256];
    uint64_t blocked, waiting;
    ssize_t n;
    int fd;

    put_path(tid, path);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    while (scan.n_done < N_KEYS && fd >= 0 &&
           (n = read(fd, text, sizeof(text))) > 0)
        for (ssize_t i = 0; i < n; i++)
            scan_next(&scan, text[i]);
    if (fd >= 0)
        close(fd);
    blocked = scan.values[BLOCKED];
    waiting = (scan.values[PENDING] | scan.values[PROCESS_PENDING]) & ~blocked;
    return scan.n_done == N_KEYS && scan.values[STATE] == 'R' && !waiting &&
           !(blocked >> (number - 1) & 1);
}
