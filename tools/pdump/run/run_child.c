/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the command of `pdump run` and waits for it. */
#include "run/run_child.h"

#include "probe/run_join.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Signals that are forwarded to the command. */
static const int passed[] = { SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
                              SIGUSR1, SIGUSR2, SIGALRM };

enum { N_PASSED = sizeof(passed) / sizeof(passed[0]) };

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Executes the command with execvp() of libpdump-run.so, which makes it be
 * followed.  That library is not preloaded here, so it is opened. */
static void execute(const struct run_setup *s)
{
    int (*function)(const char *, char *const *) = execvp;
    void *so;

    if (s->is_measured) {
        run_setup_child(s);
        so = dlopen(s->run, RTLD_NOW | RTLD_LOCAL);
        if (so)
            *(void **)&function = dlsym(so, "execvp");
        else
            command_fail(s->self, "nothing is measured: %s", dlerror());
        if (!so)
            unsetenv("PDUMP_RUN");
    }
    function(s->command[0], s->command);
}

/* Signal settings that are restored for the command. */
struct signals {
    sigset_t mask;
    void (*on_child)(int);
};

static _Noreturn void be_child(const struct run_setup *s, int tell,
                               const struct signals *before)
{
    int why;

    signal(SIGCHLD, before->on_child);
    sigprocmask(SIG_SETMASK, &before->mask, NULL);
    execute(s);
    why = errno;
    if (write(tell, &why, sizeof(why)) < 0)
        why = 0; /* the exit code shows it, too */
    _exit(127);
}

/* Returns the pid.  Sets child->why if the command could not be executed. */
static pid_t start(const struct run_setup *s, const struct signals *before,
                   struct run_child *child)
{
    int ends[2];
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid = fork();
    if (pid == 0)
        be_child(s, ends[1], before);
    close(ends[1]);
    if (pid > 0 && read(ends[0], &child->why, sizeof(child->why)) !=
                       (ssize_t)sizeof(child->why))
        child->why = 0;
    close(ends[0]);
    return pid;
}

/* Watches for stores being closed: their processes have ended. */
static int watch_stores(const struct run_setup *s)
{
    const char *store = s->is_measured ? pdump_run_join_store() : NULL;
    int fd = store ? inotify_init1(IN_CLOEXEC | IN_NONBLOCK) : -1;
    char folder[PATH_MAX];

    if (fd < 0)
        return -1;
    snprintf(folder, sizeof(folder), "%s", store);
    *strrchr(folder, '/') = '\0';
    inotify_add_watch(fd, folder, IN_CLOSE_WRITE | IN_ONLYDIR);
    return fd;
}

static void note_ends(int watch)
{
    char buf[8192] __attribute__((aligned(__alignof__(struct inotify_event))));
    ssize_t n;

    while (watch >= 0 && (n = read(watch, buf, sizeof(buf))) > 0)
        for (char *at = buf; at < buf + n;) {
            const struct inotify_event *event = (void *)at;

            if (event->len > 0)
                pdump_run_join_note_end(event->name);
            at += sizeof(*event) + event->len;
        }
}

/* Signals of the terminal reach the command without us. */
static void pass_on(int signals, pid_t pid)
{
    struct signalfd_siginfo info;

    while (read(signals, &info, sizeof(info)) == (ssize_t)sizeof(info))
        if (info.ssi_signo != SIGCHLD && info.ssi_code != SI_KERNEL)
            kill(pid, (int)info.ssi_signo);
}

static void wait_for(pid_t pid, int signals, int watch, struct run_child *child)
{
    struct pollfd fds[2] = { { .fd = signals, .events = POLLIN },
                             { .fd = watch, .events = POLLIN } };

    /* The last call is for ends that came after the loop's last one. */
    while (wait4(pid, &child->status, WNOHANG, &child->usage) == 0) {
        if (poll(fds, watch >= 0 ? 2 : 1, -1) < 0 && errno != EINTR)
            break;
        pass_on(signals, pid);
        note_ends(watch);
    }
    note_ends(watch);
}

/* Helpers of the command, such as multiprocessing's forkserver, exit when they
 * notice that it has ended: give them time to do so, so that they are in the
 * dump. */
static void wait_for_helpers(int watch)
{
    enum { STEP_MS = 10 };
    double until = seconds() + 0.5;

    while (watch >= 0 && pdump_run_join_n_running() > 0 && seconds() < until) {
        poll(NULL, 0, STEP_MS);
        note_ends(watch);
    }
}

int run_child_run(const struct run_setup *s, struct run_child *child)
{
    struct signals before;
    sigset_t all;
    int signals, watch;
    double from;
    pid_t pid;

    sigemptyset(&all);
    sigaddset(&all, SIGCHLD);
    for (int i = 0; i < N_PASSED; i++)
        sigaddset(&all, passed[i]);
    /* If SIGCHLD were ignored, wait4() would not work. */
    before.on_child = signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &all, &before.mask);
    signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
    watch = watch_stores(s);
    from = seconds();
    pid = signals >= 0 ? start(s, &before, child) : -1;
    if (pid > 0)
        wait_for(pid, signals, watch, child);
    child->wall = seconds() - from;
    if (pid > 0)
        wait_for_helpers(watch);
    if (watch >= 0)
        close(watch);
    if (pid < 0)
        return command_fail(s->self, "cannot start a process: %s",
                            strerror(errno));
    return COMMAND_OK;
}

int run_child_code(const struct run_child *child)
{
    if (child->why)
        return child->why == ENOENT || child->why == ENOTDIR ? 127 : 126;
    if (WIFSIGNALED(child->status))
        return 128 + WTERMSIG(child->status);
    return WEXITSTATUS(child->status);
}

void run_child_follow(const struct run_child *child)
{
    const struct rlimit none = { 0, 0 };
    sigset_t one;

    if (child->why || !WIFSIGNALED(child->status))
        return;
    fflush(NULL);
    setrlimit(RLIMIT_CORE, &none); /* only the command dumps core */
    signal(WTERMSIG(child->status), SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, WTERMSIG(child->status));
    raise(WTERMSIG(child->status));
    sigprocmask(SIG_UNBLOCK, &one, NULL);
}
