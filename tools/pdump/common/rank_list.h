/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses and applies lists of ranks: "0,4-7". */
#ifndef PDUMP_RANK_LIST_H
#define PDUMP_RANK_LIST_H

#include "command.h"

#include "dump/select_ranks.h"

struct rank_list {
    struct pdump_select_range *ranges; /* free() */
    int n;
};

/* Returns true if `text` is such a list.  If not, *out is unchanged. */
bool rank_list_parse(const char *text, struct rank_list *out);

/* Selects the part of `dump` with these ranks; *out is given.  Returns an exit
 * code.  Each range must match at least one rank. */
int rank_list_select(const struct command *self, const struct rank_list *list,
                     const struct pdump_dump *dump, struct pdump_dump **out);

#endif
