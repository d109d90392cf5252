/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that reads its own figures: one by name, then the whole tree. */
#include <pdump.h>

#include <stdio.h>

static double work(int n)
{
    double x = 0;

    pdump_region_begin("work");
    for (int i = 1; i <= n; i++)
        x += 1.0 / i;
    if (n > 100000)
        x += work(n / 2);
    pdump_region_end("work");
    return x;
}

static int print_one(const char *path)
{
    struct pdump_stats stats = { .size = sizeof(stats) };
    int err = pdump_query(path, "time", &stats);

    if (err < 0)
        fprintf(stderr, "%s: %s\n", path, pdump_last_error());
    else
        printf("%s: %lld visits, %.3f ms\n", path, (long long)stats.visits,
               (double)stats.sum / 1e6);
    return err;
}

static int print_row(const struct pdump_dump *dump, int64_t index)
{
    struct pdump_row row = { .size = sizeof(row) };
    struct pdump_stats time = { .size = sizeof(time) };
    int err = pdump_dump_row(dump, index, &row);

    if (err == 0)
        err = pdump_dump_stats(dump, index, 0, &time); /* metric 0 is time */
    if (err == 0)
        printf("%*s%-*s %10.3f ms, %.3f of its own\n", 2 * row.depth, "",
               20 - 2 * row.depth, row.region, (double)time.sum / 1e6,
               (double)time.exclusive / 1e6);
    return err;
}

static int print_all(void)
{
    struct pdump_dump *dump;
    int err = pdump_snapshot(&dump);

    if (err < 0)
        return err;
    for (int64_t i = 0; i < pdump_dump_n_rows(dump) && err == 0; i++)
        err = print_row(dump, i);
    pdump_dump_free(dump);
    return err;
}

int main(void)
{
    double x;
    int err;

    pdump_region_begin("main");
    x = work(800000);
    pdump_region_end("main");

    printf("work gave %f\n", x);
    err = print_one("work"); /* wherever it is; recursion counts once */
    if (err == 0)
        err = print_one("/main/work"); /* this node */
    if (err == 0)
        err = print_all();
    return err < 0;
}
