// SPDX-License-Identifier: BSD-3-Clause
// Exceptions through many frames, in threads: prints how many were caught.
#include <pdump.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace
{

struct Counter {
    explicit Counter(int &n) : n_(n) {}
    ~Counter() { n_++; }
    int &n_;
};

__attribute__((noinline)) void descend(int depth, int &n_left)
{
    Counter counter(n_left);

    if (depth == 0)
        throw std::runtime_error(std::string(100, 'x'));
    descend(depth - 1, n_left);
    __asm__ volatile("" ::: "memory");
}

void throw_often(int &n_caught, int &n_left)
{
    pdump_region_begin("thread");
    for (int i = 0; i < 20000; i++) {
        try {
            descend(i % 30, n_left);
        } catch (const std::exception &e) {
            n_caught += e.what()[99] == 'x';
        }
    }
    pdump_region_end("thread");
}

} // namespace

int main()
{
    enum { THREADS = 4 };
    std::vector<std::thread> threads;
    int n_caught[THREADS] = {}, n_left[THREADS] = {};

    pdump_region_begin("main");
    for (int i = 0; i < THREADS; i++)
        threads.emplace_back(throw_often, std::ref(n_caught[i]),
                             std::ref(n_left[i]));
    for (int i = 0; i < THREADS; i++) {
        threads[static_cast<size_t>(i)].join();
        std::printf("%d %d\n", n_caught[i], n_left[i]);
    }
    pdump_region_end("main");
    return 0;
}
