/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Searches the libraries that an ELF file needs (DT_NEEDED).
 *
 * A statically linked runtime is part of the program, and so always first.  The
 * runtimes of other sanitizers need not be first.
 */
#include "sanitizer.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

enum { PARTS_MAX = 64, ENTRIES_MAX = 128 };

struct file {
    int fd;
    int n_parts, n_entries;
    ElfW(Phdr) parts[PARTS_MAX];
    ElfW(Dyn) entries[ENTRIES_MAX];
};

static bool read_parts(struct file *f)
{
    ElfW(Ehdr) head;
    size_t size;

    if (pread(f->fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head) ||
        head.e_phentsize != sizeof(f->parts[0]) || head.e_phnum > PARTS_MAX)
        return false;
    f->n_parts = head.e_phnum;
    size = head.e_phnum * sizeof(f->parts[0]);
    return pread(f->fd, f->parts, size, (off_t)head.e_phoff) == (ssize_t)size;
}

static bool read_entries(struct file *f)
{
    for (int i = 0; i < f->n_parts; i++) {
        const ElfW(Phdr) *part = &f->parts[i];
        size_t size = part->p_filesz < sizeof(f->entries) ? part->p_filesz
                                                          : sizeof(f->entries);

        if (part->p_type != PT_DYNAMIC)
            continue;
        f->n_entries = (int)(size / sizeof(f->entries[0]));
        return pread(f->fd, f->entries, size, (off_t)part->p_offset) ==
               (ssize_t)size;
    }
    return false;
}

/* Returns the offset of the string table in the file, or -1. */
static off_t find_names(const struct file *f)
{
    for (int i = 0; i < f->n_entries; i++) {
        ElfW(Addr) at = f->entries[i].d_un.d_ptr;

        if (f->entries[i].d_tag != DT_STRTAB)
            continue;
        for (int k = 0; k < f->n_parts; k++)
            if (f->parts[k].p_type == PT_LOAD && at >= f->parts[k].p_vaddr &&
                at - f->parts[k].p_vaddr < f->parts[k].p_filesz)
                return (off_t)(at - f->parts[k].p_vaddr + f->parts[k].p_offset);
    }
    return -1;
}

/* Returns true for the names of gcc's and clang's runtimes. */
static bool is_runtime(const char *name)
{
    return strncmp(name, "libasan.so", 10) == 0 ||
           strncmp(name, "libclang_rt.asan", 16) == 0;
}

bool sanitizer_find(int fd, char name[SANITIZER_MAX])
{
    struct file f = { .fd = fd };
    off_t names = read_parts(&f) && read_entries(&f) ? find_names(&f) : -1;

    for (int i = 0; names >= 0 && i < f.n_entries; i++) {
        ssize_t n;

        if (f.entries[i].d_tag == DT_NULL)
            break;
        if (f.entries[i].d_tag != DT_NEEDED)
            continue;
        n = pread(fd, name, SANITIZER_MAX,
                  names + (off_t)f.entries[i].d_un.d_val);
        if (n > 0 && memchr(name, '\0', (size_t)n) && is_runtime(name))
            return true;
    }
    name[0] = '\0';
    return false;
}
