/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding and loading the module that fits. */
#include "plugin.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static bool is_mapped(const char *soname)
{
    void *so = dlopen(soname, RTLD_LAZY | RTLD_NOLOAD);

    if (so)
        dlclose(so);
    return so != NULL;
}

const char *pdump_plugin_folder(const struct pdump_settings *set)
{
    return *set->modules ? set->modules : PDUMP_MODULE_DIR;
}

int pdump_plugin_load(const struct pdump_settings *set, const char *soname,
                      const char *name, const struct pdump_plugin **out)
{
    const struct pdump_plugin *plugin;
    char path[PATH_MAX];
    void *so;

    if (soname && !is_mapped(soname))
        return pdump_fail(PDUMP_ENOENT, "%s is not in this process", soname);
    snprintf(path, sizeof(path), "%s/%s%spdump_%s.so", pdump_plugin_folder(set),
             soname ? soname : "", soname ? "/" : "", name);
    if (access(path, R_OK) != 0)
        return pdump_fail(PDUMP_EPLUGIN, "no module %s", path);
    so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!so)
        return pdump_fail(PDUMP_EPLUGIN, "%s: %s", path, dlerror());
    plugin = dlsym(so, "pdump_plugin");
    if (!plugin || plugin->abi != PDUMP_PLUGIN_ABI ||
        plugin->size != sizeof(*plugin)) {
        dlclose(so);
        return pdump_fail(PDUMP_EPLUGIN,
                          "%s is not a module of libpdump " PDUMP_VERSION,
                          path);
    }
    *out = plugin;
    return PDUMP_OK;
}
