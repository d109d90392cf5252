/* SPDX-License-Identifier: BSD-3-Clause */
/* pdump events: lists what can be counted here, and what cannot and why. */
#include "command.h"
#include "events/event_list.h"

#include <pdump.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALL,
    NAME_MAX = 40, /* longer names get a line of their own */
    FEW = 12,      /* names per reason, without --all */
};

static const struct command_option options[] = {
    [ALL] = { "all", NULL, "name every event that cannot be counted" },
    { NULL, NULL, NULL },
};

static int name_width(const struct event_list *list)
{
    int width = 0;

    for (int i = 0; i < list->n; i++) {
        int len = (int)strlen(list->events[i].name);

        if (list->events[i].unit && len > width && len <= NAME_MAX)
            width = len;
    }
    return width;
}

/* Wraps a description within its column; nothing is cut. */
static void put_about(const char *about, int indent, int width)
{
    int column = indent;

    while (*about != '\0') {
        int len = (int)strcspn(about, " \n\t");

        if (column > indent && column + 1 + len > width) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            putchar(' ');
            column++;
        }
        column += printf("%.*s", len, about);
        about += len;
        about += strspn(about, " \n\t");
    }
    putchar('\n');
}

static int put_counted(const struct event_list *list, int width)
{
    int n = 0, name = name_width(list);

    for (int i = 0; i < list->n; i++) {
        const struct event *e = &list->events[i];

        if (!e->unit)
            continue;
        if (n++ == 0)
            printf("Can be counted here:\n");
        printf("  %-*s", name, e->name);
        if ((int)strlen(e->name) > name)
            printf("\n  %*s", name, "");
        printf("  %-4s  ", e->unit);
        put_about(e->about, name + 10, width);
    }
    return n;
}

/* Prints the events that cannot be counted for the same reason as event
 * `first`. */
static void put_group(const struct event_list *list, int first, int width,
                      bool wants_all)
{
    const char *why = list->events[first].why;
    int column, n = 0, limit;

    for (int i = first; i < list->n; i++)
        n += list->events[i].why && strcmp(list->events[i].why, why) == 0;
    limit = wants_all || n <= FEW ? n : FEW;
    printf("  %s (%d event%s)\n   ", why, n, n == 1 ? "" : "s");
    column = 3;
    for (int i = first, k = 0; i < list->n && k < limit; i++) {
        int len = (int)strlen(list->events[i].name);

        if (!list->events[i].why || strcmp(list->events[i].why, why) != 0)
            continue;
        if (column > 3 && column + 2 + len > width) {
            printf("\n   ");
            column = 3;
        }
        column += printf(" %s%s", list->events[i].name, ++k < limit ? "," : "");
    }
    if (limit < n)
        printf(" and %d more (--all)", n - limit);
    putchar('\n');
}

static void put_refused(const struct event_list *list, int n_counted, int width,
                        bool wants_all)
{
    bool has_title = false;

    for (int i = 0; i < list->n; i++) {
        bool is_new = list->events[i].why != NULL;

        for (int k = 0; k < i && is_new; k++)
            is_new = !list->events[k].why ||
                     strcmp(list->events[k].why, list->events[i].why) != 0;
        if (!is_new)
            continue;
        if (!has_title)
            printf("%sCannot be counted here:\n", n_counted > 0 ? "\n" : "");
        has_title = true;
        put_group(list, i, width, wants_all);
    }
}

static int list_events(const struct command *self, const char *pattern,
                       bool wants_all)
{
    struct event_list list;
    int width = command_width(100), code = COMMAND_OK;

    if (event_list_make(pattern, &list) < 0)
        code = command_fail(self, "%s", pdump_last_error());
    else if (list.n == 0)
        code = command_fail(self, "no event matches \"%s\"", pattern);
    else
        put_refused(&list, put_counted(&list, width), width,
                    wants_all || pattern);
    event_list_free(&list);
    return code;
}

struct request {
    const char *pattern;
    bool wants_all;
};

static int events_argument(struct command_arguments *args, int which,
                           char *value)
{
    struct request *q = args->data;

    if (which == ALL)
        q->wants_all = true;
    else if (q->pattern)
        return command_usage(args->command,
                             "one pattern only, \"%s\" is too many", value);
    else
        q->pattern = value;
    return -1;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct request q = { .pattern = NULL };
    int code = command_parse(self, argc, argv, events_argument, &q);

    return code < 0 ? list_events(self, q.pattern, q.wants_all) : code;
}

const struct command command_events = {
    .name = "events",
    .operands = "[PATTERN]",
    .about = "List what can be counted on this machine, and what cannot",
    .more = "Every event is tried: added to a counter set and started.  "
            "PATTERN is part of a\nname or description, or a name with "
            "wildcards (\"PAPI_L?_*\"); upper and lower\ncase are the "
            "same.  The exit status is 1 if no event matches it.",
    .options = options,
    .run = run,
};
