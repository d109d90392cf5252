/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding and loading the module that fits. */
#include "plugin.h"
#include "env.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char chosen[PATH_MAX]; /* by pdump_plugin_use() */

static bool is_mapped(const char *soname)
{
    void *so = dlopen(soname, RTLD_LAZY | RTLD_NOLOAD);

    if (so)
        dlclose(so);
    return so != NULL;
}

void pdump_plugin_use(const char *folder)
{
    snprintf(chosen, sizeof(chosen), "%s", folder ? folder : "");
}

const char *pdump_plugin_folder(const struct pdump_settings *set)
{
    const char *user = pdump_env("PDUMP_MODULES");

    if (set && *set->modules)
        return set->modules;
    if (*chosen)
        return chosen;
    return user && *user ? user : PDUMP_MODULE_DIR;
}

static void put_path(char path[PATH_MAX], const struct pdump_settings *set,
                     const char *soname, const char *name)
{
    snprintf(path, PATH_MAX, "%.3800s/%.200s%spdump_%.60s.so",
             pdump_plugin_folder(set), soname ? soname : "", soname ? "/" : "",
             name);
}

bool pdump_plugin_is_there(const char *name)
{
    char path[PATH_MAX];

    put_path(path, NULL, NULL, name);
    return access(path, R_OK) == 0;
}

static int check(const struct pdump_plugin *plugin, const char *path)
{
    char why[300];
    int err;

    if (!plugin || plugin->abi != PDUMP_PLUGIN_ABI ||
        plugin->size != sizeof(*plugin))
        return pdump_fail(PDUMP_EPLUGIN,
                          "%s is not a module of libpdump " PDUMP_VERSION,
                          path);
    err = plugin->check ? plugin->check() : PDUMP_OK;
    if (err >= 0)
        return PDUMP_OK;
    snprintf(why, sizeof(why), "%s", pdump_last_error());
    return pdump_fail(PDUMP_EPLUGIN, "%s: %s", path, why);
}

int pdump_plugin_load(const struct pdump_settings *set, const char *soname,
                      const char *name, const struct pdump_plugin **out)
{
    const struct pdump_plugin *plugin;
    char path[PATH_MAX];
    void *so;
    int err;

    if (soname && !is_mapped(soname))
        return pdump_fail(PDUMP_ENOENT, "%s is not in this process", soname);
    put_path(path, set, soname, name);
    if (access(path, R_OK) != 0)
        return pdump_fail(PDUMP_EPLUGIN, "no module %s", path);
    so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!so)
        return pdump_fail(PDUMP_EPLUGIN, "%s: %s", path, dlerror());
    plugin = dlsym(so, "pdump_plugin");
    err = check(plugin, path);
    if (err < 0) {
        dlclose(so);
        return err;
    }
    *out = plugin;
    return PDUMP_OK;
}

static int is_soname(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strstr(entry->d_name, ".so") != NULL;
}

int pdump_plugin_find(const struct pdump_settings *set, const char *name,
                      const struct pdump_plugin **out)
{
    struct dirent **list;
    int n = scandir(pdump_plugin_folder(set), &list, is_soname, alphasort);
    int err = PDUMP_ENOENT;

    for (int i = 0; i < n; i++) {
        char path[PATH_MAX];

        put_path(path, set, list[i]->d_name, name);
        if (err < 0 && access(path, R_OK) == 0 && is_mapped(list[i]->d_name))
            err = pdump_plugin_load(set, list[i]->d_name, name, out);
        free(list[i]);
    }
    if (n >= 0)
        free(list);
    if (err == PDUMP_ENOENT)
        return pdump_fail(err, "nothing in this process has a module %s in %s",
                          name, pdump_plugin_folder(set));
    return err;
}
