/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stands in for libFuzzer where there is none:
 *   TARGET RUNS SEED...
 * Each run takes a seed file, changes it at random, and calls the target.  The
 * same number of a run is always the same change, so `TARGET -N SEED...`
 * repeats run N alone.  `TARGET 0 FILE...` calls it with each file as it is.
 */
#include "target.h"

#include <signal.h>
#include <sys/resource.h>

enum { SIZE_MAX_BYTES = 1 << 20, PATIENCE = 300, MIB = 1 << 20 };

static uint64_t state;
static long current;

static uint64_t random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * UINT64_C(0x2545f4914f6cdd1d);
}

static size_t below(size_t n)
{
    return n ? (size_t)(random_bits() >> 16) % n : 0;
}

/* Only what a handler may call. */
static void die(int number)
{
    static const char text[] = "run number ";
    char digits[24];
    int n = sizeof(digits);
    ssize_t done;

    digits[--n] = '\n';
    do
        digits[--n] = (char)('0' + current % 10);
    while ((current /= 10) > 0);
    done = write(2, text, sizeof(text) - 1);
    done += write(2, digits + n, sizeof(digits) - (size_t)n);
    signal(number, SIG_DFL);
    if (done > 0)
        raise(number);
}

static const char *const words[] = {
    "0",
    "-1",
    "9223372036854775807",
    "-9223372036854775808",
    "nan",
    "1000000000",
    "2147483647",
    "4294967296",
    ",",
    "\"",
    "\n",
    "1e308",
};
static const uint64_t numbers[] = {
    0,          1,          UINT64_MAX,        INT64_MAX, UINT64_C(1) << 63,
    1000000000, UINT32_MAX, UINT32_MAX / 2,    255,       65536,
    INT32_MAX,  8,          UINT64_C(1) << 32,
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Put `n` bytes in place of `old` ones. */
static size_t replace(uint8_t *data, size_t size, size_t at, size_t old,
                      const void *bytes, size_t n)
{
    if (at + old > size || size - old + n > SIZE_MAX_BYTES)
        return size;
    memmove(data + at + n, data + at + old, size - at - old);
    memcpy(data + at, bytes, n);
    return size - old + n;
}

static size_t change(uint8_t *data, size_t size)
{
    size_t at = below(size), n;
    uint8_t piece[256];
    uint64_t number = numbers[below(COUNT(numbers))];
    const char *word = words[below(COUNT(words))];

    switch (below(8)) {
    case 0:
        if (size)
            data[at] ^= (uint8_t)(1 << below(8));
        return size;
    case 1:
        if (size)
            data[at] = (uint8_t)random_bits();
        return size;
    case 2: /* a number, where numbers stand in memory */
        n = below(2) ? 4 : 8;
        return replace(data, size, at / n * n, n, &number, n);
    case 3:
        return replace(data, size, at, below(4), word, strlen(word));
    case 4:
        return below(4) ? size : at;
    case 5:
        n = below(sizeof(piece) < size - at ? sizeof(piece) : size - at);
        memcpy(piece, data + at, n);
        return replace(data, size, below(size), below(2) * n, piece, n);
    case 6:
        return replace(data, size, at, below(64), "", 0);
    default: /* one that is nearly right */
        if (size)
            data[at] = (uint8_t)(data[at] + (below(2) ? 1 : -1));
        return size;
    }
}

static size_t load(const char *path, uint8_t *data)
{
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(data, 1, SIZE_MAX_BYTES, f) : 0;

    if (!f) {
        perror(path);
        exit(2);
    }
    fclose(f);
    return n;
}

static void call(const uint8_t *data, size_t size)
{
    alarm(PATIENCE);
    LLVMFuzzerTestOneInput(data, size);
    alarm(0);
}

static void run(long number, char **seeds, int n_seeds, uint8_t *data)
{
    size_t size;

    current = number;
    state = (uint64_t)number * UINT64_C(0x9e3779b97f4a7c15) + 1;
    random_bits();
    size = load(seeds[below((size_t)n_seeds)], data);
    for (size_t i = number ? 1 + below(6) : 0; i > 0; i--)
        size = change(data, size);
    call(data, size);
}

/* The target goes to a folder of its own: only absolute paths last. */
static void replay(char **paths, int n, uint8_t *data)
{
    for (current = 1; current <= n; current++)
        call(data, load(paths[current - 1], data));
}

int main(int argc, char **argv)
{
    long runs = argc > 2 ? atol(argv[1]) : 0;
    uint8_t *data = malloc(SIZE_MAX_BYTES);
    /* Sanitizers need more; and what is only mapped does not count. */
    struct rlimit limit = { .rlim_cur = 512L * MIB, .rlim_max = 512L * MIB };

    if (!data || argc < 3)
        return 2;
    if (!getenv("FUZZ_UNLIMITED"))
        setrlimit(RLIMIT_DATA, &limit);
    signal(SIGALRM, die);
    signal(SIGSEGV, die);
    signal(SIGBUS, die);
    signal(SIGABRT, die);
    signal(SIGFPE, die);
    if (runs == 0)
        replay(argv + 2, argc - 2, data);
    for (long i = runs < 0 ? -runs : 0; i < labs(runs) + (runs < 0); i++)
        run(i, argv + 2, argc - 2, data);
    free(data);
    return 0;
}
