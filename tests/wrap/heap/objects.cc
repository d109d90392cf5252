// SPDX-License-Identifier: BSD-3-Clause
// new and delete, in regions.
#include <pdump.h>

#include <cstdint>
#include <vector>

static void *volatile kept;

int main()
{
    pdump_region_begin("new");
    int64_t *one = new int64_t(1);
    kept = one;
    delete static_cast<int64_t *>(kept);
    pdump_region_end("new");
    pdump_region_begin("vector");
    {
        std::vector<double> many(1000);
        kept = many.data();
    }
    pdump_region_end("vector");
    pdump_region_begin("loses");
    kept = new char[321];
    pdump_region_end("loses");
}
