/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `pdump run`, and the environment that is made from them. */
#include "run/run_setup.h"

#include "probe/run_join.h"
#include "system/env.h"
#include "system/plugin.h"
#include "write/output_name.h"

#include <errno.h>
#include <pdump.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool set(const char *name, const char *value)
{
    return !value || setenv(name, value, 1) == 0;
}

static bool check_formats(const char *formats)
{
    char *copy = strdup(formats), *rest = copy, *name;
    const struct pdump_sink *sink;
    bool is_good = copy != NULL;

    while (is_good && (name = strtok_r(rest, ", \t", &rest)))
        is_good =
            pdump_sink_is_there(name) || pdump_sink_find(name, &sink) >= 0;
    free(copy);
    return is_good;
}

/* Makes the path absolute, because processes may change their folder. */
static bool set_folder(const char *setting, const char *name)
{
    char here[PATH_MAX] = "", path[2 * PATH_MAX + 2];

    if (name[0] != '/' && !getcwd(here, sizeof(here)))
        return false;
    snprintf(path, sizeof(path), "%s%s%.4095s", here, *here ? "/" : "", name);
    return set(setting, path);
}

/* "out/first.csv" is file "first.csv" in folder "out", as CSV. */
static bool set_output(const struct run_setup *s)
{
    struct pdump_output_name to;

    return pdump_output_name_split(s->output, s->format, &to) >= 0 &&
           (s->format || !to.by || set("PDUMP_OUTPUT_FORMAT", to.by->name)) &&
           (!*to.dir || set_folder("PDUMP_DUMP_DIR", to.dir)) &&
           (!*to.stem ||
            (set("PDUMP_FILENAME", to.stem) && set("PDUMP_ENDING", to.ending)));
}

/* Makes the path absolute, because processes may be in any folder. */
static void fix_store(void)
{
    const char *folder = pdump_env("PDUMP_STORE");
    char path[PATH_MAX];

    if (folder && *folder && *folder != '/' && strcmp(folder, "off") != 0 &&
        realpath(folder, path))
        set("PDUMP_STORE", path);
}

/* Escapes blanks, quotes and comments, which would end a pattern. */
static void put_pattern(FILE *f, const char *pattern)
{
    static const char *const words[] = { "INCLUDE", "EXCLUDE", "MANGLED",
                                         "PDUMP_", "SCOREP_" };

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strncmp(pattern, words[i], strlen(words[i])) == 0)
            putc('\\', f);
    for (; *pattern; pattern++) {
        if (strchr(" \t\f\v#\"'", *pattern))
            putc('\\', f);
        putc(*pattern, f);
        if (*pattern == '\\' && pattern[1])
            putc(*++pattern, f);
    }
}

void run_setup_rule(struct run_setup *s, bool is_exclude, const char *pattern)
{
    char *rules = NULL;
    size_t len;
    FILE *f = open_memstream(&rules, &len);

    if (!f || !*pattern || strpbrk(pattern, "\r\n"))
        s->has_bad_rule = true;
    if (!f)
        return;
    if (s->rules)
        fprintf(f, "%s ", s->rules);
    fputs(is_exclude ? "EXCLUDE " : "INCLUDE ", f);
    put_pattern(f, pattern);
    if (fclose(f) != 0) {
        s->has_bad_rule = true;
        return;
    }
    free(s->rules);
    s->rules = rules;
}

/*
 * The rules come after those of the environment, which an outer `pdump run` may
 * have set.  If there are no other rules, a first --include excludes all else.
 */
static int set_rules(const struct run_setup *s)
{
    const char *outer = pdump_env("PDUMP_FILTER_RULES"),
               *files = pdump_env("PDUMP_FILTER");
    bool is_first = !(outer && *outer) && !(files && *files);
    char *all = NULL;
    int err;

    if (!s->rules)
        return COMMAND_OK;
    if (s->has_bad_rule || asprintf(&all, "%s%s%s", outer ? outer : "",
                                    !is_first            ? " "
                                    : s->rules[0] != 'I' ? ""
                                                         : "EXCLUDE * ",
                                    s->rules) < 0)
        return command_usage(s->self, "--include and --exclude take a pattern "
                                      "of one line that is not empty");
    err = pdump_set("PDUMP_FILTER_RULES", all);
    if (err >= 0 && !set("PDUMP_FILTER_RULES", all))
        err = pdump_no_memory();
    free(all);
    return err < 0 ? command_usage(s->self, "--include, --exclude: %s",
                                   pdump_last_error())
                   : COMMAND_OK;
}

