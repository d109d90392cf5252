/* SPDX-License-Identifier: BSD-3-Clause */
/* A library to load and to unload: the same code by another name. */
void library_call(void);

static __attribute__((noinline)) void library_two(void)
{
    __asm__ volatile("");
}

void library_call(void)
{
    library_two();
}
