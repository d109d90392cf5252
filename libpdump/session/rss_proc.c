/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the memory of processes from /proc. */
#include "session/rss_sampler.h"
#include "session/signals.h"
#include "session/timeline_writer.h"
#include "system/private_fd.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Reads a file, as far as it fits.  Returns the bytes; 0 if there is no such
 * file. */
static size_t read_text(const char *path, char *text, size_t len)
{
    int fd = pdump_private_fd_apart_open(path, O_RDONLY);
    size_t have = 0;
    ssize_t n = 1;

    while (fd >= 0 && have + 1 < len && n > 0) {
        n = pdump_private_fd_apart_read(fd, text + have, len - 1 - have);
        if (n > 0)
            have += (size_t)n;
    }
    if (fd >= 0)
        pdump_private_fd_apart_close(fd);
    text[have] = '\0';
    return have;
}

int64_t pdump_rss_sampler_rss(int64_t pid)
{
    char path[64], text[128];
    int64_t pages;

    if (pid)
        snprintf(path, sizeof(path), "/proc/%" PRId64 "/statm", pid);
    else /* /proc/self is the first thread, which may have ended */
        snprintf(path, sizeof(path), "/proc/thread-self/statm");
    if (!read_text(path, text, sizeof(text)) ||
        sscanf(text, "%*d %" SCNd64, &pages) != 1)
        return -1;
    return pages * sysconf(_SC_PAGESIZE);
}

int64_t pdump_rss_sampler_pss(void)
{
    char text[1024];
    const char *at;
    int64_t kib;

    if (!read_text("/proc/thread-self/smaps_rollup", text, sizeof(text)))
        return -1;
    at = strstr(text, "\nPss:");
    return at && sscanf(at, "\nPss: %" SCNd64, &kib) == 1 ? kib * 1024 : -1;
}

/*
 * If the first thread was the program's last and ended by SYS_exit, its exit
 * code should be that of the process.  But the kernel uses the code of the last
 * thread, which belongs to libpdump and would give 0.  The last field of `stat`
 * is the exit code of the first thread.
 */
static void keep_code(const char *stat)
{
    const char *last = strrchr(stat, ' ');
    int status = last ? atoi(last) : 0;

    if (status)
        syscall(SYS_exit_group, status >> 8 & 0xff);
}

bool pdump_rss_sampler_is_alone(void)
{
    static atomic_bool has_gone_on; /* without its first thread */
    int n_threads, n_ours = 1 + pdump_rss_sampler_is_running() +
                            pdump_rss_sampler_apart_is_running() +
                            pdump_timeline_is_writing() +
                            pdump_signals_has_thread();
    char text[1024], state;
    const char *at;

    if (!read_text("/proc/self/stat", text, sizeof(text)))
        return false;
    at = strrchr(text, ')');
    if (!at ||
        sscanf(at,
               ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
               "%*s %*s %*s %d",
               &state, &n_threads) != 2 ||
        state != 'Z')
        return false;
    if (n_threads > n_ours)
        has_gone_on = true;
    else if (!has_gone_on)
        keep_code(at);
    return n_threads <= n_ours;
}

/* Adds the children that one thread has started. */
static int add_children(const char *path, int64_t *pids, int n, int max)
{
    char text[4096], *at = text, *end;

    read_text(path, text, sizeof(text));
    for (; n < max; at = end) {
        long long pid = strtoll(at, &end, 10);

        /* Without a blank behind it, the number may have been cut. */
        if (end == at || *end != ' ')
            break;
        pids[n++] = pid;
    }
    return n;
}

/* Adds the children that the threads of a process have started. */
static int add_process(int64_t pid, int64_t *pids, int n, int max)
{
    char path[400], list[2048] __attribute__((aligned(8)));
    ssize_t have;
    int tasks;

    snprintf(path, sizeof(path), "/proc/%" PRId64 "/task", pid);
    tasks = pdump_private_fd_apart_open(path, O_RDONLY | O_DIRECTORY);
    if (tasks < 0)
        return n;
    while ((have = pdump_private_fd_apart_list(tasks, list, sizeof(list))) > 0)
        for (const struct dirent64 *entry = (const void *)list;
             n < max && (const char *)entry < list + have;
             entry = (const void *)((const char *)entry + entry->d_reclen)) {
            if (entry->d_name[0] == '.')
                continue;
            snprintf(path, sizeof(path), "/proc/%" PRId64 "/task/%s/children",
                     pid, entry->d_name);
            n = add_children(path, pids, n, max);
        }
    pdump_private_fd_apart_close(tasks);
    return n;
}

int pdump_rss_sampler_children(int64_t *pids, int max)
{
    int n = add_process(getpid(), pids, 0, max);

    for (int i = 0; i < n; i++)
        n = add_process(pids[i], pids, n, max);
    return n;
}
