// SPDX-License-Identifier: BSD-3-Clause
// Exceptions through PDUMP_REGION and pdump::region.
#include <pdump.h>

#include <cstdio>
#include <stdexcept>

static void block(int i)
{
    PDUMP_REGION("block")
    {
        if (i > 0)
            throw std::runtime_error("block");
    }
}

static void object(int i)
{
    pdump::region outer("object");
    pdump::region inner("inner");

    if (i > 0)
        throw std::runtime_error("object");
}

int main()
{
    int n_caught = 0;

    for (int i = 0; i < 3; i++)
        for (void (*call)(int) : { block, object })
            try {
                call(i);
            } catch (const std::runtime_error &) {
                n_caught++;
            }
    if (pdump_region_end(nullptr) != PDUMP_ESTATE)
        std::fprintf(stderr, "a region is still open\n"), n_caught = -1;
    if (pdump_finalize() != PDUMP_OK)
        std::fprintf(stderr, "%s\n", pdump_last_error()), n_caught = -1;
    return n_caught == 4 ? 0 : 1;
}
