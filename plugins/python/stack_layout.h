/* SPDX-License-Identifier: BSD-3-Clause */
/* Where CPython keeps what stacks show: bytes from the start of a structure. */
#ifndef PDUMP_PYTHON_STACK_LAYOUT_H
#define PDUMP_PYTHON_STACK_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PDUMP_PY_TEXT_LENGTH = 16,
    PDUMP_PY_TEXT_STATE = 32,
    PDUMP_PY_BYTES_LENGTH = 16,
    PDUMP_PY_BYTES_START = 32,
};

struct pdump_py_layout {
    uint32_t line_table; /* enum pdump_line_table */
    /* Who runs: a structure on the native stack of the function that executes
     * code, which has the innermost frame (3.11, 3.12); or the thread's state
     * has that frame (cframe_frame is not used). */
    bool has_cframe;
    /* Frames are objects, and each has a cframe of its own (3.10). */
    bool has_objects;
    /* Each run of frames ends with one on the native stack (since 3.12), or
     * with one that has a mark (3.11). */
    bool has_shims;
    uint32_t thread_current;
    uint32_t thread_frame; /* only with objects */
    uint32_t cframe_frame, cframe_previous;
    uint32_t frame_size; /* up to the last that is used */
    uint32_t frame_code, frame_previous, frame_instruction;
    uint32_t frame_owner; /* without shims: the mark */
    uint32_t code_file, code_name, code_lines, code_first_line, code_start;
    uint32_t code_version;            /* 0: it has none */
    uint32_t text_ascii, text_others; /* the characters of a compact str */
};

/* Returns the layout of this Python, or NULL if it is not known. */
const struct pdump_py_layout *pdump_py_layout_find(void);

#endif
