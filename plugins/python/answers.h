/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table of what was decided about code objects, under the GIL.
 *
 * Code objects have slots for data of extensions (co_extra), which we do not
 * use: a code object with data of one owner calls the free functions of all
 * owners, even with NULL, and even when Python exits and such a function has
 * been unloaded.  Instead, the table has a weak reference to each code object,
 * which shows whether an answer is about the code object that is at the address
 * now.
 */
#ifndef PDUMP_ANSWERS_H
#define PDUMP_ANSWERS_H

#include <stdint.h>

struct pdump_answer {
    const char *name;
    char *file; /* given: freed with the answer */
    int line;
    unsigned epoch;  /* of the session that knows the place */
    uint32_t number; /* of the file, as pdump_code_number() has it */
};

/* The answer about a code object, or NULL.  Borrowed: valid until Python code
 * runs. */
struct pdump_answer *pdump_answer_find(void *code);

/* Copy an answer into the table, in place of an earlier one.  Returns the copy,
 * borrowed as above; NULL, and `answer` is as it was, if there is no memory. */
struct pdump_answer *pdump_answer_keep(void *code,
                                       const struct pdump_answer *answer);

/* Forget all of them. */
void pdump_answer_forget(void);

#endif
