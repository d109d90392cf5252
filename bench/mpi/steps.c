/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the time of a dump goes: mkdir() and fsync() that note the time. */
#include "steps.h"
#include "../work.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct steps steps;

void steps_clear(void)
{
    steps = (struct steps){ 0 };
}

int mkdir(const char *path, mode_t mode)
{
    if (steps.write == 0)
        steps.write = work_now();
    return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int fsync(int fd)
{
    int64_t start = work_now();
    int err = (int)syscall(SYS_fsync, fd);

    if (steps.sync == 0) {
        steps.sync = start;
        steps.synced = work_now();
    }
    return err;
}
