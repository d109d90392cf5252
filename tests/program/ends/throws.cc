/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends by an exception that nobody catches, thrown out of regions. */
#include <pdump.h>

#include <stdexcept>

#include <unistd.h>

namespace
{
enum { N_VISITS = 1000, LONGEST = 300 };

void work(int i)
{
    pdump::region work("work");
    pdump::region part("part");

    if (i == N_VISITS)
        throw std::runtime_error("nobody catches this");
}
} // namespace

int main()
{
    alarm(LONGEST);
    for (int i = 0;; i++)
        work(i);
}
