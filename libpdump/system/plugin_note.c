/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the ELF note that identifies a module. */
#include "system/plugin_note.h"

#include <link.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { HEADERS_MAX = 64, NOTES_MAX = 4096 };

static bool read_at(int fd, void *out, size_t n, uint64_t at)
{
    return at <= INT64_MAX && pread(fd, out, n, (off_t)at) == (ssize_t)n;
}

static bool is_ours(const struct pdump_plugin_note *note)
{
    return note->name_size == sizeof("pdump") &&
           note->size ==
               sizeof(*note) - offsetof(struct pdump_plugin_note, abi) &&
           note->type == PDUMP_PLUGIN_NOTE && strcmp(note->name, "pdump") == 0;
}

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* Search the notes of one segment; each begins at a multiple of `align`. */
static bool notes_search(const char *bytes, size_t n, size_t align,
                         struct pdump_plugin_note *out)
{
    size_t at = 0;

    while (at <= n && n - at >= sizeof(*out)) {
        memcpy(out, bytes + at, sizeof(*out));
        out->name[sizeof(out->name) - 1] = '\0';
        out->release[sizeof(out->release) - 1] = '\0';
        if (is_ours(out))
            return true;
        at += sizeof(ElfW(Nhdr)) + round_up(out->name_size, align) +
              round_up(out->size, align);
    }
    return false;
}

bool pdump_plugin_note_read(int fd, struct pdump_plugin_note *out)
{
    ElfW(Ehdr) head;
    ElfW(Phdr) part;
    char bytes[NOTES_MAX];

    if (!read_at(fd, &head, sizeof(head), 0) ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_phentsize != sizeof(part) || head.e_phnum > HEADERS_MAX)
        return false;
    for (unsigned i = 0; i < head.e_phnum; i++)
        if (read_at(fd, &part, sizeof(part), head.e_phoff + i * sizeof(part)) &&
            part.p_type == PT_NOTE && part.p_filesz <= sizeof(bytes) &&
            read_at(fd, bytes, part.p_filesz, part.p_offset) &&
            notes_search(bytes, part.p_filesz, part.p_align == 8 ? 8 : 4, out))
            return true;
    return false;
}
