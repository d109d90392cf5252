/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks as one asks for them: "0,4-7". */
#ifndef PDUMP_RANK_LIST_H
#define PDUMP_RANK_LIST_H

#include "command.h"

#include "dump/select_ranks.h"

struct rank_list {
    struct pdump_select_range *ranges; /* free() */
    int n;
};

/* Is `text` such a list?  If not, the list stays as it was. */
bool rank_list_parse(const char *text, struct rank_list *out);

/* The part of `dump` that has these ranks, which is given; an exit code.  Each
 * range has to have one. */
int rank_list_select(const struct command *self, const struct rank_list *list,
                     const struct pdump_dump *dump, struct pdump_dump **out);

#endif
