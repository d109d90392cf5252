/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the installed modules, for `pdump info`. */
#include "info/module_list.h"

#include "system/plugin.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Modules for all programs: they can be tried. */
static void put_general(const struct pdump_settings *set, const char *name)
{
    const struct pdump_plugin *plugin;

    if (pdump_plugin_load(set->modules, NULL, name, &plugin) < 0)
        printf("  %-20s  no: %s\n", name, pdump_last_error());
    else
        printf("  %-20s  %s/pdump_%s.so\n", name,
               pdump_plugin_folder(set->modules), name);
}

/* Modules for programs with a library that this process does not have: shows
 * only whether they are installed. */
static void put_special(const struct pdump_settings *set, const char *name,
                        const char *soname)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%.3000s/%.255s/pdump_%s.so",
             pdump_plugin_folder(set->modules), soname, name);
    if (access(path, R_OK) == 0)
        printf("  %-20s  %s, for programs with %s\n", name, path, soname);
}

static int is_soname(const struct dirent *entry)
{
    return strncmp(entry->d_name, "lib", 3) == 0 &&
           strstr(entry->d_name, ".so") != NULL;
}

void module_list_print(const struct pdump_settings *set)
{
    static const char *const special[] = { "mpi", "hdf5_mpi" };
    const char *folder = pdump_plugin_folder(set->modules);
    struct dirent **list;
    int n = scandir(folder, &list, is_soname, alphasort);

    printf("\nModules\n  %-20s  %s%s\n", "folder", folder,
           n < 0 ? " (cannot be read)" : "");
    put_general(set, "hdf5");
    put_general(set, "otf2");
    for (size_t k = 0; k < sizeof(special) / sizeof(special[0]); k++)
        for (int i = 0; i < n; i++)
            put_special(set, special[k], list[i]->d_name);
    for (int i = 0; i < n; i++)
        free(list[i]);
    if (n >= 0)
        free(list);
}
