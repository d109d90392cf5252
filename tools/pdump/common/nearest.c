/* SPDX-License-Identifier: BSD-3-Clause */
/* Suggests the words that a user who mistyped one may have meant. */
#include "common/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 63 };

static int smallest(int a, int b, int c)
{
    int least = a < b ? a : b;

    return least < c ? least : c;
}

static bool is_same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* The edit distance: insertions, deletions and replacements (Levenshtein), and
 * swaps of neighbours. */
static int distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    int row[3][LONGEST + 1];

    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= m; j++)
        row[0][j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int *now = row[i % 3], *before = row[(i + 2) % 3];

        now[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int differs = !is_same(a[i - 1], b[j - 1]);

            now[j] = smallest(before[j] + 1, now[j - 1] + 1,
                              before[j - 1] + differs);
            if (i > 1 && j > 1 && is_same(a[i - 1], b[j - 2]) &&
                is_same(a[i - 2], b[j - 1]) &&
                row[(i + 1) % 3][j - 2] + 1 < now[j])
                now[j] = row[(i + 1) % 3][j - 2] + 1;
        }
    }
    return row[n % 3][m];
}

void nearest_offer(struct nearest *list, const char *name)
{
    int off = distance(list->word, name);
    int limit = (int)(strlen(list->word) + 2) / 3;
    int at = list->n;

    if (strlen(list->word) >= 3 && strcasestr(name, list->word) != NULL)
        off = 1;
    if (off > (limit > 1 ? limit : 1))
        return;
    while (at > 0 && list->distances[at - 1] > off)
        at--;
    if (at == NEAREST_MAX)
        return;
    if (list->n < NEAREST_MAX)
        list->n++;
    for (int i = list->n - 1; i > at; i--) {
        list->names[i] = list->names[i - 1];
        list->distances[i] = list->distances[i - 1];
    }
    list->names[at] = name;
    list->distances[at] = off;
}

const char *nearest_text(const struct nearest *list, const char *prefix,
                         char buf[400])
{
    int used = 0;

    buf[0] = '\0';
    for (int i = 0; i < list->n; i++)
        used += snprintf(buf + used, 400 - used, "%s%s%.100s",
                         i == 0 ? "; did you mean " : " or ", prefix,
                         list->names[i]);
    if (list->n > 0)
        snprintf(buf + used, 400 - used, "?");
    return buf;
}
