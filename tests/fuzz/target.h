/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the targets share.  A target is a file with LLVMFuzzerTestOneInput(),
 * for libFuzzer or for driver.c, that makes a file of the bytes and reads it.
 */
#ifndef PDUMP_TESTS_FUZZ_TARGET_H
#define PDUMP_TESTS_FUZZ_TARGET_H

#include "read/reader.h"
#include "new_file_kit.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void target_fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, pdump_last_error());
    abort();
}

/* A text that was stored must still mean something (FUZZ_STRICT); one that was
 * changed at random need not. */
static inline void target_unknown(const char *text)
{
    if (!getenv("FUZZ_STRICT"))
        return;
    fprintf(stderr, "unknown: %s\n", text);
    abort();
}

/* Into a folder of our own, once. */
static inline void target_enter(void)
{
    static char folder[] = "/tmp/pdump-fuzz-XXXXXX";
    const char *base = getenv("FUZZ_FOLDER");
    static int is_there;

    if (is_there)
        return;
    is_there = 1;
    if (chdir(base ? base : mkdtemp(folder)) != 0)
        abort();
}

static inline void target_put(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "w");

    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        abort();
}

/* What a reader took for a dump must be one: everything in it is looked at. */
static inline void target_use(const struct pdump_dump *dump)
{
    static const char *const names[] = { "csv", "callgrind", "chrome", "lines",
                                         "mprof" };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct pdump_sink *sink;
        struct pdump_stream *in;

        if (pdump_sink_find(names[i], &sink) < 0 ||
            pdump_stream_of(dump, &in) < 0)
            target_fail("no sink");
        for (int k = 0; sink->parts[k].suffix; k++)
            if (!sink->parts[k].is_wanted || sink->parts[k].is_wanted(in))
                new_file_write(&sink->parts[k], in, "/dev/null");
        pdump_stream_free(in);
    }
}

/* A reader says what is wrong with which file, and needs no more memory than
 * the file is worth. */
static inline void target_check(const char *path, int err)
{
    if (err == PDUMP_ENOMEM)
        target_fail("no memory");
    /* Or the one beside it: "x.meta.csv". */
    if (err < 0 && strncmp(pdump_last_error(), path, 2) != 0)
        target_fail("a message without a file");
}

static inline void target_read(const char *path)
{
    struct pdump_dump *dump;
    int err = pdump_reader_load(path, &dump);

    target_check(path, err);
    if (err >= 0) {
        target_use(dump);
        pdump_dump_free(dump);
    }
}

#endif
