/* SPDX-License-Identifier: BSD-3-Clause */
/* All comparisons at once, so that a bad second of the machine is nobody's. */
#include "contest.h"

#include <stdio.h>
#include <stdlib.h>

enum { QUIET = 10, MEDIAN = 50 }; /* percent of the rounds */

/* A row while its sides live. */
struct pair {
    struct side floor;
    struct side ours;
    bool has_floor;
    bool has_ours;
    double *floors; /* costs, per round */
    double *costs;
    double *ratios;
};

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static double quantile(double *values, int n, int percent)
{
    qsort(values, (size_t)n, sizeof(*values), by_value);
    return values[(n - 1) * percent / 100];
}

static void fail(struct result *out, const char *why)
{
    if (!out->why[0])
        snprintf(out->why, sizeof(out->why), "%s", why);
    out->is_failed = true;
}

static bool open_side(struct side *side, const struct work *work,
                      struct result *out)
{
    int err = side_open(side, work, out->why);

    out->is_failed = err < 0;
    return err == 0;
}

/* Both sides, or the result says why not. */
static void open_pair(struct pair *p, const struct row *row, struct result *out)
{
    if (row->floor)
        p->has_floor = open_side(&p->floor, row->floor, out);
    if (!out->why[0])
        p->has_ours = open_side(&p->ours, row->ours, out);
}

static void close_pair(struct pair *p, struct result *out)
{
    if (p->has_floor && side_close(&p->floor) != 0)
        fail(out, "a process ended badly");
    if (p->has_ours && side_close(&p->ours) != 0)
        fail(out, "a process ended badly");
}

/* Which side goes first changes from round to round. */
static void play(struct pair *p, int round, struct result *out)
{
    double floor, ours = 0;

    if (round % 2)
        ours = side_ask(&p->ours);
    floor = side_ask(&p->floor);
    if (round % 2 == 0)
        ours = side_ask(&p->ours);
    if (floor <= 0 || ours <= 0)
        fail(out, "a process died on the way");
    p->floors[round] = floor;
    p->costs[round] = ours;
    p->ratios[round] = ours / floor;
}

static void judge(struct pair *p, int rounds, struct result *out)
{
    if (out->why[0])
        return;
    if (!p->has_floor) {
        out->ours = side_ask(&p->ours);
        if (out->ours < 0)
            fail(out, "a process died on the way");
        return;
    }
    out->floor = quantile(p->floors, rounds, QUIET);
    out->ours = quantile(p->costs, rounds, QUIET);
    out->ratio = out->ours / out->floor;
    out->median = quantile(p->ratios, rounds, MEDIAN);
}

int contest_run(const struct row *rows, int n, int rounds,
                struct result *results)
{
    struct pair *pairs = calloc((size_t)n, sizeof(*pairs));
    double *values = calloc((size_t)n * rounds * 3, sizeof(*values));
    int err = pairs && values ? 0 : -1;

    for (int i = 0; err == 0 && i < n; i++) {
        pairs[i].floors = values + (size_t)i * rounds * 3;
        pairs[i].costs = pairs[i].floors + rounds;
        pairs[i].ratios = pairs[i].costs + rounds;
        open_pair(&pairs[i], &rows[i], &results[i]);
    }
    for (int round = 0; err == 0 && round < rounds; round++)
        for (int i = 0; i < n; i++)
            if (rows[i].floor && !results[i].why[0])
                play(&pairs[i], round, &results[i]);
    for (int i = 0; err == 0 && i < n; i++) {
        judge(&pairs[i], rounds, &results[i]);
        close_pair(&pairs[i], &results[i]);
    }
    free(values);
    free(pairs);
    return err;
}
