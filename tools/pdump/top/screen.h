/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses the terminal to show pages and read keys, and restores it at the end. */
#ifndef PDUMP_SCREEN_H
#define PDUMP_SCREEN_H

#include <stdbool.h>

/* Takes over the terminal: alternate screen, no echo, single keys.  Returns
 * false if standard output is not a capable terminal.  Whatever ends the
 * program afterwards, except SIGKILL, restores the terminal first. */
bool screen_open(void);

/* Restores the terminal.  If a signal requested the end, it now ends the
 * program. */
void screen_close(void);

int screen_width(void);

/* Shows the first two lines of `text`, and of the other lines those from the
 * `from`-th on that fit. */
void screen_show(const char *text, int from);

enum {
    SCREEN_TIMEOUT = 0,
    SCREEN_AGAIN = -1, /* the page has to be shown again */
    SCREEN_END = -2,   /* a signal, or the terminal is gone */
    SCREEN_UP = -3,
    SCREEN_DOWN = -4,
};

/* Waits for a key.  Returns its character, or one of the above. */
int screen_wait(double seconds);

#endif
