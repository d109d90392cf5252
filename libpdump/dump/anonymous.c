/* SPDX-License-Identifier: BSD-3-Clause */
/* Removes from a dump what says who made it, and where. */
#include "dump/anonymous.h"
#include "base/string_pool.h"

#include <stdlib.h>
#include <string.h>

#define SETTING "setting.PDUMP_ANONYMOUS"

static bool is_wanted(const struct pdump_dump *dump)
{
    for (int i = 0; i < dump->n_metadata; i++)
        if (strcmp(dump->metadata[i].key, SETTING) == 0)
            return strcmp(dump->metadata[i].value, "1") == 0;
    return false;
}

/* Copies a text without the folders of the paths in it: of "/home/me/a.c:12"
 * remains "a.c:12". */
static void copy_without_folders(const char *from, char *to)
{
    while (*from) {
        size_t n = strcspn(from, " \t\n\"'`=(),;");
        bool is_path = n > 0 && strchr("/.~", *from);
        const char *slash = is_path ? memrchr(from, '/', n) : NULL;
        const char *name = slash ? slash + 1 : from;
        size_t length = n - (size_t)(name - from);

        memcpy(to, name, length);
        to += length;
        from += n;
        if (*from)
            *to++ = *from++;
    }
    *to = '\0';
}

static int text_shorten(struct pdump_dump *dump, const char **text)
{
    const char *kept;
    char *copy;

    if (!*text || !strchr(*text, '/'))
        return PDUMP_OK;
    copy = malloc(strlen(*text) + 1);
    if (!copy)
        return pdump_no_memory();
    copy_without_folders(*text, copy);
    kept = pdump_string_pool_keep(dump->text, copy, strlen(copy));
    free(copy);
    if (!kept)
        return pdump_no_memory();
    *text = kept;
    return PDUMP_OK;
}

static bool is_told(const char *key)
{
    static const char *const secret[] = { "command", "host",   "user",
                                          "store",   "filter", "filter_rules" };

    for (size_t i = 0; i < sizeof(secret) / sizeof(secret[0]); i++)
        if (strcmp(key, secret[i]) == 0)
            return false;
    return strncmp(key, "setting.", 8) != 0 || strcmp(key, SETTING) == 0;
}

static int metadata_reduce(struct pdump_dump *dump)
{
    int n = 0, err = PDUMP_OK;

    for (int i = 0; i < dump->n_metadata && err >= 0; i++) {
        if (!is_told(dump->metadata[i].key))
            continue;
        dump->metadata[n] = dump->metadata[i];
        err = text_shorten(dump, &dump->metadata[n++].value);
    }
    dump->n_metadata = err < 0 ? dump->n_metadata : n;
    return err;
}

static int details_reduce(struct pdump_dump *dump)
{
    int err = PDUMP_OK;

    for (int i = 0; i < dump->n_details; i++)
        for (int k = 0; k < dump->details[i].n_labels && err >= 0; k++)
            err = text_shorten(dump, &dump->details[i].labels[k]);
    return err;
}

int pdump_anonymous_apply(struct pdump_dump *dump)
{
    const char *nothing;
    int err = PDUMP_OK;

    if (!is_wanted(dump))
        return err;
    nothing = pdump_string_pool_keep(dump->text, "", 0);
    if (!nothing)
        return pdump_no_memory();
    for (int i = 0; i < dump->n_processes; i++)
        dump->processes[i].command = dump->processes[i].host = nothing;
    for (int i = 0; i < dump->n_regions && err >= 0; i++) {
        err = text_shorten(dump, &dump->regions[i].file);
        if (err >= 0 && strchr("/.~", *dump->regions[i].name))
            err = text_shorten(dump, &dump->regions[i].name);
    }
    for (int i = 0; i < dump->n_warnings && err >= 0; i++)
        err = text_shorten(dump, &dump->warnings[i].text);
    if (err >= 0)
        err = details_reduce(dump);
    return err < 0 ? err : metadata_reduce(dump);
}
