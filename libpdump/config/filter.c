/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of a filter, and their application to a region. */
#include "config/filter.h"
#include "base/wildcard.h"
#include "config/filter_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MAX = 64 * 1024 * 1024 };

struct rule {
    bool is_exclude;
    char *pattern;
};

/* In order; the last matching rule decides. */
struct rules {
    struct rule *rule;
    int n, room;
};

struct pdump_filter {
    struct rules of[PDUMP_FILTER_KINDS];
};

int pdump_filter_add(struct pdump_filter *filter, enum pdump_filter_kind kind,
                     bool is_exclude, const char *pattern)
{
    struct rules *rules = &filter->of[kind];
    char *copy;

    if (rules->n == rules->room) {
        int room = rules->room ? 2 * rules->room : 16;
        struct rule *larger =
            realloc(rules->rule, (size_t)room * sizeof(*larger));

        if (!larger)
            return pdump_no_memory();
        rules->rule = larger;
        rules->room = room;
    }
    copy = strdup(pattern);
    if (!copy)
        return pdump_no_memory();
    rules->rule[rules->n++] =
        (struct rule){ .is_exclude = is_exclude, .pattern = copy };
    return PDUMP_OK;
}

void pdump_filter_free(struct pdump_filter *filter)
{
    if (!filter)
        return;
    for (int kind = 0; kind < PDUMP_FILTER_KINDS; kind++) {
        for (int i = 0; i < filter->of[kind].n; i++)
            free(filter->of[kind].rule[i].pattern);
        free(filter->of[kind].rule);
    }
    free(filter);
}

/* `other` is another name of the same region, or NULL. */
static bool is_excluded_by(const struct rules *rules, const char *name,
                           const char *other)
{
    for (int i = rules->n - 1; i >= 0; i--)
        if (pdump_wildcard_match(rules->rule[i].pattern, name) ||
            (other && pdump_wildcard_match(rules->rule[i].pattern, other)))
            return rules->rule[i].is_exclude;
    return false;
}

/* Returns the function in "module:function", the form of Python's names; NULL
 * for any other name, also for C++'s "class::function". */
static const char *function_of(const char *name)
{
    const char *colon = strchr(name, ':');

    return colon && colon > name && colon[1] && colon[1] != ':' ? colon + 1
                                                                : NULL;
}

bool pdump_filter_excludes(const struct pdump_filter *filter, const char *name,
                           const char *file, enum pdump_group group)
{
    if (!filter || group == PDUMP_GROUP_PARAMETER ||
        group == PDUMP_GROUP_STEP || group == PDUMP_GROUP_OVERFLOW ||
        group == PDUMP_GROUP_PROGRAM)
        return false;
    if (file && *file &&
        is_excluded_by(&filter->of[PDUMP_FILTER_FILES], file, NULL))
        return true;
    return is_excluded_by(&filter->of[PDUMP_FILTER_NAMES], name,
                          function_of(name));
}

