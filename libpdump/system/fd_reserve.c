/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptors for the dump of a program that has run out of them. */
#include "system/fd_reserve.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum {
    MORE = 64,  /* descriptors that the limit is raised by */
    FEW = 4096, /* programs are not expected to reach a higher limit */
};

static int open_any(void)
{
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static bool raise_limit(const struct rlimit *before)
{
    struct rlimit more = { .rlim_cur = before->rlim_cur + MORE,
                           .rlim_max = before->rlim_max };

    if (more.rlim_max < more.rlim_cur)
        more.rlim_max = more.rlim_cur;
    return setrlimit(RLIMIT_NOFILE, &more) == 0;
}

/* Returns true if this process could not raise the limit when it has to. */
static bool is_bound(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return true;
    if (limit.rlim_cur > FEW || limit.rlim_max - limit.rlim_cur >= MORE)
        return false;
    if (!raise_limit(&limit))
        return true;
    setrlimit(RLIMIT_NOFILE, &limit);
    return false;
}

static void reserve_keep(struct pdump_fd_reserve *r)
{
    for (int i = 0; i < PDUMP_FD_RESERVE_KEPT; i++)
        pdump_private_fd_take(&r->kept[i], open_any());
}

void pdump_fd_reserve_open(struct pdump_fd_reserve *r)
{
    *r = (struct pdump_fd_reserve){ .is_raised = false };
    for (int i = 0; i < PDUMP_FD_RESERVE_KEPT; i++)
        r->kept[i].fd = -1;
    if (is_bound())
        reserve_keep(r);
}

void pdump_fd_reserve_use(struct pdump_fd_reserve *r)
{
    int fd;

    for (int i = 0; i < PDUMP_FD_RESERVE_KEPT; i++)
        pdump_private_fd_close(&r->kept[i]);
    fd = open_any();
    if (fd >= 0)
        close(fd);
    else if (errno == EMFILE && getrlimit(RLIMIT_NOFILE, &r->before) == 0)
        r->is_raised = raise_limit(&r->before);
}

void pdump_fd_reserve_back(struct pdump_fd_reserve *r)
{
    if (r->is_raised)
        setrlimit(RLIMIT_NOFILE, &r->before);
    r->is_raised = false;
    if (is_bound())
        reserve_keep(r);
}

void pdump_fd_reserve_close(struct pdump_fd_reserve *r)
{
    for (int i = 0; i < PDUMP_FD_RESERVE_KEPT; i++)
        pdump_private_fd_close(&r->kept[i]);
}
