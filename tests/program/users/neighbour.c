/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Another user who is always faster, to be preloaded: before each call that
 * opens, makes, renames or flushes something, user 65534 replaces what a
 * program is about to write in the folder NEIGHBOUR_AT by a link to the file or
 * the folder NEIGHBOUR_TO, as far as the kernel lets that user.  The modes of
 * what it has seen are in the file NEIGHBOUR_LOG.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OTHER = 65534 };

/* The function that we stand in front of. */
#define REAL(name, ...) \
    (((__typeof__(&name))dlsym(RTLD_NEXT, #name))(__VA_ARGS__))

static const char *const inside[] = { "new.csv",     "new.meta.csv", "new.json",
                                      "new.h5",      "new.html",     "new.otf2",
                                      "settings.txt" };

/* In the place of a folder: a link to another one, or a folder with links. */
static void replace_folder(const char *name, const char *to)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "stolen%.200s", name);
    if (rename(name, path) != 0)
        return;
    if (!getenv("NEIGHBOUR_COPIES")) {
        (void)!symlink(to, name);
        return;
    }
    mkdir(name, 0777);
    chmod(name, 0777);
    for (size_t i = 0; i < sizeof(inside) / sizeof(inside[0]); i++) {
        snprintf(path, sizeof(path), "%.200s/%s", name, inside[i]);
        (void)!symlink(to, path);
    }
}

static void replace_all(const char *to, int log)
{
    DIR *dir = opendir(".");
    const struct dirent *entry;
    struct stat st;

    while (dir && (entry = readdir(dir))) {
        if ((strncmp(entry->d_name, ".perf", 5) != 0 &&
             !strstr(entry->d_name, ".tmp-")) ||
            fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
            st.st_uid == OTHER)
            continue;
        dprintf(log, "%o\n", st.st_mode & 07777);
        if (S_ISREG(st.st_mode) && unlink(entry->d_name) == 0)
            (void)!symlink(to, entry->d_name);
        else if (S_ISDIR(st.st_mode))
            replace_folder(entry->d_name, to);
    }
    _exit(0);
}

/* Not fork(), which libpdump follows. */
static void act(void)
{
    const char *at = getenv("NEIGHBOUR_AT"), *to = getenv("NEIGHBOUR_TO");
    const char *log = getenv("NEIGHBOUR_LOG");
    static int is_acting;
    long child;

    if (!at || !to || is_acting)
        return;
    is_acting = 1;
    child = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0L);
    if (child == 0) {
        int fd =
            log ? REAL(open, log, O_WRONLY | O_APPEND | O_CREAT, 0600) : -1;

        if (syscall(SYS_setgroups, 0L, NULL) == 0 &&
            syscall(SYS_setresgid, OTHER, OTHER, OTHER) == 0 &&
            syscall(SYS_setresuid, OTHER, OTHER, OTHER) == 0 && chdir(at) == 0)
            replace_all(to, fd);
        _exit(1);
    }
    waitpid((pid_t)child, NULL, 0);
    is_acting = 0;
}

int open(const char *path, int flags, ...)
{
    va_list args;
    mode_t mode;

    va_start(args, flags);
    mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    act();
    return REAL(open, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list args;
    mode_t mode;

    va_start(args, flags);
    mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    act();
    return REAL(openat, folder, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    act();
    return REAL(fopen, path, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    act();
    return REAL(fopen64, path, mode);
}

int fsync(int fd)
{
    act();
    return REAL(fsync, fd);
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to,
              unsigned flags)
{
    act();
    return REAL(renameat2, from_dir, from, to_dir, to, flags);
}

int unlinkat(int folder, const char *name, int flags)
{
    act();
    return REAL(unlinkat, folder, name, flags);
}
