/* SPDX-License-Identifier: BSD-3-Clause */
/* A job without MPI: forked processes that are connected by sockets. */
#ifndef PDUMP_TESTS_FAKE_JOB_H
#define PDUMP_TESTS_FAKE_JOB_H

#include "job/comm.h"

#include <check.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOB_MAX = 16 };

static int job_rank, job_size;
/* However busy the machine is; only a test that waits in vain is impatient. */
static int64_t job_seconds = 300;
static bool job_is_impatient;
static int job_fd[JOB_MAX][JOB_MAX]; /* [a][b]: a's end to b */

static inline int job_move(int fd, char *bytes, size_t len, bool is_out,
                           int times)
{
    while (len > 0) {
        struct pollfd p = { .fd = fd, .events = is_out ? POLLOUT : POLLIN };
        ssize_t n;

        if (poll(&p, 1, (int)job_seconds * times * 1000) != 1)
            return pdump_fail(PDUMP_EPEER, "too late");
        n = is_out ? write(fd, bytes, len) : read(fd, bytes, len);
        if (n <= 0)
            return pdump_fail(PDUMP_EPEER, "gone");
        bytes += n;
        len -= (size_t)n;
    }
    return PDUMP_OK;
}

static inline int job_send(int to, const void *bytes, size_t len)
{
    int fd = job_fd[job_rank][to];
    int err = job_move(fd, (char *)&len, sizeof(len), true, 1);

    return err < 0 ? err : job_move(fd, (char *)bytes, len, true, 1);
}

static inline int job_receive(int from, int times, void **bytes, size_t *len)
{
    int fd = job_fd[job_rank][from];
    int err = job_move(fd, (char *)len, sizeof(*len), false, times);

    if (err < 0)
        return err;
    *bytes = malloc(*len + 1);
    return job_move(fd, *bytes, *len, false, 1);
}

/* Everybody's least and largest value. */
static inline int job_range(int64_t value, int64_t *min, int64_t *max)
{
    int64_t range[2] = { value, value }, *other;
    size_t len;

    for (int i = 1; job_rank == 0 && i < job_size; i++) {
        if (job_receive(i, 1, (void **)&other, &len) < 0)
            return PDUMP_EPEER;
        range[0] = *other < range[0] ? *other : range[0];
        range[1] = *other > range[1] ? *other : range[1];
        free(other);
    }
    for (int i = 1; job_rank == 0 && i < job_size; i++)
        job_send(i, range, sizeof(range));
    if (job_rank > 0) {
        if (job_send(0, &value, sizeof(value)) < 0 ||
            job_receive(0, 1, (void **)&other, &len) < 0)
            return PDUMP_EPEER;
        memcpy(range, other, sizeof(range));
        free(other);
    }
    *min = range[0];
    *max = range[1];
    return PDUMP_OK;
}

static inline int job_agree(int err)
{
    int64_t min, max;
    int bad = job_range(err, &min, &max);

    return bad < 0 ? bad : (int)min;
}

static inline int job_same(uint64_t value)
{
    int64_t min, max;
    int bad = job_range((int64_t)value, &min, &max);

    return bad < 0 ? bad : min == max;
}

static inline int job_enter(const void *group, int64_t seconds)
{
    (void)group;
    if (job_is_impatient)
        job_seconds = seconds;
    return job_agree(0);
}

static inline void job_leave(void) {}

static inline int job_my_rank(void)
{
    return job_rank;
}

static inline int job_my_size(void)
{
    return job_size;
}

static const struct pdump_comm fake_job = {
    .name = "fake",
    .rank = job_my_rank,
    .size = job_my_size,
    .enter = job_enter,
    .leave = job_leave,
    .agree = job_agree,
    .same = job_same,
    .send = job_send,
    .receive = job_receive,
};

/* Run body() on so many ranks; this process is rank 0.  The others say by
 * their exit code how it went: all of them must return 0. */
static inline void run_job(int size, int (*body)(void))
{
    pid_t pid[JOB_MAX];

    job_size = size;
    for (int a = 0; a < size; a++)
        for (int b = a + 1; b < size; b++) {
            int pair[2];

            ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
            job_fd[a][b] = pair[0];
            job_fd[b][a] = pair[1];
        }
    for (int i = 1; i < size; i++) {
        pid[i] = fork();
        ck_assert_int_ge(pid[i], 0);
        if (pid[i] == 0) {
            int code;

            job_rank = i;
            code = body();
            if (code)
                fprintf(stderr, "rank %d: %d: %s\n", i, code,
                        pdump_last_error());
            _exit(code ? 1 : 0);
        }
    }
    job_rank = 0;
    ck_assert_msg(body() == 0, "rank 0: %s", pdump_last_error());
    for (int i = 1; i < size; i++) {
        int status;

        ck_assert_int_eq(waitpid(pid[i], &status, 0), pid[i]);
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0,
                      "rank %d failed", i);
    }
    for (int a = 0; a < size; a++)
        for (int b = 0; b < size; b++)
            if (a != b)
                close(job_fd[a][b]);
}

#endif
