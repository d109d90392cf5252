/* SPDX-License-Identifier: BSD-3-Clause */
/* Validates UTF-8 and writes names with arbitrary content. */
#include "base/utf8.h"

#include <string.h>

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
    /* Reject overlong forms, surrogates, and codes beyond the last one. */
    if ((n == 3 && code < 0x800) || (n == 4 && code < 0x10000) ||
        (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
        return 0;
    return n;
}

void pdump_utf8_put(FILE *f, const char *text,
                    const struct pdump_utf8_rules *rules)
{
    int n_put = 0;

    text = pdump_utf8_name(text);
    while (*text) {
        int n = pdump_utf8_length(text);

        if (rules->max && n_put++ == rules->max) {
            fputs_unlocked("...", f);
            return;
        }
        if (n == 0)
            fputs_unlocked("\xef\xbf\xbd", f);
        else if ((unsigned char)*text < ' ' || *text == 0x7f)
            putc_unlocked(' ', f);
        else if (strchr(rules->forbidden, *text))
            putc_unlocked(rules->instead, f);
        else {
            if (rules->escaped && strchr(rules->escaped, *text))
                putc_unlocked('\\', f);
            fwrite_unlocked(text, 1, (size_t)n, f);
        }
        text += n ? n : 1;
    }
}
