/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A store and its file of events as an input of fuzz/store: a byte of enum
 * sparse_flag, then the parts that are not zero, each with a head.  So nearly
 * every byte of an input means something, and it stays short.
 */
#ifndef PDUMP_TESTS_FUZZ_SPARSE_H
#define PDUMP_TESTS_FUZZ_SPARSE_H

#include <stdint.h>

enum sparse_flag {
    SPARSE_RAW = 1, /* leave the heads as they are */
    SPARSE_CUT = 2, /* the store ends with its last part */
};

enum { SPARSE_STORE, SPARSE_EVENTS, SPARSE_FILES };

enum { SPARSE_WORD = 8 };

struct sparse_part {
    uint32_t at; /* words before it */
    uint16_t n;  /* words of it, which follow */
    uint16_t file;
};

#endif
