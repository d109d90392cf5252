/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a program without perf: `forbid EACCES|EPERM|ENOSYS PROGRAM ...`. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SKIPPED = 77, TROUBLE = 99 };

/* perf_event_open() fails with `err`, everything else is allowed. */
static int forbid(int err)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)err),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {
        .len = sizeof(filter) / sizeof(filter[0]),
        .filter = filter,
    };

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int err;
    } errors[] = {
        { "EACCES", EACCES },
        { "EPERM", EPERM },
        { "ENOSYS", ENOSYS },
    };

    for (size_t i = 0; argc > 2 && i < sizeof(errors) / sizeof(errors[0]); i++)
        if (strcmp(argv[1], errors[i].name) == 0) {
            if (forbid(errors[i].err) != 0) {
                perror("seccomp");
                return SKIPPED;
            }
            execvp(argv[2], argv + 2);
            perror(argv[2]);
        }
    return TROUBLE;
}
