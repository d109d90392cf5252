/* SPDX-License-Identifier: BSD-3-Clause */
/* To be preloaded: the file SHRINK becomes half as long when the SHRINK_AT-th
 * call reads from a descriptor at some place. */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

ssize_t pread(int fd, void *bytes, size_t n, off_t at)
{
    ssize_t (*real)(int, void *, size_t, off_t) =
        (ssize_t(*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread");
    const char *path = getenv("SHRINK"), *when = getenv("SHRINK_AT");
    static int n_calls;
    struct stat st;

    if (path && when && ++n_calls == atoi(when) && stat(path, &st) == 0 &&
        truncate(path, st.st_size / 2) != 0)
        abort();
    return real(fd, bytes, n, at);
}
