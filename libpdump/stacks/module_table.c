/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The libraries in which signal handlers have found code.
 *
 * _dl_find_object() of glibc 2.35 finds a library without a lock.  What it says
 * is compared with the entries here, so that each library is read only once.
 */
#include "stacks/module_table.h"
#include "stacks/handler_turn.h"
#include "stacks/safe_read.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* As in glibc's header, which older systems do not have. */
struct found_object {
    unsigned long long flags;
    void *start;
    void *end;
    struct link_map *link;
    void *frames;
#if defined(__i386__)
    void *unused_base;
    int unused_size;
#endif
    unsigned long long reserved[7];
};

typedef int find_object(void *address, struct found_object *out);

static struct pdump_module modules[PDUMP_MODULES_MAX];
static _Atomic int n_modules;
/* Taken while a module is added. */
static atomic_flag is_adding = ATOMIC_FLAG_INIT;
static find_object *finder;

bool pdump_module_table_open(void)
{
    void *found = dlsym(RTLD_DEFAULT, "_dl_find_object");

    memcpy(&finder, &found, sizeof(finder));
    return finder != NULL;
}

struct pdump_module *pdump_module_table_at(int module)
{
    return &modules[module];
}

int pdump_module_table_count(void)
{
    return n_modules;
}

void pdump_module_table_forked(void)
{
    atomic_flag_clear(&is_adding);
}

/* Looks for the build ID among the notes at `at`. */
static void find_id(struct pdump_module *m, uintptr_t at, uintptr_t end)
{
    ElfW(Nhdr) note;
    char name[4];

    while (at < end && pdump_safe_read(&note, at, sizeof(note)) &&
           note.n_namesz < 4096 && note.n_descsz < 65536) {
        uintptr_t text = at + sizeof(note);
        uintptr_t data = text + (note.n_namesz + 3u) / 4 * 4;

        at = data + (note.n_descsz + 3u) / 4 * 4;
        if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
            note.n_descsz < sizeof(m->mark) ||
            note.n_descsz > PDUMP_MODULE_ID_MAX ||
            !pdump_safe_read(name, text, 4) || memcmp(name, "GNU", 4) != 0 ||
            !pdump_safe_read(m->id, data, note.n_descsz))
            continue;
        m->n_id = note.n_descsz;
        m->mark_at = data;
        return;
    }
}

/* Reads the ELF header of the module. */
static bool module_read(struct pdump_module *m)
{
    ElfW(Ehdr) head;
    ElfW(Phdr) part;

    if (!pdump_safe_read(&head, m->start, sizeof(head)) ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
        return false;
    m->mark_at = m->start + offsetof(ElfW(Ehdr), e_shoff);
    for (int i = 0; i < head.e_phnum && !m->n_id; i++) {
        uintptr_t at = m->start + head.e_phoff + (size_t)i * sizeof(part);

        if (!pdump_safe_read(&part, at, sizeof(part)))
            break;
        if (part.p_type == PT_NOTE)
            find_id(m, m->base + part.p_vaddr,
                    m->base + part.p_vaddr + part.p_memsz);
    }
    return pdump_safe_read(&m->mark, m->mark_at, sizeof(m->mark));
}

static bool is_same(const struct pdump_module *m, const struct found_object *o)
{
    return m->start == (uintptr_t)o->start && m->end == (uintptr_t)o->end &&
           m->link == (uintptr_t)o->link && m->header == (uintptr_t)o->frames;
}

static int module_known(const struct found_object *o)
{
    int n = atomic_load_explicit(&n_modules, memory_order_acquire);

    while (--n >= 0)
        if (is_same(&modules[n], o))
            return n;
    return -1;
}

static int module_add(const struct found_object *o)
{
    int n = atomic_load_explicit(&n_modules, memory_order_relaxed);
    struct pdump_module *m = &modules[n];

    if (n == PDUMP_MODULES_MAX)
        return -1;
    *m = (struct pdump_module){ .start = (uintptr_t)o->start,
                                .end = (uintptr_t)o->end,
                                .link = (uintptr_t)o->link,
                                .header = (uintptr_t)o->frames };
    if (!pdump_safe_read(&m->base, m->link + offsetof(struct link_map, l_addr),
                         sizeof(m->base)) ||
        !module_read(m))
        return -1;
    atomic_store_explicit(&n_modules, n + 1, memory_order_release);
    return n;
}

int pdump_module_table_find(uintptr_t address)
{
    struct found_object o;
    int found;

    if (!finder || finder((void *)address, &o) != 0)
        return -1;
    found = module_known(&o);
    if (found >= 0 || !pdump_handler_turn_take(&is_adding))
        return found;
    found = module_known(&o); /* added by another thread meanwhile */
    if (found < 0)
        found = module_add(&o);
    pdump_handler_turn_end(&is_adding);
    return found;
}

bool pdump_module_table_check(const uint16_t *list, int n)
{
    uintptr_t from[PDUMP_SAFE_READ_WORDS] = { 0 };
    uint64_t marks[PDUMP_SAFE_READ_WORDS];
    bool is_good;

    for (int i = 0; i < n; i++)
        from[i] = modules[list[i]].mark_at;
    is_good = pdump_safe_read_words(marks, from, n);
    for (int i = 0; i < n && is_good; i++)
        is_good = marks[i] == modules[list[i]].mark;
    for (int i = 0; i < n && !is_good; i++)
        if (!pdump_safe_read(marks, from[i], sizeof(*marks)) ||
            marks[0] != modules[list[i]].mark)
            modules[list[i]].link = 0;
    return is_good;
}

bool pdump_module_table_path(const struct pdump_module *m, char *path,
                             size_t len)
{
    uintptr_t name;
    size_t n;

    if (!pdump_safe_read(&name, m->link + offsetof(struct link_map, l_name),
                         sizeof(name)))
        return false;
    n = pdump_safe_read_some(path, name, len - 1);
    path[n] = '\0';
    if (n > 0 && !*path) {
        ssize_t got = readlink("/proc/self/exe", path, len - 1);

        path[got > 0 ? got : 0] = '\0';
    }
    return *path;
}
