/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of output formats. */
#include "write/sink.h"
#include "dump/stacks.h"
#include "stream/stream_regions.h"
#include "system/plugin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const struct pdump_sink *const sinks[] = {
    &pdump_sink_csv,        &pdump_sink_pyperfdump, &pdump_sink_json,
    &pdump_sink_text,       &pdump_sink_pstats,     &pdump_sink_folded,
    &pdump_sink_speedscope, &pdump_sink_chrome,     &pdump_sink_callgrind,
    &pdump_sink_caliper,    &pdump_sink_dot,        &pdump_sink_lines,
    &pdump_sink_mprof,      &pdump_sink_pprof,
};

/* Formats that are in modules. */
static const struct {
    const char *format;
    const char *module;
} modules[] = {
    { "hdf5", "hdf5" },
    { "html", "html" },
    { "otf2", "otf2" },
    { "hdf5-pyperfdump", "hdf5" },
};

enum {
    N_MODULES = sizeof(modules) / sizeof(modules[0]),
    N_SINKS = sizeof(sinks) / sizeof(sinks[0]),
};

static int sink_of(const struct pdump_plugin *plugin, const char *name,
                   const struct pdump_sink **out)
{
    const struct pdump_sink *const *sink = plugin->sinks;

    while (sink && *sink && strcmp((*sink)->name, name) != 0)
        sink++;
    if (!sink || !*sink)
        return pdump_fail(PDUMP_EPLUGIN, "the module %s does not bring %s",
                          plugin->name, name);
    *out = *sink;
    return PDUMP_OK;
}

/* Loads the module of format number `index` of the table. */
static int find_in_module(int index, const struct pdump_sink **out)
{
    const char *module = modules[index].module;
    const struct pdump_plugin *plugin;
    int err = pdump_plugin_load(NULL, NULL, module, &plugin);
    char why[400];

    if (err >= 0)
        return sink_of(plugin, modules[index].format, out);
    snprintf(why, sizeof(why), "%s", pdump_last_error());
    if (pdump_plugin_is_there(module))
        return pdump_fail(err, "%s cannot be used here: %s", module, why);
    return pdump_fail(err,
                      "%s is not installed: %s; libpdump was built "
                      "without it, or a part of it is missing",
                      module, why);
}

/* Returns the number of a format that is in a module, or -1. */
static int module_of(const char *name)
{
    int i = N_MODULES - 1;

    while (i >= 0 && strcasecmp(modules[i].format, name) != 0)
        i--;
    return i;
}

static const struct pdump_sink *own_sink(const char *name)
{
    for (int i = 0; i < N_SINKS; i++)
        if (strcasecmp(sinks[i]->name, name) == 0)
            return sinks[i];
    return NULL;
}

bool pdump_sink_is_there(const char *name)
{
    int i = module_of(name);

    return own_sink(name) || strcasecmp(name, "auto") == 0 ||
           (i >= 0 && pdump_plugin_is_there(modules[i].module));
}

int pdump_sink_find_filling(const char *name, const struct pdump_sink **out)
{
    const struct pdump_plugin *plugin;
    char module[64];
    int err;

    snprintf(module, sizeof(module), "%.50s_mpi", name);
    err = pdump_plugin_find(NULL, module, &plugin);
    return err < 0 ? err : sink_of(plugin, name, out);
}

const struct pdump_sink *pdump_sink_at(int index)
{
    const struct pdump_sink *sink;

    if (index < N_SINKS)
        return index < 0 ? NULL : sinks[index];
    for (int i = 0; i < N_MODULES; i++)
        if (pdump_plugin_is_there(modules[i].module) &&
            find_in_module(i, &sink) >= 0 && index-- == N_SINKS)
            return sink;
    return NULL;
}

static void append_name(char *list, size_t len, const char *name)
{
    size_t used = strlen(list);

    snprintf(list + used, len - used, "%s%s", used ? ", " : "", name);
}

/* Writes the names of all formats that there are. */
static void list_all(char *list, size_t len)
{
    for (int i = 0; i < N_SINKS; i++)
        append_name(list, len, sinks[i]->name);
    for (int i = 0; i < N_MODULES; i++)
        if (pdump_plugin_is_there(modules[i].module))
            append_name(list, len, modules[i].format);
}

int pdump_sink_find(const char *name, const struct pdump_sink **out)
{
    const struct pdump_sink *own = own_sink(name);
    int i = module_of(name);
    char list[256] = "";

    if (strcasecmp(name, "auto") == 0)
        return pdump_sink_find("hdf5", out) >= 0 ? PDUMP_OK
                                                 : pdump_sink_find("csv", out);
    if (i >= 0)
        return find_in_module(i, out);
    if (own) {
        *out = own;
        return PDUMP_OK;
    }
    list_all(list, sizeof(list));
    return pdump_fail(PDUMP_ENOENT, "no output format '%.80s'; there are %s",
                      name, list);
}

const struct pdump_sink *pdump_sink_guess(const char *name)
{
    const struct pdump_sink *sink, *best = NULL;
    size_t longest = 0, len = strlen(name);

    for (int i = 0; (sink = pdump_sink_at(i)) != NULL; i++) {
        size_t n = strlen(sink->parts[0].suffix);

        if (n > longest && len > n &&
            strcasecmp(name + len - n, sink->parts[0].suffix) == 0) {
            longest = n;
            best = sink;
        }
    }
    return best;
}

int pdump_sink_time(const struct pdump_dump *tables)
{
    int time = pdump_dump_find_metric(tables, "time");

    return time >= 0 ? time
                     : pdump_fail(PDUMP_EFORMAT,
                                  "this format is about time, and there is no "
                                  "metric \"time\"");
}

int pdump_sink_write(const struct pdump_sink_part *part,
                     const struct pdump_dump *dump, const char *path)
{
    struct pdump_new_file file = {
        .fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666),
        .path = path
    };
    struct pdump_stream *in;
    int err;

    if (file.fd < 0)
        return pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
    err = pdump_stream_of(dump, &in);
    if (err >= 0) {
        err = part->write(in, &file);
        pdump_stream_free(in);
    }
    if (close(file.fd) != 0 && err >= 0)
        err = pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
    return err;
}

int pdump_sink_stream(const struct pdump_sink *sink, struct pdump_stream *in,
                      struct pdump_stream **out)
{
    if (!sink->has_stacks && pdump_stacks_are_in(in->tables))
        return pdump_stream_regions(in, out);
    *out = in;
    return PDUMP_OK;
}

void pdump_sink_stream_end(struct pdump_stream *in, struct pdump_stream *out)
{
    if (out != in)
        pdump_stream_regions_free(out);
}
