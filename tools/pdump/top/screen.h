/* SPDX-License-Identifier: BSD-3-Clause */
/* A terminal that shows pages and gives keys, and is put back as it was. */
#ifndef PDUMP_SCREEN_H
#define PDUMP_SCREEN_H

#include <stdbool.h>

/* Take the terminal: a page of its own, no echo, single keys.  False if
 * standard output is no terminal that can do it.  Whatever ends the program
 * afterwards but SIGKILL puts the terminal back first. */
bool screen_open(void);

/* Put it back.  If a signal asked to end, this ends the program by it. */
void screen_close(void);

int screen_width(void);

/* Show the first two lines of `text` and, as far as there is room, those from
 * the `from`-th on of the others. */
void screen_show(const char *text, int from);

enum {
    SCREEN_TIMEOUT = 0,
    SCREEN_AGAIN = -1, /* the page has to be shown again */
    SCREEN_END = -2,   /* by a signal, or the terminal has gone */
    SCREEN_UP = -3,
    SCREEN_DOWN = -4,
};

/* Wait for a key: its character, or one of the above. */
int screen_wait(double seconds);

#endif
