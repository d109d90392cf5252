/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of this machine; each one is tried, not only looked up. */
#include "events/event_list.h"

#include "source/source.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

struct search {
    const char *pattern;
    struct event_list *list;
    int capacity;
};

static bool is_glob(const char *pattern)
{
    return strpbrk(pattern, "*?[") != NULL;
}

static bool fits(const char *pattern, const char *name, const char *about)
{
    if (!pattern)
        return true;
    if (is_glob(pattern))
        return fnmatch(pattern, name, FNM_CASEFOLD) == 0;
    return strcasestr(name, pattern) || strcasestr(about, pattern);
}

static int event_add(const char *name, const char *about, void *data)
{
    struct search *search = data;
    struct event_list *list = search->list;
    struct event *event;

    if (!about)
        about = "";
    if (!fits(search->pattern, name, about))
        return 0;
    if (list->n == search->capacity) {
        int capacity = 2 * search->capacity + 64;

        event = realloc(list->events, (size_t)capacity * sizeof(*event));
        if (!event)
            return pdump_no_memory();
        list->events = event;
        search->capacity = capacity;
    }
    event = &list->events[list->n++];
    *event = (struct event){ .name = strdup(name), .about = strdup(about) };
    return event->name && event->about ? 0 : pdump_no_memory();
}

/* Called after the enumeration, which a trial in between would disturb. */
static int try(struct event *event)
{
    struct pdump_metric metric = { .about = "" };
    char why[200] = "";
    int is_counted = pdump_sources_try(event->name, &metric, why, sizeof(why));

    if (is_counted < 0)
        return is_counted;
    if (is_counted && event->about[0] == '\0') {
        free(event->about);
        event->about = strdup(metric.about);
    }
    if (is_counted)
        event->unit = strdup(metric.unit);
    else
        event->why = strdup(why);
    return event->about && (event->unit || event->why) ? 0 : pdump_no_memory();
}

int event_list_make(const char *pattern, struct event_list *out)
{
    struct search search = { .pattern = pattern, .list = out };
    int err;

    *out = (struct event_list){ .n = 0 };
    err = event_add("time", "elapsed time, always counted", &search);
    if (!err)
        err = pdump_sources_names(event_add, &search);
    if (!err && out->n == 0 && pattern && !is_glob(pattern)) {
        struct pdump_metric metric;
        char why[200];

        search.pattern = NULL;
        if (pdump_sources_try(pattern, &metric, why, sizeof(why)) > 0)
            err = event_add(pattern, metric.about, &search);
    }
    for (int i = 0; i < out->n && !err; i++)
        err = try(&out->events[i]);
    return err;
}

void event_list_free(struct event_list *list)
{
    for (int i = 0; i < list->n; i++) {
        free(list->events[i].name);
        free(list->events[i].about);
        free(list->events[i].unit);
        free(list->events[i].why);
    }
    free(list->events);
}
