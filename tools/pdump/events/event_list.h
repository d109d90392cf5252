/* SPDX-License-Identifier: BSD-3-Clause */
/* The events of this machine, each tried for real. */
#ifndef PDUMP_EVENT_LIST_H
#define PDUMP_EVENT_LIST_H

#include <stdbool.h>

struct event {
    char *name;
    char *about;
    char *unit; /* NULL if it cannot be counted, */
    char *why;  /* and why; else NULL */
};

struct event_list {
    struct event *events;
    int n;
};

/* Every event that `pattern` (NULL: any) fits: a glob on its name if there is
 * one of *?[ in it, else a part of its name or description, in any case of
 * letters.  If none fits, the pattern itself is tried as a name.  0 or a
 * pdump_error; free in both cases. */
int event_list_make(const char *pattern, struct event_list *out);
void event_list_free(struct event_list *list);

#endif
