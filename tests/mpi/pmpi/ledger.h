/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program did: each call of MPI is noted beside it, and told at the end,
 * in file told.RANK, as lines "FUNCTION@RANK CALLS BYTES_OUT BYTES_IN
 * COMPLETED". */
#ifndef TESTS_PMPI_LEDGER_H
#define TESTS_PMPI_LEDGER_H

#include <stdio.h>
#include <string.h>

enum { LEDGER_MAX = 400 };

static struct ledger {
    const char *name;
    long calls, out, in, completed;
} ledger[LEDGER_MAX];

static inline void did(const char *name, long out, long in, long completed)
{
    struct ledger *l = ledger;

    while (l->name && strcmp(l->name, name) != 0)
        l++;
    l->name = name;
    l->calls++;
    l->out += out;
    l->in += in;
    l->completed += completed;
}

/* Messages, as "to RANK MESSAGES BYTES" and "from RANK MESSAGES BYTES" of each
 * rank: the script has both sides. */
static long peer_figures[2][16][2];

static inline void met(int is_out, int peer, long bytes)
{
    peer_figures[is_out][peer][0]++;
    peer_figures[is_out][peer][1] += bytes;
}

static inline void tell(int rank)
{
    static const char *const ways[] = { "from", "to" };
    char path[32];
    FILE *f;

    snprintf(path, sizeof(path), "told.%d", rank);
    f = fopen(path, "w");
    if (!f)
        return;
    for (struct ledger *l = ledger; l->name; l++)
        fprintf(f, "%s@%d %ld %ld %ld %ld\n", l->name, rank, l->calls, l->out,
                l->in, l->completed);
    for (int i = 0; i < 32; i++)
        if (peer_figures[i / 16][i % 16][0])
            fprintf(f, "%d %s %d %ld %ld\n", rank, ways[i / 16], i % 16,
                    peer_figures[i / 16][i % 16][0],
                    peer_figures[i / 16][i % 16][1]);
    fclose(f);
}

#endif
