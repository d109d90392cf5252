/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a recovered run to files, and reads them back. */
#include "recover/recovery_write.h"

#include "common/guard.h"
#include "dump/merge.h"
#include "write/output_file.h"
#include "write/output_name.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char separators[] = ", \t";

static bool ends_with(const char *name, const char *tail)
{
    size_t len = strlen(name), n = strlen(tail);

    return len > n && strcmp(name + len - n, tail) == 0;
}

static bool replace(char **field, const char *value)
{
    char *copy = strdup(value);

    if (!copy) {
        pdump_no_memory();
        return false;
    }
    free(*field);
    *field = copy;
    return true;
}

/* "out/crash.csv" is file "crash.csv" in folder "out", as CSV. */
static bool choose_name(struct recovery *r, const char *name, bool has_format)
{
    struct pdump_settings *set = &r->settings;
    struct pdump_output_name to;

    return pdump_output_name_split(name, has_format ? set->format : NULL,
                                   &to) >= 0 &&
           (has_format || !to.by || replace(&set->format, to.by->name)) &&
           (!*to.dir || replace(&set->dir, to.dir)) &&
           replace(&set->filename, to.stem) && replace(&set->ending, to.ending);
}

/* Returns true if there is at least one format and all of them exist. */
static bool check_formats(const char *formats)
{
    char *copy = strdup(formats), *rest = copy, *name;
    const struct pdump_sink *sink;
    bool is_good = copy != NULL;
    int n = 0;

    for (; is_good && (name = strtok_r(rest, separators, &rest)); n++)
        is_good = pdump_sink_find(name, &sink) >= 0;
    free(copy);
    if (is_good && n == 0)
        pdump_fail(PDUMP_EINVAL, "no output format is named");
    return is_good && n > 0;
}

int recovery_choose_output(struct recovery *r, const char *name,
                           const char *format)
{
    struct pdump_settings *set = &r->settings;

    set->overwrite = false;
    if (format && (!check_formats(format) || !replace(&set->format, format)))
        return command_usage(r->self, "%s", pdump_last_error());
    if (!check_formats(set->format)) {
        command_warn(r->self, "%s; writing csv", pdump_last_error());
        replace(&set->format, "csv");
    }
    if (name && (ends_with(name, "/") || !*name))
        return command_usage(r->self, "-o: \"%s\" is no name for a file", name);
    if (name && !choose_name(r, name, format != NULL))
        return command_fail(r->self, "-o: %s", pdump_last_error());
    return COMMAND_OK;
}

/* Returns the number of complete files, or a pdump_error. */
static int write_formats(struct pdump_stream *in,
                         const struct pdump_settings *set)
{
    char *copy = strdup(set->format), *rest = copy, *name;
    struct pdump_written written = { .before_names = guard_commit };
    int n = 0, err = copy ? PDUMP_OK : pdump_no_memory();

    while (err >= 0 && (name = strtok_r(rest, separators, &rest))) {
        const struct pdump_sink *sink;
        char where[PATH_MAX];

        err = pdump_sink_find(name, &sink);
        if (err >= 0)
            err = pdump_output_file_write(set, sink, in, &written, where,
                                          sizeof(where));
        if (err < 0)
            break;
        command_say("  wrote %s", where);
        if (sink->is_complete)
            n++;
        else
            command_say("  cannot be read back by pdump: %s", where);
    }
    free(copy);
    return err < 0 ? err : n;
}

static int write_named(struct recovery *r, const char *run,
                       const struct pdump_dump *dump)
{
    struct pdump_settings set = r->settings; /* borrows the strings */
    struct pdump_stream *in;
    char name[400];
    int n;

    snprintf(name, sizeof(name), "%.200s-%s", set.filename,
             *run ? run : "unknown");
    if (r->is_one_of_many)
        set.filename = name;
    n = pdump_stream_of(dump, &in);
    if (n < 0)
        return n;
    n = write_formats(in, &set);
    pdump_stream_free(in);
    return n;
}

bool recovery_write(struct recovery *r, const char *run,
                    struct pdump_dump *const *dumps, int n)
{
    struct pdump_dump *all;
    int n_complete = pdump_merge(dumps, n, &all);

    if (n_complete >= 0) {
        n_complete = write_named(r, run, all);
        pdump_dump_free(all);
    }
    if (n_complete < 0)
        r->code = command_fail(r->self, "%s; the stores are kept",
                               pdump_last_error());
    else if (n_complete == 0)
        printf("  the stores are kept; --format=csv, then they can go\n");
    return n_complete > 0;
}
