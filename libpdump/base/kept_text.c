/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts that stay until the process ends. */
#include "base/kept_text.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct kept {
    struct kept *next;
    char text[];
};

static struct kept *_Atomic first;

const char *pdump_kept_text(const char *text)
{
    size_t n = strlen(text) + 1;
    struct kept *k = first;

    while (k && strcmp(k->text, text) != 0)
        k = k->next;
    if (k)
        return k->text;
    k = malloc(sizeof(*k) + n);
    if (!k)
        return NULL;
    memcpy(k->text, text, n);
    k->next = first;
    while (!atomic_compare_exchange_weak(&first, &k->next, k))
        ;
    return k->text;
}
