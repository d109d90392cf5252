// SPDX-License-Identifier: BSD-3-Clause
// A C++11 program of somebody else: scopes left by an exception.
#include <pdump.h>

#include <iostream>

static void leave_by_exception()
{
    PDUMP_REGION("scope")
    {
        throw 1;
    }
}

int main()
{
    pdump_set("PDUMP_EVENTS", "none");
    {
        pdump::region outer("outer");
        try {
            leave_by_exception();
        } catch (int) {
        }
    }

    pdump_stats stats = pdump_stats();
    stats.size = sizeof(stats);
    if (pdump_query("/outer/scope", nullptr, &stats) < 0) {
        std::cerr << pdump_last_error() << '\n';
        return 1;
    }
    return stats.visits == 1 ? 0 : 1;
}
