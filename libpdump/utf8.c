/* SPDX-License-Identifier: BSD-3-Clause */
/* Which bytes are a character. */
#include "utf8.h"

int pdump_utf8_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    unsigned code;
    int n;

    if (s[0] < 0x80)
        return 1;
    n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    code = s[0] & (0x7fu >> n);
    for (int i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (s[i] & 0x3f);
    }
    /* No longer than necessary, no half of a pair, nothing beyond the end. */
    if ((n == 3 && code < 0x800) || (n == 4 && code < 0x10000) ||
        (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
        return 0;
    return n;
}
