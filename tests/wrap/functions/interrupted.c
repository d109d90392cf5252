/* SPDX-License-Identifier: BSD-3-Clause */
/* A signal interrupts malloc(); its handler calls functions and writes files
 * that are new to libpdump.  Prints how often malloc() was called again
 * meanwhile: in a real allocator it would wait for itself. */
#include <pdump.h>

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FUNCTIONS = 3000, FILES = 600 };

#define PLAIN __attribute__((no_instrument_function))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

/* The addresses of functions: of this program, one after the other. */
static char code[FUNCTIONS];
static int fds[FILES];
static volatile sig_atomic_t wants_signal, is_in_malloc, n_again;

static PLAIN void note(void)
{
    n_again += is_in_malloc;
    if (!wants_signal)
        return;
    wants_signal = 0;
    is_in_malloc = 1;
    raise(SIGUSR1);
    is_in_malloc = 0;
}

PLAIN void *malloc(size_t size)
{
    note();
    return __libc_malloc(size);
}

PLAIN void *calloc(size_t n, size_t size)
{
    note();
    return __libc_calloc(n, size);
}

PLAIN void *realloc(void *block, size_t size)
{
    note();
    return __libc_realloc(block, size);
}

PLAIN void free(void *block)
{
    if (block)
        note();
    __libc_free(block);
}

static PLAIN void on_signal(int number)
{
    (void)number;
    for (int i = 0; i < FUNCTIONS; i++) {
        __cyg_profile_func_enter(&code[i], NULL);
        __cyg_profile_func_exit(&code[i], NULL);
    }
    for (int i = 0; i < FILES; i++)
        if (write(fds[i], "x", 1) != 1)
            _exit(3);
}

static PLAIN bool files_open(void)
{
    for (int i = 0; i < FILES; i++) {
        char name[32];

        snprintf(name, sizeof(name), "own-file-%d", i);
        fds[i] = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        if (fds[i] < 0)
            return false;
    }
    return true;
}

PLAIN int main(void)
{
    void *volatile block;

    signal(SIGUSR1, on_signal);
    pdump_region_begin("main"); /* here the session starts */
    __cyg_profile_func_enter((void *)&main, NULL);
    __cyg_profile_func_exit((void *)&main, NULL);
    if (!files_open())
        return 4;
    wants_signal = 1;
    block = malloc(100);
    free(block);
    pdump_region_end("main");
    printf("%d\n", (int)n_again);
    return 0;
}
