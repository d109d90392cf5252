/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of an ELF file, sorted by address. */
#include "elf_file.h"
#include "servers.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = pdump_servers_find,
    .section_address = dwfl_offline_section_address,
};

/* Opens regular files only: the path comes from a store and is not trusted. */
static int open_file(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat st;

    if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
        close(fd);
        return -1;
    }
    return fd;
}

static void elf_report(struct pdump_elf *elf)
{
    int fd = open_file(elf->path);
    void **data;

    if (fd < 0)
        return;
    elf->dwfl = dwfl_begin(&callbacks);
    if (elf->dwfl) {
        dwfl_report_begin(elf->dwfl);
        elf->module =
            dwfl_report_elf(elf->dwfl, elf->path, elf->path, fd, 0, true);
        dwfl_report_end(elf->dwfl, NULL, NULL);
    }
    if (elf->module) {
        dwfl_module_info(elf->module, &data, NULL, NULL, NULL, NULL, NULL,
                         NULL);
        *data = elf->dwfl;
    } else {
        close(fd); /* if there is a module, it owns the descriptor */
    }
}

static int by_name(const void *a, const void *b)
{
    const struct pdump_elf_function *x = a, *y = b;

    return strcmp(x->name, y->name);
}

/* Sorts aliases so that every machine chooses the same one. */
static int by_address(const void *a, const void *b)
{
    const struct pdump_elf_function *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank - y->rank;
    return strcmp(x->name, y->name);
}

static int rank_of(const GElf_Sym *symbol)
{
    switch (GELF_ST_BIND(symbol->st_info)) {
    case STB_GLOBAL:
        return 0;
    case STB_WEAK:
        return 1;
    default:
        return 2;
    }
}

static void functions_collect(struct pdump_elf *elf)
{
    int n = dwfl_module_getsymtab(elf->module);

    if (n <= 0)
        return;
    elf->functions = calloc((size_t)n, sizeof(*elf->functions));
    for (int i = 0; elf->functions && i < n; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        GElf_Word section;
        const char *name = dwfl_module_getsym_info(
            elf->module, i, &symbol, &address, &section, NULL, NULL);
        int type = GELF_ST_TYPE(symbol.st_info);

        if (!name || !*name || section == SHN_UNDEF ||
            (type != STT_FUNC && type != STT_GNU_IFUNC))
            continue;
        elf->functions[elf->n_functions++] = (struct pdump_elf_function){
            .start = address,
            .size = symbol.st_size,
            .name = name,
            .rank = rank_of(&symbol),
        };
    }
}

static void functions_sort(struct pdump_elf *elf)
{
    struct pdump_elf_function *f = elf->functions;
    size_t size = sizeof(*f);

    if (elf->n_functions == 0)
        return;
    qsort(f, elf->n_functions, size, by_name);
    for (size_t i = 1; i < elf->n_functions; i++)
        if (f[i].start != f[i - 1].start && by_name(&f[i], &f[i - 1]) == 0)
            f[i].is_shared = f[i - 1].is_shared = true;
    qsort(f, elf->n_functions, size, by_address);
}

struct pdump_elf *pdump_elf_open(const char *path)
{
    struct pdump_elf *elf = calloc(1, sizeof(*elf) + strlen(path) + 1);

    if (!elf)
        return NULL;
    memcpy(elf->path, path, strlen(path));
    elf_report(elf);
    if (elf->module) {
        functions_collect(elf);
        functions_sort(elf);
    }
    return elf;
}

void pdump_elf_close(struct pdump_elf *elf)
{
    if (elf->dwfl)
        dwfl_end(elf->dwfl);
    free(elf->functions);
    free(elf->units.list);
    pdump_inlined_free(&elf->inlined);
    free(elf);
}

const struct pdump_elf_function *pdump_elf_find(const struct pdump_elf *elf,
                                                uint64_t address)
{
    const struct pdump_elf_function *f = elf->functions;
    size_t low = 0, high = elf->n_functions;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (f[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    for (low--; low > 0 && f[low - 1].start == f[low].start;)
        low--;
    /* Functions written in assembly may have no size. */
    if (address - f[low].start >= (f[low].size ? f[low].size : 1))
        return NULL;
    return &f[low];
}
