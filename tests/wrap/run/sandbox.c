/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that restricts its own system calls: sandbox MODE [REGIONS].
 *
 * It has a region before and two after, then so many new ones, writes "out",
 * and ends with code 7; or with what the kernel does for a call that its filter
 * has not.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pdump.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CODE = 7, CALLS_MAX = 32 };

static void fail(int line)
{
    _exit(100 + line % 100);
}
#define CHECK(condition) ((condition) ? (void)0 : fail(__LINE__))

/* Calls on the list get one action, all others another. */
static void set_filter(const long *calls, int n, unsigned action,
                       unsigned other, int flags)
{
    struct sock_filter code[2 * CALLS_MAX + 2] = { BPF_STMT(
        BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)) };
    struct sock_fprog program = { .filter = code };
    unsigned short at = 1;

    for (int i = 0; i < n; i++) {
        code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                  (unsigned)calls[i], 0, 1);
        code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
    }
    code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, other);
    program.len = at;
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    if (flags >= 0)
        CHECK(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) ==
              0);
    else
        CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

/* As little as a program can do with; flags: by seccomp(), not by prctl(). */
static void allow_few(int flags)
{
    static const long calls[] = { SYS_write, SYS_exit_group, SYS_rt_sigreturn };

    set_filter(calls, 3, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS, flags);
}

static void region(const char *name)
{
    pdump_region_begin(name);
    pdump_region_end(name);
}

/* And one that is known. */
static void new_region(int i)
{
    char name[64];

    snprintf(name, sizeof(name), "new region %d", i);
    region(name);
    region("after");
}

static void *work(void *filtered)
{
    region("thread");
    pthread_barrier_wait(filtered);
    pthread_barrier_wait(filtered);
    region("thread");
    return NULL;
}

/* The filter is for a thread that runs, too, and for its end. */
static void with_threads(void)
{
    static const long calls[] = {
        SYS_write,  SYS_exit_group, SYS_exit,           SYS_futex,
        SYS_munmap, SYS_madvise,    SYS_rt_sigprocmask, SYS_rt_sigreturn,
    };
    pthread_barrier_t filtered;
    pthread_t thread;

    pthread_barrier_init(&filtered, NULL, 2);
    CHECK(pthread_create(&thread, NULL, work, &filtered) == 0);
    pthread_barrier_wait(&filtered);
    set_filter(calls, 8, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS,
               SECCOMP_FILTER_FLAG_TSYNC);
    pthread_barrier_wait(&filtered);
    pthread_join(thread, NULL);
}

/* A child, which is not ours to follow any more. */
static void with_child(void)
{
    static const long calls[] = {
        SYS_write,  SYS_exit_group,      SYS_clone,          SYS_clone3,
        SYS_wait4,  SYS_set_robust_list, SYS_rt_sigprocmask, SYS_futex,
        SYS_gettid, SYS_rt_sigreturn,
    };
    int status = 0;
    pid_t child;

    set_filter(calls, 10, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS, -1);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        region("child");
        exit(CODE);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == CODE);
}

/* Nothing of this is a filter: the kernel refuses. */
static void refused(void)
{
    struct sock_filter bad = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 4711);
    struct sock_fprog program = { 1, &bad };

    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) < 0);
    CHECK(errno == EFAULT);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 1L) < 0);
    CHECK(errno == EFAULT);
    CHECK(syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1, NULL) < 0);
    CHECK(errno == EINVAL);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0);
    CHECK(errno == EINVAL);
}

static void forbid(const long *calls, int n, unsigned action)
{
    set_filter(calls, n, action, SECCOMP_RET_ALLOW, 0);
}

/* As if the kernel was older than Linux 5.14: the store has to be opened to
 * grow. */
static void be_old(void)
{
    static const long calls[] = { SYS_madvise };

    forbid(calls, 1, SECCOMP_RET_ERRNO | EINVAL);
}

/* No way is left for the store to grow. */
static void stop_growth(unsigned error)
{
    static const long calls[] = {
        SYS_openat, SYS_ftruncate, SYS_fallocate,
        SYS_mmap,   SYS_madvise,   SYS_mprotect,
#ifdef SYS_open
        SYS_open,
#endif
    };

    forbid(calls, (int)(sizeof(calls) / sizeof(calls[0])),
           SECCOMP_RET_ERRNO | error);
}

static void restrict_calls(const char *mode)
{
    static const long foreign[] = { SYS_reboot, SYS_mount };
    static const long stacks[] = { SYS_process_vm_readv, SYS_timer_settime };
    static const long ours[] = {
        SYS_openat,    SYS_ftruncate, SYS_fallocate,
        SYS_mmap,      SYS_getrusage, SYS_unlinkat,
        SYS_renameat2, SYS_fsync,     SYS_perf_event_open,
#ifdef SYS_open
        SYS_open,      SYS_unlink,    SYS_rename,
#endif
    };

    if (strcmp(mode, "kill") == 0)
        allow_few(-1);
    else if (strcmp(mode, "kill_by_syscall") == 0)
        allow_few(0);
    else if (strcmp(mode, "kill_threads") == 0)
        with_threads();
    else if (strcmp(mode, "kill_child") == 0)
        with_child();
    else if (strcmp(mode, "strict") == 0)
        CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0);
    else if (strcmp(mode, "refused") == 0)
        refused();
    else if (strcmp(mode, "foreign") == 0)
        forbid(foreign, 2, SECCOMP_RET_KILL_PROCESS);
    else if (strcmp(mode, "kill_stacks") == 0)
        forbid(stacks, 2, SECCOMP_RET_KILL_PROCESS);
    else if (strcmp(mode, "eperm") == 0)
        forbid(ours, (int)(sizeof(ours) / sizeof(ours[0])),
               SECCOMP_RET_ERRNO | EPERM);
    else if (strcmp(mode, "enosys") == 0)
        forbid(ours, (int)(sizeof(ours) / sizeof(ours[0])),
               SECCOMP_RET_ERRNO | ENOSYS);
    else if (strcmp(mode, "no_growth") == 0)
        stop_growth(EPERM);
    else if (strcmp(mode, "old_no_growth") == 0)
        stop_growth(ENOSYS);
    else if (strcmp(mode, "old") == 0)
        (void)mode; /* it is, already */
    else
        fail(__LINE__);
}

/* So long that a clock of CPU time ticks. */
static void burn(void)
{
    static volatile int sink;

    for (int i = 0; i < 50000000; i++)
        sink = sink + i;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "kill";
    int n = argc > 2 ? atoi(argv[2]) : 0;

    if (strncmp(mode, "old", 3) == 0)
        be_old();
    region("before");
    restrict_calls(mode);
    if (strcmp(mode, "kill_stacks") == 0)
        burn();
    region("before");
    region("after");
    for (int i = 0; i < n; i++)
        new_region(i);
    CHECK(write(STDOUT_FILENO, "out\n", 4) == 4);
    if (strcmp(mode, "strict") == 0) /* which has no exit_group */
        syscall(SYS_exit, CODE);
    return CODE;
}
