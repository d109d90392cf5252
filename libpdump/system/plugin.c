/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and loads the module that fits. */
#include "system/plugin.h"
#include "base/kept_text.h"
#include "system/env.h"
#include "system/trust.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *_Atomic chosen = ""; /* by pdump_plugin_use() */

/* Modules stay loaded.  A module in this list is found without calling the
 * loader, because the caller may have a turn (lock.h). */
struct loaded {
    struct loaded *next;
    const struct pdump_plugin *plugin;
    char path[];
};

static struct loaded *_Atomic first_loaded;

static const struct pdump_plugin *find_loaded(const char *path)
{
    const struct loaded *l = first_loaded;

    while (l && strcmp(l->path, path) != 0)
        l = l->next;
    return l ? l->plugin : NULL;
}

static void keep_loaded(const char *path, const struct pdump_plugin *plugin)
{
    struct loaded *l = malloc(sizeof(*l) + strlen(path) + 1);

    if (!l)
        return;
    l->plugin = plugin;
    strcpy(l->path, path);
    l->next = first_loaded;
    while (!atomic_compare_exchange_weak(&first_loaded, &l->next, l))
        ;
}

/* Returns true if the file name begins with the soname up to its version. */
static int has_name(struct dl_phdr_info *info, size_t size, void *soname)
{
    const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    const char *version = strstr(soname, ".so");

    (void)size;
    return slash && version &&
           strncmp(slash + 1, soname,
                   (size_t)(version - (const char *)soname)) == 0;
}

/* dlopen() waits for a dlopen() in another thread, whose constructors may wait
 * for this thread: call it only if there is something to find. */
static bool is_mapped(const char *soname)
{
    void *so = NULL;

    if (dl_iterate_phdr(has_name, (void *)(uintptr_t)soname))
        so = dlopen(soname, RTLD_LAZY | RTLD_NOLOAD);
    if (so)
        dlclose(so);
    return so != NULL;
}

void pdump_plugin_use(const char *folder)
{
    const char *kept = pdump_kept_text(folder ? folder : "");

    if (kept)
        chosen = kept;
}

const char *pdump_plugin_folder(const char *folder)
{
    const char *user = pdump_env("PDUMP_MODULES");
    const char *used = chosen;

    if (folder && *folder)
        return folder;
    if (*used)
        return used;
    return user && *user ? user : PDUMP_MODULE_DIR;
}

/* Write the file name of a module relative to the folder of the modules. */
static void put_file(char *file, size_t len, const char *soname,
                     const char *name)
{
    snprintf(file, len, "%.200s%spdump_%.60s.so", soname ? soname : "",
             soname ? "/" : "", name);
}

static bool is_there(const char *folder, const char *soname, const char *name)
{
    char file[300], path[PATH_MAX];

    put_file(file, sizeof(file), soname, name);
    snprintf(path, sizeof(path), "%.3700s/%s", pdump_plugin_folder(folder),
             file);
    return access(path, R_OK) == 0;
}

bool pdump_plugin_is_there(const char *name)
{
    return is_there(NULL, NULL, name);
}

static int find_file(const char *folder, const char *name, char *path)
{
    char given[PATH_MAX];

    folder = pdump_plugin_folder(folder);
    snprintf(given, sizeof(given), "%.3800s/%.290s", folder, name);
    if (strcmp(folder, PDUMP_MODULE_DIR) == 0)
        return pdump_trust_installed(folder, given, path);
    return pdump_trust_file(given, path);
}

/* Checks that the file is a library of this release, before any of its code
 * runs. */
static int plugin_check_note(const char *path)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct pdump_plugin_note note;
    bool has_note = fd >= 0 && pdump_plugin_note_read(fd, &note);
    bool is_other = has_note && strcmp(note.release, PDUMP_VERSION) != 0;
    bool fits = has_note && !is_other && note.abi == PDUMP_PLUGIN_ABI &&
                note.plugin_size == sizeof(struct pdump_plugin);

    if (fd >= 0)
        close(fd);
    if (is_other)
        return pdump_fail(
            PDUMP_EPLUGIN,
            "%s is of release %s, and libpdump.so of release " PDUMP_VERSION
            ": use both from the same installation",
            path, note.release);
    return fits ? PDUMP_OK
                : pdump_fail(PDUMP_EPLUGIN,
                             "%s is not a module of libpdump " PDUMP_VERSION,
                             path);
}

int pdump_plugin_file(const char *folder, const char *name, char *path)
{
    int err = find_file(folder, name, path);

    return err < 0 ? err : plugin_check_note(path);
}

static int plugin_check(const struct pdump_plugin *plugin, const char *path)
{
    char why[300];
    int err;

    if (!plugin)
        return pdump_fail(PDUMP_EPLUGIN, "%s exports no pdump_plugin", path);
    err = plugin->check ? plugin->check() : PDUMP_OK;
    if (err >= 0)
        return PDUMP_OK;
    snprintf(why, sizeof(why), "%s", pdump_last_error());
    return pdump_fail(PDUMP_EPLUGIN, "%s: %s", path, why);
}

int pdump_plugin_load(const char *folder, const char *soname, const char *name,
                      const struct pdump_plugin **out)
{
    const struct pdump_plugin *plugin;
    char file[300], path[PATH_MAX];
    void *so;
    int err;

    if (soname && !is_mapped(soname))
        return pdump_fail(PDUMP_ENOENT, "%s is not in this process", soname);
    put_file(file, sizeof(file), soname, name);
    err = find_file(folder, file, path);
    if (err < 0)
        return err;
    plugin = find_loaded(path);
    if (plugin) {
        *out = plugin;
        return PDUMP_OK;
    }
    err = plugin_check_note(path);
    if (err < 0)
        return err;
    so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!so)
        return pdump_fail(PDUMP_EPLUGIN, "%s: %s", path, dlerror());
    plugin = dlsym(so, "pdump_plugin");
    err = plugin_check(plugin, path);
    if (err < 0) {
        dlclose(so);
        return err;
    }
    keep_loaded(path, plugin);
    *out = plugin;
    return PDUMP_OK;
}

static int is_soname(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strstr(entry->d_name, ".so") != NULL;
}

int pdump_plugin_find(const char *folder, const char *name,
                      const struct pdump_plugin **out)
{
    struct dirent **list;
    int n = scandir(pdump_plugin_folder(folder), &list, is_soname, alphasort);
    int err = PDUMP_ENOENT;

    for (int i = 0; i < n; i++) {
        if (err < 0 && is_there(folder, list[i]->d_name, name) &&
            is_mapped(list[i]->d_name))
            err = pdump_plugin_load(folder, list[i]->d_name, name, out);
        free(list[i]);
    }
    if (n >= 0)
        free(list);
    if (err == PDUMP_ENOENT)
        return pdump_fail(err, "nothing in this process has a module %s in %s",
                          name, pdump_plugin_folder(folder));
    return err;
}
