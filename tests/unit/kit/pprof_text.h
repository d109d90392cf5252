/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes a profile of pprof, independently of what writes it: a line for each
 * sample, "VALUES LABEL=TEXT...: innermost FILE:LINE < ... < outermost". */
#ifndef PDUMP_TESTS_PPROF_TEXT_H
#define PDUMP_TESTS_PPROF_TEXT_H

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { PPROF_TEXT_MAX = 4096 };

/* A field of a message: a number, or bytes. */
struct pprof_field {
    int number;
    int64_t value;
    const unsigned char *bytes;
    size_t len;
};

struct pprof_text {
    struct pprof_field strings[PPROF_TEXT_MAX];
    int n_strings;
    int64_t function[PPROF_TEXT_MAX][3]; /* by id: name, file, line */
    int64_t location[PPROF_TEXT_MAX][2]; /* by id: function, line */
    FILE *to;
};

static inline int64_t pprof_number(const unsigned char **at,
                                   const unsigned char *end)
{
    uint64_t value = 0;
    int shift = 0;

    do {
        ck_assert(*at < end && shift < 64);
        value |= (uint64_t)(**at & 0x7f) << shift;
        shift += 7;
    } while (*(*at)++ & 0x80);
    return (int64_t)value;
}

/* Takes the next field of a message; false at its end. */
static inline bool pprof_next(const unsigned char **at,
                              const unsigned char *end, struct pprof_field *out)
{
    int64_t key;

    if (*at == end)
        return false;
    key = pprof_number(at, end);
    *out = (struct pprof_field){ .number = (int)(key >> 3) };
    out->value = pprof_number(at, end);
    ck_assert((key & 7) == 0 || (key & 7) == 2);
    if ((key & 7) == 0)
        return true;
    ck_assert(out->value >= 0 && out->value <= end - *at);
    out->bytes = *at;
    out->len = (size_t)out->value;
    *at += out->len;
    return true;
}

/* Sets values[field] of a message that has only numbers. */
static inline void pprof_numbers(const struct pprof_field *message,
                                 int64_t *values, int n)
{
    const unsigned char *at = message->bytes;
    struct pprof_field f;

    while (pprof_next(&at, message->bytes + message->len, &f))
        if (f.number < n)
            values[f.number] = f.value;
}

static inline void pprof_put(const struct pprof_text *t, int64_t string)
{
    ck_assert(string >= 0 && string < t->n_strings);
    fwrite(t->strings[string].bytes, 1, t->strings[string].len, t->to);
}

static inline void pprof_put_location(const struct pprof_text *t, int64_t id)
{
    const int64_t *line, *function;

    ck_assert(id > 0 && id < PPROF_TEXT_MAX && t->location[id][0] > 0);
    line = t->location[id];
    function = t->function[line[0]];
    pprof_put(t, function[0]);
    fputc(' ', t->to);
    pprof_put(t, function[1]);
    fprintf(t->to, ":%lld", (long long)line[1]);
}

static inline void pprof_put_sample(const struct pprof_text *t,
                                    const struct pprof_field *sample)
{
    const unsigned char *at, *end = sample->bytes + sample->len;
    struct pprof_field f, parts[8];
    int n = 0, first = 1;

    for (at = sample->bytes; pprof_next(&at, end, &f) && n < 8;)
        parts[n++] = f;
    for (int i = 0; i < n; i++)
        for (at = parts[i].bytes;
             parts[i].number == 2 && at < parts[i].bytes + parts[i].len;)
            fprintf(
                t->to, "%lld ",
                (long long)pprof_number(&at, parts[i].bytes + parts[i].len));
    for (int i = 0; i < n; i++)
        if (parts[i].number == 3) {
            int64_t label[4] = { 0 };

            pprof_numbers(&parts[i], label, 4);
            pprof_put(t, label[1]);
            fputc('=', t->to);
            pprof_put(t, label[2]);
            fputc(' ', t->to);
        }
    for (int i = 0; i < n; i++)
        for (at = parts[i].bytes;
             parts[i].number == 1 && at < parts[i].bytes + parts[i].len;) {
            fputs(first ? "" : " < ", t->to);
            first = 0;
            pprof_put_location(
                t, pprof_number(&at, parts[i].bytes + parts[i].len));
        }
    fputc('\n', t->to);
}

/* Writes what the bytes mean to `to`: the types, then the samples. */
static inline void pprof_text(const void *bytes, size_t len, FILE *to)
{
    static struct pprof_text t;
    const unsigned char *at, *end = (const unsigned char *)bytes + len;
    struct pprof_field f;

    memset(&t, 0, sizeof(t));
    t.to = to;
    for (at = bytes; pprof_next(&at, end, &f);) {
        int64_t v[6] = { 0 };

        if (f.number == 6 && t.n_strings < PPROF_TEXT_MAX)
            t.strings[t.n_strings++] = f;
        if (f.number == 5) {
            pprof_numbers(&f, v, 6);
            ck_assert(v[1] > 0 && v[1] < PPROF_TEXT_MAX);
            memcpy(t.function[v[1]], (int64_t[]){ v[2], v[4], v[5] },
                   sizeof(t.function[0]));
        }
        if (f.number == 4) {
            const unsigned char *in = f.bytes;
            struct pprof_field part;
            int64_t id = 0;

            while (pprof_next(&in, f.bytes + f.len, &part)) {
                if (part.number == 1)
                    id = part.value;
                if (part.number == 4)
                    pprof_numbers(&part, v, 3);
            }
            ck_assert(id > 0 && id < PPROF_TEXT_MAX);
            t.location[id][0] = v[1];
            t.location[id][1] = v[2];
        }
    }
    ck_assert(t.n_strings > 0 && t.strings[0].len == 0);
    for (at = bytes; pprof_next(&at, end, &f);) {
        int64_t v[3] = { 0 };

        if (f.number == 1) {
            pprof_numbers(&f, v, 3);
            pprof_put(&t, v[1]);
            fputc('/', to);
            pprof_put(&t, v[2]);
            fputc('\n', to);
        }
        if (f.number == 2)
            pprof_put_sample(&t, &f);
    }
}

#endif
