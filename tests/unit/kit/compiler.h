/* SPDX-License-Identifier: BSD-3-Clause */
/* Who built it, for tests that count instructions. */
#ifndef TESTS_COMPILER_H
#define TESTS_COMPILER_H

#if !defined(__OPTIMIZE__) || defined(__OPTIMIZE_SIZE__)
static const char compiler[] = "not for speed";
#elif defined(__clang__)
static const char compiler[] = "clang";
#else
static const char compiler[] = "gcc";
#endif

#endif
