/* SPDX-License-Identifier: BSD-3-Clause */
/* Python's frames in stacks. */
#ifndef PDUMP_PYTHON_STACKS_H
#define PDUMP_PYTHON_STACKS_H

/* From now on stacks have the frames of this Python, if they can be found in
 * it; otherwise they have compiled code only.  For a function that Python code
 * has called. */
void pdump_python_stacks_start(void);

/* The program is started by the caller, whose frame has this address; NULL: it
 * has ended.  Stacks begin with the program. */
void pdump_python_stacks_from(const void *frame);

#endif
