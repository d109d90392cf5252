/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the region of a code object or of a function written in C, if any.
 *
 * Python code decides (runner_names.py, runner_filter.py), once for each.  The
 * answer for a code object is in a table (answers.c) while the code object
 * exists.  Answers for C functions are kept for ever; there are not many.
 */
#ifndef PDUMP_CODE_OBJECT_H
#define PDUMP_CODE_OBJECT_H

#include <stdint.h>

/* The name of functions that are not recorded. */
extern const char pdump_code_hidden[];

/*
 * Sets the Python callables that decide.  `of_code`(code) returns (name, file,
 * line) or None, `of_c`(callable) a name or None.  The references are kept.
 */
void pdump_code_ask(void *of_code, void *of_c);

/* Forgets the answers, because the rules have changed. */
void pdump_code_forget(void);

/* Return the name, or pdump_code_hidden.  They leave no exception set. */
const char *pdump_code_name(void *code);
const char *pdump_c_function_name(void *callable);

/* Returns a number that lines.c may store for code that has a name: 0 at first.
 * Sets *file to its file, borrowed.  NULL if there is none. */
uint32_t *pdump_code_number(void *code, const char **file);

/* Returns the key that a call and its return have in common: a method is a new
 * object at every call. */
const void *pdump_c_function_key(void *callable);

#endif
