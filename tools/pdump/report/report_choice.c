/* SPDX-License-Identifier: BSD-3-Clause */
/* Resolves the names in the options of a report, or suggests similar ones. */
#include "report/report_choice.h"
#include "common/nearest.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

int report_names_new(const struct command *self, int argc,
                     struct report_names *out)
{
    size_t n = (size_t)argc + 1;

    out->metrics = calloc(n, sizeof(*out->metrics));
    out->regions = calloc(n, sizeof(*out->regions));
    return out->metrics && out->regions ? COMMAND_OK
                                        : command_fail(self, "out of memory");
}

void report_names_free(struct report_names *names)
{
    free(names->metrics);
    free(names->regions);
    free(names->columns);
    free(names->words);
}

int report_names_columns(const struct command *self, struct report_names *names,
                         const char *value)
{
    size_t n = strlen(value) + 1;
    char *rest, *word;

    free(names->columns);
    free(names->words);
    names->n_columns = 0;
    names->columns = calloc(n, sizeof(*names->columns));
    rest = names->words = strdup(value);
    if (!names->columns || !names->words)
        return command_fail(self, "out of memory");
    while ((word = strsep(&rest, ",")) != NULL)
        names->columns[names->n_columns++] = word;
    return COMMAND_OK;
}

void report_choice_free(struct report_choice *choice)
{
    free(choice->metrics);
    free(choice->regions);
}

/* Offers a metric by its name, or without its prefix, which is accepted,
 * too. */
static void offer_metric(struct nearest *near, const char *name)
{
    const char *colons = strstr(name, "::");
    int before = near->n;

    nearest_offer(near, name);
    if (near->n == before && colons)
        nearest_offer(near, colons + 2);
}

const char *report_near_metrics(const struct pdump_dump *dump, const char *word,
                                bool with_derived, char buf[400])
{
    struct nearest near = { .word = word };

    for (int i = 0; i < dump->n_metrics; i++)
        offer_metric(&near, dump->metrics[i].name);
    for (int i = 0; with_derived && i < pdump_derived_count(); i++) {
        const char *name = pdump_derived_at(i)->name;
        bool is_derived;

        if (pdump_view_find(dump, name, &is_derived) >= 0 && is_derived &&
            (i == 0 || strcmp(name, pdump_derived_at(i - 1)->name) != 0))
            nearest_offer(&near, name);
    }
    return nearest_text(&near, "", buf);
}

/* Writes the names of the metrics of a dump, with commas. */
static void list_metrics(const struct pdump_dump *dump, char *list, size_t len)
{
    size_t n = 0;

    list[0] = '\0';
    for (int i = 0; i < dump->n_metrics && n + 100 < len; i++)
        n += (size_t)snprintf(list + n, len - n, ", %.90s",
                              dump->metrics[i].name);
    for (int i = 0; i < pdump_derived_count() && n + 100 < len; i++) {
        const char *name = pdump_derived_at(i)->name;
        bool is_derived;

        if (pdump_view_find(dump, name, &is_derived) >= 0 && is_derived &&
            (i == 0 || strcmp(name, pdump_derived_at(i - 1)->name) != 0))
            n += (size_t)snprintf(list + n, len - n, ", %.90s", name);
    }
}

static int unknown_metric(const struct command *self, const char *option,
                          const struct pdump_dump *dump, const char *word)
{
    bool is_sort = strcmp(option, "sort") == 0;
    char buf[400], list[1000];

    list_metrics(dump, list, sizeof(list));
    return command_fail(self, "--%s: there is no metric \"%s\" in it%s%s%s",
                        option, word,
                        report_near_metrics(dump, word, true, buf),
                        is_sort ? "; it takes self, visits, name" : "; it has",
                        list + (is_sort ? 0 : 1));
}

static size_t count_words(const struct report_names *names)
{
    size_t n = 0;

    for (int i = 0; i < names->n_metrics; i++)
        n += strlen(names->metrics[i]) + 1;
    return n;
}

