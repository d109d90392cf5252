/* SPDX-License-Identifier: BSD-3-Clause */
/* The other static function of that name, visited twice. */
int twin_two(int x);

static __attribute__((noinline)) int twin(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x;
}

int twin_two(int x)
{
    return twin(x) + twin(x);
}
