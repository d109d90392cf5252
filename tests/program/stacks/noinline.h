/* SPDX-License-Identifier: BSD-3-Clause */
/* NOINLINE: a function that stays one function, with its own name, whatever the
 * compiler knows of its arguments. */
#ifndef NOINLINE_H
#define NOINLINE_H

#if defined(__GNUC__) && !defined(__clang__)
#define NOINLINE __attribute__((noinline, noclone))
#else
#define NOINLINE __attribute__((noinline))
#endif

#endif
