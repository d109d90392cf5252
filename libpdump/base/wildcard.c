/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches wildcards as the shell does, without recursion. */
#include "base/wildcard.h"
#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

/* Returns the character at `*at` and advances `*at` behind it. */
static uint32_t character_take(const char **at)
{
    const unsigned char *s = (const unsigned char *)*at;
    int n = pdump_utf8_length(*at);
    uint32_t c;

    if (n <= 1) { /* an invalid byte differs from every character */
        *at += 1;
        return n ? s[0] : 0x110000u + s[0];
    }
    c = s[0] & (0x7fu >> n);
    for (int i = 1; i < n; i++)
        c = c << 6 | (s[i] & 0x3fu);
    *at += n;
    return c;
}

/* Returns the end of a set, behind its ']'; `p` points behind its '['.  NULL if
 * the ']' is missing. */
static const char *end_of_set(const char *p)
{
    if (*p == '!' || *p == '^')
        p++;
    for (const char *first = p; *p && (*p != ']' || p == first);)
        p += *p == '\\' && p[1] ? 2 : 1;
    return *p ? p + 1 : NULL;
}

static uint32_t take_member(const char **p)
{
    if (**p == '\\')
        ++*p;
    return character_take(p);
}

static bool is_in_set(const char *p, const char *end, uint32_t c)
{
    bool is_negated = *p == '!' || *p == '^', is_found = false;

    p += is_negated;
    end--; /* the ']' */
    while (p < end) {
        uint32_t low = take_member(&p), high = low;

        if (*p == '-' && p + 1 < end) {
            p++;
            high = take_member(&p);
        }
        is_found |= low <= c && c <= high;
    }
    return is_found != is_negated;
}

/* Match one character of the text with one element of the pattern, not a '*'.
 */
static bool is_one(const char **pattern, const char **text)
{
    const char *set;
    uint32_t c = character_take(text);

    switch (**pattern) {
    case '?':
        ++*pattern;
        return true;
    case '[':
        set = *pattern + 1;
        *pattern = end_of_set(set);
        return is_in_set(set, *pattern, c);
    default:
        return take_member(pattern) == c;
    }
}

/* Backtracks to the last '*' only: what matched before it may stay. */
bool pdump_wildcard_match(const char *pattern, const char *text)
{
    const char *star = NULL, *again = NULL;

    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            again = text;
            continue;
        }
        if (*pattern && is_one(&pattern, &text))
            continue;
        if (!star)
            return false;
        pattern = star;
        character_take(&again);
        text = again;
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

const char *pdump_wildcard_check(const char *pattern)
{
    for (const char *p = pattern; *p;) {
        const char *at = p++;

        if (*at == '\\' && !*p++)
            return at;
        if (*at == '[') {
            p = end_of_set(p);
            if (!p)
                return at;
        }
    }
    return NULL;
}
