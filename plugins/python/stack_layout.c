/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where CPython keeps what stacks show.
 *
 * Since 3.13 CPython says it itself, for debuggers: _Py_DebugOffsets, at the
 * start of _PyRuntime.  For earlier releases it is in these tables, for builds
 * of 64 bits without Py_DEBUG; a release does not change it in its updates.
 */
#include "stack_layout.h"
#include "cpython.h"

#include "probe/handshake.h"

#include <string.h>

static const struct pdump_py_layout layout_3_10 = {
    .line_table = PDUMP_LINES_3_10,
    .has_cframe = true,
    .has_objects = true,
    .thread_current = 48,
    .thread_frame = 24,
    .cframe_previous = 8,
    .frame_size = 104,
    .frame_code = 32,
    .frame_previous = 24,
    .frame_instruction = 96,
    .code_file = 104,
    .code_name = 112,
    .code_lines = 120,
    .code_first_line = 40,
    .text_ascii = 48,
    .text_others = 72,
};

static const struct pdump_py_layout layout_3_11 = {
    .line_table = PDUMP_LINES_3_11,
    .has_cframe = true,
    .thread_current = 56,
    .cframe_frame = 8,
    .cframe_previous = 16,
    .frame_size = 72,
    .frame_code = 32,
    .frame_previous = 48,
    .frame_instruction = 56,
    .frame_owner = 68,
    .code_file = 112,
    .code_name = 128,
    .code_lines = 136,
    .code_first_line = 72,
    .code_start = 184,
    .text_ascii = 48,
    .text_others = 72,
};

static const struct pdump_py_layout layout_3_12 = {
    .line_table = PDUMP_LINES_3_11,
    .has_cframe = true,
    .has_shims = true,
    .thread_current = 56,
    .cframe_frame = 0,
    .cframe_previous = 8,
    .frame_size = 72,
    .frame_code = 0,
    .frame_previous = 8,
    .frame_instruction = 56,
    .frame_owner = 70,
    .code_file = 112,
    .code_name = 128,
    .code_lines = 136,
    .code_first_line = 68,
    .code_start = 192,
    .code_version = 92,
    .text_ascii = 40,
    .text_others = 56,
};

/* The start of _Py_DebugOffsets of 3.13. */
struct offsets_3_13 {
    char cookie[8];
    uint64_t version, is_free_threaded;
    uint64_t runtime[3];
    uint64_t interpreter[13];
    uint64_t thread_size, thread_previous, thread_next, thread_interpreter,
        thread_frame, thread_others[4];
    uint64_t frame_size, frame_previous, frame_code, frame_instruction,
        frame_locals, frame_owner;
    uint64_t code_size, code_file, code_short_name, code_name, code_lines,
        code_first_line, code_others[3], code_start;
};

static const struct pdump_py_layout *layout_read(void)
{
    static struct pdump_py_layout found;
    const struct offsets_3_13 *o = pdump_py._PyRuntime;

    if (!o || memcmp(o->cookie, "xdebugpy", sizeof(o->cookie)) != 0 ||
        o->version >> 16 != 0x30d || o->is_free_threaded)
        return NULL;
    found = (struct pdump_py_layout){
        .line_table = PDUMP_LINES_3_11,
        .has_shims = true,
        .thread_current = (uint32_t)o->thread_frame,
        .frame_size = (uint32_t)o->frame_owner + 1,
        .frame_code = (uint32_t)o->frame_code,
        .frame_previous = (uint32_t)o->frame_previous,
        .frame_instruction = (uint32_t)o->frame_instruction,
        .frame_owner = (uint32_t)o->frame_owner,
        .code_file = (uint32_t)o->code_file,
        .code_name = (uint32_t)o->code_name,
        .code_lines = (uint32_t)o->code_lines,
        .code_first_line = (uint32_t)o->code_first_line,
        .code_start = (uint32_t)o->code_start,
        .code_version = 92,
        .text_ascii = 40,
        .text_others = 56,
    };
    return &found;
}

const struct pdump_py_layout *pdump_py_layout_find(void)
{
    const char *version = pdump_py.Py_GetVersion();

    if (sizeof(void *) != 8)
        return NULL;
    if (strncmp(version, "3.10.", 5) == 0)
        return &layout_3_10;
    if (strncmp(version, "3.11.", 5) == 0)
        return &layout_3_11;
    if (strncmp(version, "3.12.", 5) == 0)
        return &layout_3_12;
    return layout_read();
}
