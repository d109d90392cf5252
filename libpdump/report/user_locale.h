/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses the locale of the user, not of the program: a program that never calls
 * setlocale() can still have a user with a UTF-8 terminal. */
#ifndef PDUMP_USER_LOCALE_H
#define PDUMP_USER_LOCALE_H

#include <locale.h>
#include <stdbool.h>

/* Filled by pdump_user_locale_enter(). */
struct pdump_user_locale {
    bool is_utf8;
    locale_t ours; /* 0: the user's locale does not exist */
    locale_t theirs;
};

/* Sets the character set of this thread, and of no other, until
 * pdump_user_locale_leave(). */
void pdump_user_locale_enter(struct pdump_user_locale *l);
void pdump_user_locale_leave(struct pdump_user_locale *l);

#endif
