// SPDX-License-Identifier: BSD-3-Clause
// C++: names, exceptions through functions, and regions by objects.
#include <pdump.h>

#include <stdexcept>

namespace app
{

static volatile int sink;

template <typename T> __attribute__((noinline)) T twice(T x)
{
    sink = sink + 1;
    return x + x;
}

class Solver
{
  public:
    __attribute__((noinline)) void step(int n)
    {
        pdump::region region("step");

        if (n % 2)
            throw std::runtime_error("odd");
        sink = sink + n;
    }
};

namespace
{
__attribute__((noinline)) int solve(Solver &solver, int n)
{
    try {
        solver.step(n);
    } catch (const std::runtime_error &) {
        return 1;
    }
    return 0;
}
} // namespace

} // namespace app

int main()
{
    app::Solver solver;
    int n_caught = 0;

    for (int i = 0; i < 10; i++)
        n_caught += app::solve(solver, i);
    app::twice(1);
    app::twice(1.5);
    app::twice(2.5);
    return n_caught != 5;
}
