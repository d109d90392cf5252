/* SPDX-License-Identifier: BSD-3-Clause */
/* Checksums: detect whether bytes have changed. */
#include "base/checksum.h"

#include <string.h>

static uint64_t checksum_mix(uint64_t sum, uint64_t word)
{
    sum ^= word;
    return (sum << 29 | sum >> 35) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Several words at once, in independent lanes, because a multiplication takes
 * longer than the interval until the next one can start. */
static void add_block(uint64_t *lanes, const char *bytes)
{
    uint64_t words[PDUMP_CHECKSUM_LANES];

    memcpy(words, bytes, sizeof(words));
    for (int i = 0; i < PDUMP_CHECKSUM_LANES; i++)
        lanes[i] = checksum_mix(lanes[i], words[i] + (uint64_t)i + 1);
}

void pdump_checksum_add(struct pdump_checksum *s, const void *bytes, size_t len)
{
    const char *at = bytes;
    size_t used = s->len % sizeof(s->rest), take;

    s->len += len;
    if (used > 0) {
        take = len < sizeof(s->rest) - used ? len : sizeof(s->rest) - used;
        memcpy(s->rest + used, at, take);
        if (used + take < sizeof(s->rest))
            return;
        add_block(s->lanes, s->rest);
        at += take;
        len -= take;
    }
    for (; len >= sizeof(s->rest); at += sizeof(s->rest))
        add_block(s->lanes, at), len -= sizeof(s->rest);
    if (len > 0)
        memcpy(s->rest, at, len);
}

uint64_t pdump_checksum_value(const struct pdump_checksum *s)
{
    char last[sizeof(s->rest)] = { 0 };
    uint64_t lanes[PDUMP_CHECKSUM_LANES], sum = s->len;

    memcpy(lanes, s->lanes, sizeof(lanes));
    memcpy(last, s->rest, s->len % sizeof(last));
    add_block(lanes, last);
    for (int i = 0; i < PDUMP_CHECKSUM_LANES; i++)
        sum = checksum_mix(sum, lanes[i]);
    return sum;
}