/* Read a whole file and add a final NUL.  Given: free(). */
static int filter_file_load(const char *path, char **text, size_t *len)
{
    /* O_NONBLOCK, because opening a pipe could block. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info;
    ssize_t n = 0;

    if (fd < 0 || fstat(fd, &info) < 0) {
        int err = pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));

        if (fd >= 0)
            close(fd);
        return err;
    }
    if (!S_ISREG(info.st_mode) || info.st_size > FILE_MAX) {
        close(fd);
        return pdump_fail(PDUMP_EIO, "%s: %s", path,
                          S_ISREG(info.st_mode) ? "too large for a filter"
                                                : "not a regular file");
    }
    *text = malloc((size_t)info.st_size + 1);
    for (*len = 0; *text && *len < (size_t)info.st_size; *len += (size_t)n) {
        n = read(fd, *text + *len, (size_t)info.st_size - *len);
        if (n <= 0)
            break;
    }
    close(fd);
    if (!*text)
        return pdump_no_memory();
    (*text)[*len] = '\0';
    if (n >= 0)
        return PDUMP_OK;
    free(*text);
    return pdump_fail(PDUMP_EIO, "%s: %s", path, strerror(errno));
}

/* Gives the filter to the caller, or frees it after an error. */
static int filter_give(struct pdump_filter *filter, int err,
                       struct pdump_filter **out)
{
    if (err < 0)
        pdump_filter_free(filter);
    else
        *out = filter;
    return err < 0 ? err : PDUMP_OK;
}

int pdump_filter_parse(const char *text, size_t len, const char *source,
                       struct pdump_filter **out)
{
    struct pdump_filter *filter = calloc(1, sizeof(*filter));
    int err = filter ? pdump_filter_text(filter, text, len, source)
                     : pdump_no_memory();

    return filter_give(filter, err, out);
}

int pdump_filter_read(const char *paths, struct pdump_filter **out)
{
    return pdump_filter_open(paths, "", out);
}

int pdump_filter_open(const char *paths, const char *rules,
                      struct pdump_filter **out)
{
    struct pdump_filter *filter = calloc(1, sizeof(*filter));
    char *list = strdup(paths), *rest = list, *path;
    int err = filter && list ? PDUMP_OK : pdump_no_memory();

    while (err >= 0 && (path = strsep(&rest, ","))) {
        char *text = NULL;
        size_t len = 0;

        if (!*path)
            continue;
        err = filter_file_load(path, &text, &len);
        if (err < 0)
            break;
        err = pdump_filter_text(filter, text, len, path);
        free(text);
    }
    free(list);
    if (err >= 0)
        err = pdump_filter_rules(filter, rules, "PDUMP_FILTER_RULES");
    return filter_give(filter, err, out);
}

/* As printf(), appended to `buf`; a text that was cut stays cut. */
__attribute__((format(printf, 3, 4))) static void append(char *buf, size_t len,
                                                         const char *fmt, ...)
{
    size_t used = strlen(buf);
    va_list args;

    va_start(args, fmt);
    vsnprintf(buf + used, len - used, fmt, args);
    va_end(args);
}

void pdump_filter_describe(const struct pdump_filter *filter, char *buf,
                           size_t len)
{
    if (!len)
        return;
    buf[0] = '\0';
    for (int kind = 0; kind < PDUMP_FILTER_KINDS; kind++) {
        const struct rules *rules = &filter->of[kind];

        if (kind == PDUMP_FILTER_FILES && rules->n)
            append(buf, len, "%sfiles", *buf ? "; " : "");
        for (int i = 0; i < rules->n && strlen(buf) + 1 < len; i++) {
            bool is_new = i == 0 || rules->rule[i].is_exclude !=
                                        rules->rule[i - 1].is_exclude;

            append(buf, len, "%s%s%s", *buf ? " " : "",
                   !is_new                     ? ""
                   : rules->rule[i].is_exclude ? "EXCLUDE "
                                               : "INCLUDE ",
                   rules->rule[i].pattern);
        }
    }
}

/* Returns true if `name` is a keyword unless it is quoted. */
static bool is_keyword(const char *name)
{
    return strcmp(name, "EXCLUDE") == 0 || strcmp(name, "INCLUDE") == 0 ||
           strcmp(name, "MANGLED") == 0 || strncmp(name, "SCOREP_", 7) == 0 ||
           strncmp(name, "PDUMP_", 6) == 0;
}

void pdump_filter_escape(const char *name, char *buf, size_t len)
{
    bool wants_escape = is_keyword(name);
    size_t n = 0;

    for (; *name && n + 3 <= len; name++) {
        bool is_line_end = *name == '\n' || *name == '\r';

        if (wants_escape || (strchr("*?[]\\#\"' \t\f\v", *name)))
            buf[n++] = '\\';
        buf[n++] =
            is_line_end ? '?' : *name; /* a line end has no escape sequence */
        wants_escape = false;
    }
    if (len)
        buf[n] = '\0';
}