int run_setup_settings(const struct run_setup *s)
{
    if (s->format && !check_formats(s->format))
        return command_usage(s->self, "--format: %s", pdump_last_error());
    if (s->output && !*s->output)
        return command_usage(s->self, "--output needs a name");
    if (s->experiment && !*s->experiment)
        return command_usage(s->self, "--experiment needs a name");
    if (s->filter && access(s->filter, R_OK) != 0)
        return command_usage(s->self, "--filter: %s: %s", s->filter,
                             strerror(errno));
    if (s->memory && pdump_set("PDUMP_MEMORY", s->memory) < 0)
        return command_usage(s->self, "--memory: %s", pdump_last_error());
    if (s->stacks && pdump_set("PDUMP_STACKS", s->stacks) < 0)
        return command_usage(s->self, "--stacks: %s", pdump_last_error());
    pdump_set("PDUMP_MEMORY", "0"); /* this process is not sampled */
    pdump_set("PDUMP_STACKS", "0");
    pdump_set("PDUMP_TELL", "never"); /* the summary does */
    if (!set("PDUMP_EVENTS", s->events) ||
        !set("PDUMP_OUTPUT_FORMAT", s->format) ||
        !set("PDUMP_STORE", s->store) || !set("PDUMP_FILTER", s->filter) ||
        !set("PDUMP_MEMORY", s->memory) || !set("PDUMP_STACKS", s->stacks) ||
        !set("PDUMP_FOLLOW", "1") ||
        (s->mpi && *s->mpi && !set("PDUMP_MPI", s->mpi)) ||
        /* Python's own allocator would hide the allocations of objects. */
        (s->wants_heap && !getenv("PYTHONMALLOC") &&
         !set("PYTHONMALLOC", "malloc")) ||
        (s->output && !set_output(s)) ||
        (s->experiment && !set_folder("PDUMP_EXPERIMENT_DIR", s->experiment)))
        return command_usage(s->self, "out of memory");
    fix_store();
    return set_rules(s);
}

/* Adds a library to preload, if it is installed. */
static bool add_library(struct run_setup *s, const char *name, const char *what)
{
    char path[PATH_MAX];
    size_t used = strlen(s->list);

    if (pdump_plugin_file(NULL, name, path) < 0) {
        command_fail(s->self, "%s: %s", what, pdump_last_error());
        return false;
    }
    if (strpbrk(path, ": ")) {
        command_fail(s->self,
                     "%s: %s cannot be preloaded: its folder has a "
                     "blank or a colon in its name",
                     what, path);
        return false;
    }
    snprintf(s->list + used, sizeof(s->list) - used, "%s%s", used ? ":" : "",
             path);
    return true;
}

static bool choose_libraries(struct run_setup *s)
{
    if (!add_library(s, "libpdump-run.so", "nothing is measured"))
        return false;
    snprintf(s->run, sizeof(s->run), "%.4095s", s->list);
    if (s->wants_io)
        add_library(s, "libpdump-io.so", "I/O is not recorded");
    if (s->wants_heap)
        add_library(s, "libpdump-mem.so", "allocations are not recorded");
    if (s->wants_functions)
        add_library(s, "libpdump-cyg.so", "functions are not recorded");
    return true;
}

void run_setup_start(struct run_setup *s)
{
    s->notes = -1;
    if (!choose_libraries(s))
        return;
    if (pdump_run_join_start() < 0 || !pdump_is_active()) {
        if (*pdump_last_error())
            command_fail(s->self, "nothing is measured: %s",
                         pdump_last_error());
        return;
    }
    if (pdump_run_join_tell(s->origin, sizeof(s->origin)) < 0) {
        command_fail(s->self, "nothing is measured: there is no store, which "
                              "the processes of a run need (PDUMP_STORE)");
        return;
    }
    s->notes = memfd_create("pdump run", MFD_CLOEXEC);
    s->is_measured = true;
}

/* Returns true if the list has a library of that name, in any folder. */
static bool has_name(const char *list, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t n = strlen(name);

    for (const char *at = list; (at = strstr(at, name)) != NULL; at += n)
        if ((at == list || at[-1] == '/' || at[-1] == ':') &&
            (!at[n] || at[n] == ':'))
            return true;
    return false;
}

/* Writes the libraries that are already preloaded, followed by `ours`.
 * Libraries in `ours` are not repeated: an outer `pdump run` may have added
 * them. */
static void join_lists(const char *before, const char *ours, char *out)
{
    char *copy = strdup(before ? before : ""), *rest = copy, *word;

    *out = '\0';
    while (copy && (word = strsep(&rest, ": ")) != NULL)
        if (*word && !has_name(ours, word)) {
            strcat(out, word);
            strcat(out, ":");
        }
    strcat(out, ours);
    free(copy);
}

void run_setup_child(const struct run_setup *s)
{
    const char *before = getenv("LD_PRELOAD");
    size_t len = strlen(s->list) + (before ? strlen(before) : 0) + 2;
    char *list = malloc(len), text[sizeof(s->origin) + 40];

    if (!list)
        return;
    join_lists(before, s->list, list);
    snprintf(text, sizeof(text), "%s %d %s", s->mpi ? "m" : "-", s->notes,
             s->origin);
    set("LD_PRELOAD", list);
    set("PDUMP_RUN", text);
    set("PDUMP_QUIET", s->is_quiet ? "1" : NULL);
    free(list);
}
