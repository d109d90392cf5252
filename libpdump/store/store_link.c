/* SPDX-License-Identifier: BSD-3-Clause */
/* How a process refers to the file of its store. */
#include "store/store_link.h"
#include "store/store_file.h"
#include "system/owned_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 }; /* or less than a page: the kernel maps whole pages */

/* Open the file by its name, if that is still the same file.  Returns -1 if
 * not. */
static int open_again(const struct pdump_store_link *link)
{
    int fd = pdump_owned_file_open(link->path, O_RDWR);

    if (fd >= 0 && !pdump_private_fd_is(&link->own, fd)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static void drop_lock(struct pdump_store_link *link)
{
    if (link->lock)
        munmap(link->lock, PAGE);
    link->lock = NULL;
}

/* Let a mapped page hold the lock, and continue with a separate open of the
 * file. */
static void move_lock(struct pdump_store_link *link)
{
    int fd = open_again(link);
    void *page = fd >= 0
                     ? mmap(NULL, PAGE, PROT_NONE, MAP_SHARED, link->own.fd, 0)
                     : MAP_FAILED;

    if (page == MAP_FAILED) {
        if (fd >= 0)
            close(fd);
        return;
    }
    madvise(page, PAGE, MADV_DONTFORK);
    close(link->own.fd);
    link->own.fd = fd;
    link->lock = page;
    if (pdump_store_file_lock(fd, link->path))
        drop_lock(link); /* the lock was free: the page does not keep it */
}

void pdump_store_link_make(struct pdump_store_link *link, int fd,
                           const char *path)
{
    *link = (struct pdump_store_link){ .path = path, .own = { .fd = -1 } };
    if (!path)
        return;
    pdump_private_fd_know(&link->own, fd);
    move_lock(link);
}

void pdump_store_link_rest(struct pdump_store_link *link)
{
    if (link->lock)
        pdump_private_fd_close(&link->own);
    else
        pdump_private_fd_take(&link->own, link->own.fd);
}

void pdump_store_link_free(struct pdump_store_link *link)
{
    drop_lock(link);
    pdump_private_fd_close(&link->own);
    link->path = NULL;
}

int pdump_store_link_open(struct pdump_store_link *link)
{
    int fd = link->own.fd;

    if (!link->path || (fd >= 0 && pdump_private_fd_is(&link->own, fd)))
        return fd;
    /* The program may have closed the descriptor and so released the lock. */
    if (fd >= 0 && !link->lock)
        pdump_store_link_lock(link);
    return link->lock ? open_again(link) : link->own.fd;
}

void pdump_store_link_close(struct pdump_store_link *link, int fd)
{
    if (fd != link->own.fd)
        close(fd);
}

void pdump_store_link_keep(struct pdump_store_link *link)
{
    if (link->path && link->own.fd < 0)
        pdump_private_fd_take(&link->own, open_again(link));
}

void pdump_store_link_unlock(struct pdump_store_link *link)
{
    if (!link->lock && pdump_private_fd_is(&link->own, link->own.fd))
        pdump_store_file_unlock(link->own.fd);
    drop_lock(link);
}

bool pdump_store_link_lock(struct pdump_store_link *link)
{
    int fd = pdump_private_fd_is(&link->own, link->own.fd) ? link->own.fd
                                                           : open_again(link);
    bool is_locked = fd >= 0 && pdump_store_file_lock(fd, link->path);

    if (!is_locked && fd >= 0 && fd != link->own.fd)
        close(fd);
    if (is_locked && fd != link->own.fd)
        pdump_private_fd_take(&link->own, fd);
    return is_locked;
}
