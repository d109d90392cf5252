/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes JSON values; the caller writes the brackets. */
#include "base/json.h"

#include "base/csv.h"
#include "base/missing.h"
#include "base/utf8.h"

#include <math.h>

static void put_character(FILE *f, const char *s, int n)
{
    if (n == 0)
        fputs_unlocked("\\ufffd", f);
    else if ((unsigned char)*s < ' ' || *s == 0x7f || *s == '<')
        fprintf(f, "\\u%04x", (unsigned)*s);
    else if (*s == '"' || *s == '\\') {
        putc_unlocked('\\', f);
        putc_unlocked(*s, f);
    } else
        fwrite_unlocked(s, 1, (size_t)n, f);
}

/* Returns the number of leading characters that need no escape, usually all. */
static size_t plain_length(const char *s)
{
    size_t n = 0;

    while (s[n] >= ' ' && s[n] < 0x7f && s[n] != '"' && s[n] != '\\' &&
           s[n] != '<')
        n++;
    return n;
}

void pdump_json_string(FILE *f, const char *before, const char *text)
{
    fputs_unlocked(before, f);
    putc_unlocked('"', f);
    for (;;) {
        size_t n_plain = plain_length(text);
        int n;

        fwrite_unlocked(text, 1, n_plain, f);
        text += n_plain;
        if (!*text)
            break;
        n = pdump_utf8_length(text);
        put_character(f, text, n);
        text += n ? n : 1;
    }
    putc_unlocked('"', f);
}

void pdump_json_int(FILE *f, const char *before, int64_t value)
{
    fputs_unlocked(before, f);
    if (value == PDUMP_MISSING)
        fputs_unlocked("null", f);
    else
        pdump_csv_put_int(f, value);
}

void pdump_json_real(FILE *f, const char *before, double value)
{
    fputs_unlocked(before, f);
    if (isfinite(value))
        pdump_csv_put_real(f, value);
    else
        fputs_unlocked("null", f);
}

void pdump_json_ns(FILE *f, const char *before, int64_t ns, int digits)
{
    uint64_t rest = ns < 0 ? -(uint64_t)ns : (uint64_t)ns, unit = 1;

    if (ns == PDUMP_MISSING) {
        pdump_json_int(f, before, ns);
        return;
    }
    for (int i = 0; i < digits; i++)
        unit *= 10;
    fputs_unlocked(before, f);
    if (ns < 0)
        putc_unlocked('-', f);
    pdump_csv_put_int(f, (int64_t)(rest / unit));
    rest %= unit;
    if (rest)
        putc_unlocked('.', f);
    while (rest) {
        unit /= 10;
        putc_unlocked('0' + (int)(rest / unit), f);
        rest %= unit;
    }
}
