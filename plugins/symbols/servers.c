/* SPDX-License-Identifier: BSD-3-Clause */
/* Debug files: on this machine, and from debuginfod if the user requests it. */
#include "servers.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

/* Seconds for all queries of a process together. */
enum { PATIENCE = 5 };

/* From libdw 0.188 and libdebuginfod, which may be missing. */
struct debuginfod_client;
extern struct debuginfod_client *dwfl_get_debuginfod_client(Dwfl *dwfl)
    __attribute__((weak));
typedef int progress(struct debuginfod_client *client, long done, long all);
typedef void set_progress(struct debuginfod_client *client, progress *function);

static set_progress *limit;
static double waited, since;

static double now_s(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

/* Returns nonzero to make the query give up. */
static int look_at_clock(struct debuginfod_client *client, long done, long all)
{
    (void)client, (void)done, (void)all;
    return waited + now_s() - since > PATIENCE;
}

static void find_limit(void)
{
    static bool has_looked;
    void *so, *found;

    if (has_looked)
        return;
    has_looked = true;
    so = dlopen("libdebuginfod.so.1", RTLD_LAZY | RTLD_LOCAL);
    found = so ? dlsym(so, "debuginfod_set_progressfn") : NULL;
    memcpy(&limit, &found, sizeof(limit));
}

static bool are_named(void)
{
    const char *urls = getenv("DEBUGINFOD_URLS");

    return urls && *urls;
}

static bool has_symbols(Dwfl_Module *module)
{
    Dwarf_Addr bias;
    Elf *elf = dwfl_module_getelf(module, &bias);
    Elf_Scn *section = NULL;
    GElf_Shdr head;

    while (elf && (section = elf_nextscn(elf, section)))
        if (gelf_getshdr(section, &head) && head.sh_type == SHT_SYMTAB)
            return true;
    return !elf;
}

/* Returns true if one of the usual folders has the file that .gnu_debuglink
 * names. */
static bool has_link(const char *file, const char *link)
{
    static const char *const forms[] = { "%.*s/%s", "%.*s/.debug/%s",
                                         "/usr/lib/debug%.*s/%s" };
    const char *slash = file ? strrchr(file, '/') : NULL;
    char path[2 * PATH_MAX];

    for (int i = 0; slash && link && i < 3; i++) {
        snprintf(path, sizeof(path), forms[i], (int)(slash - file), file, link);
        if (access(path, R_OK) == 0 && strcmp(path, file) != 0)
            return true;
    }
    return false;
}

/* Lets libdw query servers until the time is up.  Returns false if it must
 * not. */
static bool may_ask(Dwfl *dwfl)
{
    struct debuginfod_client *client = NULL;

    find_limit();
    if (limit && dwfl_get_debuginfod_client && waited < PATIENCE)
        client = dwfl_get_debuginfod_client(dwfl);
    if (client)
        limit(client, look_at_clock);
    return client != NULL;
}

int pdump_servers_find(Dwfl_Module *module, void **data, const char *name,
                       Dwarf_Addr base, const char *file, const char *link,
                       GElf_Word crc, char **out)
{
    bool is_asked = are_named() && !has_symbols(module) && may_ask(*data);
    int fd;

    /* Debug files on this machine are found before a server is queried. */
    if (getauxval(AT_SECURE) ||
        (are_named() && !is_asked && !has_link(file, link)))
        return dwfl_build_id_find_debuginfo(module, data, name, base, file,
                                            link, crc, out);
    since = now_s();
    fd = dwfl_standard_find_debuginfo(module, data, name, base, file, link, crc,
                                      out);
    waited += now_s() - since;
    return fd;
}
