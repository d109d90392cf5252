/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table of the decisions about code objects.  Under the GIL.
 *
 * Code objects have slots for data of extensions (co_extra), which this table
 * does not use: a code object with data of one owner calls the free functions
 * of all owners, even with NULL, and even when Python exits and such a function
 * has been unloaded.  Instead, the table has a weak reference to each code
 * object, which shows whether an answer belongs to the code object that is at
 * the address now.
 */
#ifndef PDUMP_ANSWERS_H
#define PDUMP_ANSWERS_H

#include <stdint.h>

struct pdump_answer {
    const char *name;
    char *file; /* given: freed with the answer */
    int line;
    unsigned epoch;  /* session that has the file and line */
    uint32_t number; /* for pdump_code_number() */
};

/* Returns the answer about a code object, or NULL.  Borrowed: valid until
 * Python code runs. */
struct pdump_answer *pdump_answer_find(void *code);

/* Copies an answer into the table and replaces an earlier one.  Returns the
 * copy, borrowed as above.  If there is no memory, returns NULL and leaves
 * `answer` unchanged. */
struct pdump_answer *pdump_answer_keep(void *code,
                                       const struct pdump_answer *answer);

/* Forgets all answers. */
void pdump_answer_forget(void);

#endif
