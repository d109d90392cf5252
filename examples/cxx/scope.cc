// SPDX-License-Identifier: BSD-3-Clause
// pdump::region: a region as long as the object lives, exceptions included.
#include <pdump.h>

#include <cmath>
#include <iostream>
#include <stdexcept>

static double root(double x)
{
    pdump::region here("root");

    if (x < 0)
        throw std::domain_error("no root of a negative number");
    return std::sqrt(x);
}

int main()
{
    double sum = 0;
    int n_failed = 0;

    {
        pdump::region here("sum");
        for (int i = -10; i < 1000; i++) {
            try {
                sum += root(i);
            } catch (const std::domain_error &) {
                n_failed++;
            }
        }
    }

    pdump_stats stats = pdump_stats();
    stats.size = sizeof(stats);
    if (pdump_query("/sum/root", "time", &stats) < 0) {
        std::cerr << pdump_last_error() << '\n';
        return 1;
    }
    std::cout << "sum " << sum << ", " << n_failed << " failed, "
              << stats.visits << " visits of root\n";
    return 0;
}
