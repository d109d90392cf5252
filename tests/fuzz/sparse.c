/* SPDX-License-Identifier: BSD-3-Clause */
/* STORE [EVENTS]: an input of fuzz/store (sparse.h), on standard output. */
#include "sparse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1 << 20, WORDS = SIZE / SPARSE_WORD, NEAR = 3 };

static int is_zero(const uint64_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (words[i])
            return 0;
    return 1;
}

/* Parts with a few zeroes between them are one. */
static void put(const uint64_t *words, uint16_t file)
{
    size_t at = 0;

    while (at < WORDS) {
        struct sparse_part part = { .file = file };

        if (!words[at]) {
            at++;
            continue;
        }
        part.at = (uint32_t)at;
        while (at < WORDS && part.n < UINT16_MAX && !is_zero(words + at, NEAR))
            at++, part.n++;
        fwrite(&part, sizeof(part), 1, stdout);
        fwrite(words + part.at, SPARSE_WORD, part.n, stdout);
    }
}

int main(int argc, char **argv)
{
    uint64_t *words = malloc(SIZE + NEAR * SPARSE_WORD);

    putchar(0);
    for (int i = 1; words && i < argc && i <= SPARSE_FILES; i++) {
        FILE *f = fopen(argv[i], "r");

        if (!f) {
            perror(argv[i]);
            return 1;
        }
        memset(words, 0, SIZE + NEAR * SPARSE_WORD);
        if (fread(words, 1, SIZE, f) == 0)
            return 1;
        fclose(f);
        put(words, (uint16_t)(i - 1));
    }
    free(words);
    return fflush(stdout) != 0;
}
