/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which region a code object or a function written in C is, or none.
 *
 * Python decides (runner_names.py, runner_filter.py), once for each.  The
 * answer for a code object is in a table (answers.c) while the code object
 * exists.  Those for C functions stay; there are not many.
 */
#ifndef PDUMP_CODE_OBJECT_H
#define PDUMP_CODE_OBJECT_H

#include <stdint.h>

/* Not to be recorded. */
extern const char pdump_code_hidden[];

/*
 * Who decides: Python callables.  `of_code`(code) gives (name, file, line) or
 * None, `of_c`(callable) a name or None.  Kept.
 */
void pdump_code_ask(void *of_code, void *of_c);

/* Forget the answers: what is decided has changed. */
void pdump_code_forget(void);

/* The name, or pdump_code_hidden.  Leaves no exception. */
const char *pdump_code_name(void *code);
const char *pdump_c_function_name(void *callable);

/* The file of code that has a name, borrowed, and a number that lines.c may
 * keep for it: 0 at first.  NULL if there is none. */
uint32_t *pdump_code_number(void *code, const char **file);

/* What a call and its return have in common: a method is a new object at every
 * call. */
const void *pdump_c_function_key(void *callable);

#endif
