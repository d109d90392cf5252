/* SPDX-License-Identifier: BSD-3-Clause */
/* PDUMP_REGION: a region as a block, left by break and return as well. */
#include <pdump.h>

#include <stdio.h>

static int first_divisor(int n)
{
    PDUMP_REGION("divide")
    {
        for (int i = 2; i * i <= n; i++)
            if (n % i == 0)
                return i; /* leaves the region, too */
    }
    return n;
}

static void print_visits(const char *path)
{
    struct pdump_stats stats = { .size = sizeof(stats) };

    if (pdump_query(path, NULL, &stats) < 0)
        printf("%s: %s\n", path, pdump_last_error());
    else
        printf("%-16s %lld visits\n", path, (long long)stats.visits);
}

int main(void)
{
    int n_primes = 0;

    PDUMP_REGION("search")
    {
        for (int n = 2; n < 1000; n++)
            n_primes += first_divisor(n) == n;
    }
    PDUMP_REGION("check")
    {
        if (n_primes == 168)
            break; /* the block is a loop that runs once */
        printf("there should be 168 primes\n");
    }

    printf("%d primes below 1000\n", n_primes);
    print_visits("/search/divide");
    print_visits("/check");
    return 0;
}
