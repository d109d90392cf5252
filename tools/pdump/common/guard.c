/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs long work in a child, shows its progress, and cleans up after it. */
#include "common/guard.h"

#include "system/env.h"
#include "system/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    PAUSE_MS = 200,
    PATIENCE_MS = 1000, /* shorter work gets no line */
};

/* The child's progress, in memory shared with the parent. */
static struct state {
    _Atomic(const char *) what;
    atomic_int done;
    atomic_int total;
} * state;

/* The signals that were blocked before the work began. */
static sigset_t before;

/* The parent's state. */
struct watch {
    const struct command *self;
    const char *dir;
    pid_t child;
    int signal;    /* received by this process, or 0 */
    bool has_line; /* standard error is a terminal */
    bool is_shown; /* the line is on the screen */
    int elapsed_ms;
};

void guard_tell(const char *what, int done, int total)
{
    if (!state)
        return;
    atomic_store(&state->done, done);
    atomic_store(&state->total, total);
    atomic_store(&state->what, what);
}

static sigset_t ending_signals(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    return set;
}

void guard_commit(void)
{
    const sigset_t set = ending_signals();

    if (state)
        sigprocmask(SIG_BLOCK, &set, NULL);
}

void guard_go_on(void)
{
    if (state)
        sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Unfinished files are in a private folder (system/private_folder.h). */
static bool is_private_folder(int folder, const char *name, pid_t pid)
{
    char middle[32];
    struct stat st;
    const char *at;

    snprintf(middle, sizeof(middle), ".%ld-", (long)pid);
    at = strstr(name, middle);
    return name[0] == '.' && at && at > name && at[strlen(middle)] >= '0' &&
           at[strlen(middle)] <= '9' &&
           fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

static int size_add(int folder, const char *name, bool is_folder, void *data)
{
    long long *size = data;
    struct stat st;

    if (!is_folder && fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        *size += st.st_size;
    return PDUMP_OK;
}

/* Returns the bytes of the unfinished files in a folder; removes them on
 * request. */
static long long visit(const char *path, pid_t pid, bool removes)
{
    DIR *dir = opendir(path);
    long long size = 0;
    struct dirent *entry;

    while (dir && (entry = readdir(dir)) != NULL) {
        if (!is_private_folder(dirfd(dir), entry->d_name, pid))
            continue;
        pdump_folder_walk(dirfd(dir), entry->d_name, size_add, &size);
        if (removes)
            pdump_folder_remove(dirfd(dir), entry->d_name);
    }
    if (dir)
        closedir(dir);
    return size;
}

/* The files are in the temporary folder if the requested one could not be
 * used. */
static void clean_up(const struct watch *w)
{
    visit(w->dir, w->child, true);
    visit(pdump_env_temporary(), w->child, true);
}

static void put_line(struct watch *w)
{
    const char *what = atomic_load(&state->what);
    int done = atomic_load(&state->done), total = atomic_load(&state->total);
    long long size = visit(w->dir, w->child, false);

    fprintf(stderr, "\rpdump %s: %s", w->self->name, what ? what : "working");
    if (total > 0)
        fprintf(stderr, " %d of %d", done, total);
    if (size > 0)
        fprintf(stderr, ", %.1f MB", (double)size / 1e6);
    fprintf(stderr, ", %d s\033[K", w->elapsed_ms / 1000);
    fflush(stderr);
    w->is_shown = true;
}

static void clear_line(struct watch *w)
{
    if (w->is_shown)
        fputs("\r\033[K", stderr);
    w->is_shown = false;
}

/* Waits until the child has ended.  Returns its status. */
static int wait_for(struct watch *w, const sigset_t *set)
{
    const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000L };
    int status = 0, got;

    while (waitpid(w->child, &status, WNOHANG) == 0) {
        got = sigtimedwait(set, NULL, &pause);
        if (got > 0 && got != SIGCHLD) {
            w->signal = got;
            kill(w->child, got);
        }
        if (got > 0)
            continue;
        w->elapsed_ms += PAUSE_MS;
        if (w->has_line && w->elapsed_ms >= PATIENCE_MS)
            put_line(w);
    }
    clear_line(w);
    return status;
}

/* The parent, usually a shell, should see the signal.  If the reader of our
 * output has closed it (SIGPIPE), no message is printed.  If the work has ended
 * by itself, a signal that arrives now changes nothing: it stays blocked until
 * we end, too. */
static int finish(struct watch *w, int status)
{
    int number;

    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    number = WTERMSIG(status);
    clean_up(w);
    if (number != SIGPIPE)
        command_warn(w->self,
                     "ended by signal %d (%s); no unfinished file is left",
                     number, strsignal(number));
    if (number == w->signal || number == SIGPIPE) {
        signal(number, SIG_DFL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        raise(number);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return COMMAND_FAILED;
}

static bool is_terminal(void)
{
    const char *term = getenv("TERM");

    return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

int guard_run(const struct command *self, const char *dir, int (*work)(void *),
              void *data)
{
    struct watch w = { .self = self, .dir = dir, .has_line = is_terminal() };
    sigset_t set = ending_signals();

    state = mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (state == MAP_FAILED) {
        state = NULL;
        return work(data);
    }
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, &before);
    signal(SIGCHLD, SIG_DFL); /* if it were ignored, waitpid() would not work */
    fflush(stdout);
    w.child = fork();
    if (w.child <= 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        return work(data); /* without a child if fork() fails */
    }
    return finish(&w, wait_for(&w, &set));
}
