/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions of suspended frames. */
#include "suspended_regions.h"

#include <stdlib.h>

enum { N_BUCKETS = 4096 };

uint32_t pdump_n_suspended;
static struct pdump_suspended *buckets[N_BUCKETS];

static struct pdump_suspended **frame_bucket(const void *frame)
{
    return &buckets[((uintptr_t)frame >> 4) * UINT64_C(0x9e3779b97f4a7c15) >>
                    52];
}

void pdump_suspended_keep(const void *frame, const struct pdump_entry *entries,
                          uint32_t n)
{
    struct pdump_suspended *s;

    if (n == 0)
        return;
    s = malloc(sizeof(*s) + n * sizeof(s->names[0]));
    if (!s)
        return;
    s->frame = frame;
    s->n = n;
    for (uint32_t i = 0; i < n; i++)
        s->names[i] = entries[i].name;
    s->next = *frame_bucket(frame);
    *frame_bucket(frame) = s;
    pdump_n_suspended++;
}

struct pdump_suspended *pdump_suspended_take(const void *frame)
{
    struct pdump_suspended **at = frame_bucket(frame), *s;

    while (*at && (*at)->frame != frame)
        at = &(*at)->next;
    s = *at;
    if (s) {
        *at = s->next;
        pdump_n_suspended--;
    }
    return s;
}

void pdump_suspended_forget(void)
{
    for (int i = 0; i < N_BUCKETS; i++)
        while (buckets[i]) {
            struct pdump_suspended *next = buckets[i]->next;

            free(buckets[i]);
            buckets[i] = next;
        }
    pdump_n_suspended = 0;
}