/* Adds the metrics of one option; `list` has room. */
static int add_metrics(const struct command *self,
                       const struct pdump_dump *dump, const char *words,
                       struct pdump_report_metric *list, int *n)
{
    char *text = strdup(words), *rest = text, *word;
    int code = text ? COMMAND_OK : command_fail(self, "out of memory");

    if (text && strcmp(text, "none") == 0)
        rest = NULL;
    while (code == COMMAND_OK && (word = strsep(&rest, ",")) != NULL) {
        struct pdump_report_metric *metric = &list[*n];

        metric->index = pdump_view_find(dump, word, &metric->is_derived);
        if (metric->index < 0)
            code = unknown_metric(self, "metric", dump, word);
        else
            ++*n;
    }
    free(text);
    return code;
}

static int choose_metrics(const struct command *self,
                          const struct report_names *names,
                          const struct pdump_dump *dump,
                          struct report_choice *choice,
                          struct pdump_report_options *look)
{
    int code = COMMAND_OK;

    if (names->n_metrics == 0)
        return COMMAND_OK;
    choice->metrics = calloc(count_words(names) + 1, sizeof(*choice->metrics));
    if (!choice->metrics)
        return command_fail(self, "out of memory");
    look->metrics = choice->metrics;
    for (int i = 0; i < names->n_metrics && code == COMMAND_OK; i++)
        code = add_metrics(self, dump, names->metrics[i], choice->metrics,
                           &look->n_metrics);
    return code;
}

/* An exact name goes before a pattern, because names may have any
 * characters. */
static bool mark(const struct pdump_dump *dump, const char *word,
                 bool is_pattern, bool *out)
{
    bool has = false;

    for (int i = 0; i < dump->n_regions; i++) {
        const char *name = dump->regions[i].name;

        if (is_pattern ? fnmatch(word, name, 0) == 0 : strcmp(word, name) == 0)
            has = out[i] = true;
    }
    return has;
}

static int choose_regions(const struct command *self,
                          const struct report_names *names,
                          const struct pdump_dump *dump,
                          struct report_choice *choice,
                          struct pdump_view_options *view)
{
    if (names->n_regions == 0)
        return COMMAND_OK;
    choice->regions =
        calloc((size_t)dump->n_regions + 1, sizeof(*choice->regions));
    if (!choice->regions)
        return command_fail(self, "out of memory");
    for (int i = 0; i < names->n_regions; i++) {
        const char *word = names->regions[i];
        struct nearest near = { .word = word };
        char buf[400];

        if (mark(dump, word, false, choice->regions) ||
            mark(dump, word, true, choice->regions))
            continue;
        for (int k = 0; k < dump->n_regions; k++)
            nearest_offer(&near, dump->regions[k].name);
        return command_fail(self, "--region: there is no region \"%s\" in it%s",
                            word, nearest_text(&near, "", buf));
    }
    view->regions = choice->regions;
    return COMMAND_OK;
}

/* Checks that the report can show what was asked for. */
static int check(const struct command *self, const struct pdump_dump *dump,
                 const struct pdump_view_options *view,
                 const struct pdump_report_options *look)
{
    bool has_counted = look->n_metrics == 0;

    if (view->by_thread && dump->stats && dump->n_rows == 0)
        return command_fail(self, "--by thread: there are statistics over "
                                  "ranks only, and no thread's own figures");
    for (int i = 0; i < look->n_metrics; i++)
        has_counted |= !look->metrics[i].is_derived;
    if (look->by_rank && !has_counted)
        return command_fail(self,
                            "--by %s shows what is counted, not a "
                            "derived metric",
                            look->runs ? "run" : "rank");
    return COMMAND_OK;
}

int report_choose(const struct command *self, const struct report_names *names,
                  const struct pdump_dump *dump, struct report_choice *choice,
                  struct pdump_view_options *view,
                  struct pdump_report_options *look)
{
    int code;

    if (names->sort && pdump_view_sort_by(dump, names->sort, view) < 0)
        return unknown_metric(self, "sort", dump, names->sort);
    code = choose_metrics(self, names, dump, choice, look);
    if (code == COMMAND_OK)
        code = choose_regions(self, names, dump, choice, view);
    if (code == COMMAND_OK)
        code = check(self, dump, view, look);
    return code;
}
