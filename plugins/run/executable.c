/* SPDX-License-Identifier: BSD-3-Clause */
/* Examines a file before it is executed: finds out whether it can be
 * followed. */
#include "executable.h"
#include "environment.h"
#include "preload.h"
#include "notes_writer.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { OWN_CLASS = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32 };

/* Returns true if the program runs with other rights than its caller.  Then the
 * loader ignores LD_PRELOAD. */
static bool is_privileged(int fd, const struct stat *st)
{
    return (st->st_mode & S_ISUID && st->st_uid != getuid()) ||
           (st->st_mode & S_ISGID && st->st_mode & S_IXGRP &&
            st->st_gid != getgid()) ||
           (geteuid() != 0 &&
            fgetxattr(fd, "security.capability", NULL, 0) > 0);
}

static bool has_loader(int fd, const ElfW(Ehdr) * head)
{
    for (int i = 0; i < head->e_phnum; i++) {
        off_t at = (off_t)head->e_phoff + (off_t)i * head->e_phentsize;
        ElfW(Phdr) part;

        if (pread(fd, &part, sizeof(part), at) != (ssize_t)sizeof(part))
            return true;
        if (part.p_type == PT_INTERP)
            return true;
    }
    return false;
}

/* Copies the interpreter in the first line of a script to `out`. */
static bool find_interpreter(int fd, char *out, size_t len)
{
    char line[256];
    ssize_t n = pread(fd, line, sizeof(line) - 1, 0);
    size_t at;

    if (n < 3 || line[0] != '#' || line[1] != '!')
        return false;
    line[n] = '\0';
    at = 2 + strspn(line + 2, " \t");
    snprintf(out, len, "%.*s", (int)strcspn(line + at, " \t\n"), line + at);
    return *out == '/';
}

/* Adds a note if the file cannot be followed.  Returns true if it is a script;
 * then `interpreter` is set. */
static bool image_read(int fd, const char *path, struct image *image,
                       char *interpreter, size_t len)
{
    ElfW(Ehdr) head;
    struct stat st;

    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    if (pread(fd, &head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
        memcmp(head.e_ident, ELFMAG, SELFMAG) == 0) {
        if (is_privileged(fd, &st))
            notes_add("privileged", path);
        else if (head.e_ident[EI_CLASS] != OWN_CLASS)
            notes_add("foreign", path);
        else if (!has_loader(fd, &head))
            notes_add("static", path);
        else if (sanitizer_find(fd, image->runtime) &&
                 environment_preloads(PRELOAD_HEAP))
            notes_add("heap", path);
        return false;
    }
    return find_interpreter(fd, interpreter, len);
}

void image_check(const char *path, struct image *image)
{
    char interpreter[256];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is_script;

    image->runtime[0] = '\0';
    if (fd < 0)
        return;
    is_script = image_read(fd, path, image, interpreter, sizeof(interpreter));
    close(fd);
    if (!is_script)
        return;
    fd = open(interpreter, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return;
    image_read(fd, interpreter, image, interpreter, sizeof(interpreter));
    close(fd);
}

const char *image_find(const char *file, char *buf)
{
    const char *path = getenv("PATH");

    if (strchr(file, '/'))
        return file;
    if (!path)
        path = "/bin:/usr/bin";
    while (*path) {
        size_t n = strcspn(path, ":");
        struct stat st;

        if (snprintf(buf, PATH_MAX, "%.*s%s%s", (int)n, path, n ? "/" : "",
                     file) < PATH_MAX &&
            access(buf, X_OK) == 0 && stat(buf, &st) == 0 &&
            S_ISREG(st.st_mode))
            return buf;
        path += n + (path[n] == ':');
    }
    return file;
}
