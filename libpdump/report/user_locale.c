/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses the locale of the user for a while. */
#include "report/user_locale.h"

#include <langinfo.h>
#include <string.h>

void pdump_user_locale_enter(struct pdump_user_locale *l)
{
    *l = (struct pdump_user_locale){
        .ours = newlocale(LC_CTYPE_MASK, "", (locale_t)0),
    };
    if (!l->ours)
        return;
    l->is_utf8 = strcmp(nl_langinfo_l(CODESET, l->ours), "UTF-8") == 0;
    l->theirs = uselocale(l->ours);
}

void pdump_user_locale_leave(struct pdump_user_locale *l)
{
    if (!l->ours)
        return;
    uselocale(l->theirs);
    freelocale(l->ours);
}
