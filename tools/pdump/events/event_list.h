/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of this machine; each one is tried, not only looked up. */
#ifndef PDUMP_EVENT_LIST_H
#define PDUMP_EVENT_LIST_H

#include <stdbool.h>

struct event {
    char *name;
    char *about;
    char *unit; /* NULL if it cannot be counted */
    char *why;  /* why it cannot be counted, or NULL */
};

struct event_list {
    struct event *events;
    int n;
};

/* Lists every event that matches `pattern` (NULL: any): a glob on the name if
 * it has one of *?[, else a part of the name or description, ignoring case.  If
 * none matches, the pattern itself is tried as a name.  Returns 0 or a
 * pdump_error; free the list in both cases. */
int event_list_make(const char *pattern, struct event_list *out);
void event_list_free(struct event_list *list);

#endif
