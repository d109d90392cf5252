/* SPDX-License-Identifier: BSD-3-Clause */
/* A static function whose name another file uses, too. */
int twin_one(int x);

static __attribute__((noinline)) int twin(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x;
}

int twin_one(int x)
{
    return twin(x) + 1;
}
