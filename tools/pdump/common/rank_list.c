/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses and applies lists of ranks: "0,4-7". */
#include "common/rank_list.h"

#include "dump/ranks.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool take_number(const char **at, int *out)
{
    char *end;
    long n;

    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    n = strtol(*at, &end, 10);
    if (errno != 0 || n > INT_MAX)
        return false;
    *at = end;
    *out = (int)n;
    return true;
}

static bool take_range(const char **at, struct pdump_select_range *out)
{
    if (!take_number(at, &out->from))
        return false;
    out->to = out->from;
    if (**at == '-') {
        ++*at;
        if (!take_number(at, &out->to))
            return false;
    }
    return out->from <= out->to;
}

bool rank_list_parse(const char *text, struct rank_list *out)
{
    size_t room = strlen(text) / 2 + 1;
    struct pdump_select_range *ranges = calloc(room, sizeof(*ranges));
    int n = 0;

    while (ranges && take_range(&text, &ranges[n])) {
        n++;
        if (*text == '\0') {
            free(out->ranges);
            *out = (struct rank_list){ ranges, n };
            return true;
        }
        if (*text++ != ',')
            break;
    }
    free(ranges);
    return false;
}

static bool has_one(const struct pdump_ranks *ranks,
                    const struct pdump_select_range *range)
{
    for (int i = 0; i < ranks->n; i++)
        if (ranks->number[i] >= range->from && ranks->number[i] <= range->to)
            return true;
    return false;
}

/* A user who asks for a rank that does not exist must not get another one. */
static int check(const struct command *self, const struct rank_list *list,
                 const struct pdump_dump *dump, const struct pdump_ranks *ranks)
{
    char which[128];

    if (ranks->n == 0)
        return command_fail(self,
                            "--rank: there are statistics over %d ranks only, "
                            "and no rank's own figures",
                            pdump_ranks_of_job(dump, ranks));
    for (int i = 0; i < list->n; i++) {
        const struct pdump_select_range *range = &list->ranges[i];
        char to[16] = "";

        if (has_one(ranks, range))
            continue;
        if (range->to > range->from)
            snprintf(to, sizeof(to), " to %d", range->to);
        return command_fail(self, "--rank: there is no rank %d%s in it, but %s",
                            range->from, to,
                            pdump_ranks_text(ranks, which, sizeof(which)));
    }
    return COMMAND_OK;
}

int rank_list_select(const struct command *self, const struct rank_list *list,
                     const struct pdump_dump *dump, struct pdump_dump **out)
{
    struct pdump_ranks ranks;
    int code;

    if (pdump_ranks_of(dump, &ranks) < 0)
        return command_fail(self, "%s", pdump_last_error());
    if (dump->stats)
        pdump_ranks_drop_empty(&ranks);
    code = check(self, list, dump, &ranks);
    pdump_ranks_free(&ranks);
    if (code == COMMAND_OK &&
        pdump_select_ranks(dump, list->ranges, list->n, out) < 0)
        code = command_fail(self, "%s", pdump_last_error());
    return code;
}
