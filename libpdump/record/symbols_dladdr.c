/* SPDX-License-Identifier: BSD-3-Clause */
/* Code places without libdw: uses the loader's data of this process. */
#include "record/symbols_private.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct search {
    uintptr_t address;  /* that is looked for, or 0 */
    const char *module; /* that is looked for, or NULL */
    uintptr_t base;     /* found */
    char *path;         /* of what was found, PATH_MAX */
};

/* Write the path of a module, so that it is equal on every rank and in every
 * working folder. */
static void put_path(const struct dl_phdr_info *info, char *path)
{
    ssize_t n;

    if (info->dlpi_name && *info->dlpi_name) {
        if (!realpath(info->dlpi_name, path))
            snprintf(path, PATH_MAX, "%s", info->dlpi_name);
        return;
    }
    n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[n > 0 ? n : 0] = '\0';
}

static bool has_address(const struct dl_phdr_info *info, uintptr_t address)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];

        if (part->p_type == PT_LOAD &&
            address - info->dlpi_addr - part->p_vaddr < part->p_memsz)
            return true;
    }
    return false;
}

static int library_look(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct search *s = arg;

    (void)size;
    if (s->module) {
        put_path(info, s->path);
        if (strcmp(s->path, s->module) != 0)
            return 0;
    } else {
        if (!has_address(info, s->address))
            return 0;
        put_path(info, s->path);
    }
    s->base = info->dlpi_addr;
    return 1;
}

static _Atomic bool has_places;

bool pdump_symbols_has_places(void)
{
    return has_places;
}

int pdump_symbols_place(uintptr_t address, char *buf, size_t len)
{
    char path[PATH_MAX] = "";
    struct search s = { .address = address, .path = path };

    if (dl_iterate_phdr(library_look, &s) != 1 || !*path) {
        snprintf(buf, len, "0x%llx", (unsigned long long)address);
        return PDUMP_ENOENT;
    }
    has_places = true;
    snprintf(buf, len, "%s+0x%llx", path,
             (unsigned long long)(address - s.base));
    return PDUMP_OK;
}

bool pdump_symbols_dladdr(const char *module, uint64_t offset,
                          const char **name, struct pdump_symbol *out)
{
    char path[PATH_MAX];
    struct search s = { .module = module, .path = path };
    const ElfW(Sym) *symbol = NULL;
    uintptr_t address;
    Dl_info info;

    (void)out;
    if (dl_iterate_phdr(library_look, &s) != 1)
        return false;
    address = s.base + (uintptr_t)offset;
    if (!dladdr1((void *)address, &info, (void **)&symbol, RTLD_DL_SYMENT) ||
        !info.dli_sname || !symbol)
        return false;
    /* The loader returns the nearest symbol: check that it contains the
     * address. */
    if (address - (uintptr_t)info.dli_saddr >=
        (symbol->st_size ? symbol->st_size : 1))
        return false;
    *name = info.dli_sname;
    return true;
}

typedef char *demangle_function(const char *, char *, size_t *, int *);

/* C++ programs contain the demangler; the pdump command may have to load it. */
static char *symbol_demangle(const char *symbol)
{
    static demangle_function *_Atomic known;
    static _Atomic bool has_looked;
    demangle_function *call;
    int status;

    if (!has_looked) {
        void *so = NULL;
        void *found = dlsym(RTLD_DEFAULT, "__cxa_demangle");

        if (!found)
            so = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
        if (so)
            found = dlsym(so, "__cxa_demangle");
        memcpy(&call, &found, sizeof(call));
        known = call;
        has_looked = true;
    }
    call = known;
    return call ? call(symbol, NULL, NULL, &status) : NULL;
}

static unsigned symbol_hash(const char *text)
{
    unsigned h = 2166136261u;

    while (*text)
        h = (h ^ (unsigned char)*text++) * 16777619u;
    return h;
}

static void cut_at(char *name, const char *what)
{
    char *at = strstr(name, what);

    if (at && at != name)
        *at = '\0';
}

/* __solver_MOD_step is solver::step. */
static bool put_fortran(const char *symbol, char *buf, size_t len)
{
    const char *mod = strstr(symbol, "_MOD_");

    if (strncmp(symbol, "__", 2) != 0 || !mod || mod <= symbol + 2 || !mod[5])
        return false;
    snprintf(buf, len, "%.*s::%s", (int)(mod - symbol - 2), symbol + 2,
             mod + 5);
    return true;
}

/* Returns the name without the version of a library, demangled; NULL if there
 * is no memory. */
static char *make_plain(const char *symbol)
{
    size_t n = strcspn(symbol, "@");
    char *bare = n > 0 ? strndup(symbol, n) : strdup(symbol);
    char *plain =
        bare && strncmp(bare, "_Z", 2) == 0 ? symbol_demangle(bare) : NULL;

    if (!plain)
        return bare;
    free(bare);
    return plain;
}

void pdump_symbols_pretty(const char *symbol, char *buf, size_t len)
{
    char *plain = make_plain(symbol);
    const char *from = plain ? plain : symbol;

    if (plain) {
        cut_at(plain, " [clone ");
        cut_at(plain, ".isra.");
        cut_at(plain, ".part.");
        cut_at(plain, ".constprop.");
        cut_at(plain, ".cold");
    }
    if (!put_fortran(from, buf, len))
        snprintf(buf, len, "%s", from);
    if (strlen(from) >= len && len > 16)
        snprintf(buf + len - 10, 10, "~%08x", symbol_hash(from));
    free(plain);
}
