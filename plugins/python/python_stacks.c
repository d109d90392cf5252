/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads Python's frames, for stacks.
 *
 * A thread's frames are a list which only that thread changes, so its signal
 * handler can read them at any moment, also without the GIL.  What is changed
 * just then may be wrong: memory is read by the kernel, which returns an error
 * instead of a fault, and what is no code object is left out.
 */
#include "python_stacks.h"
#include "cpython.h"
#include "stack_layout.h"

#include "probe/handshake.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/types.h>

enum {
    FRAME_MAX = 128, /* bytes of a frame that are read */
    CODE_MAX = 256,
    TEXT_HEAD = 40,
    TEXT_MARK = 128,
    ON_STACK = 3, /* FRAME_OWNED_BY_CSTACK */
    SHIMS_MAX = 4096,
};

static const struct pdump_py_layout *layout;

static uintptr_t word(const unsigned char *from, uint32_t at)
{
    uintptr_t value;

    memcpy(&value, from + at, sizeof(value));
    return value;
}

static uintptr_t word_read(pdump_interpreter_read *read, uintptr_t at)
{
    uintptr_t value;

    return at && read(&value, at, sizeof(value)) ? value : 0;
}

static void frame_take(const unsigned char *bytes, uintptr_t stack,
                       struct pdump_interpreter_frame *out)
{
    uintptr_t from, at;

    out->stack = stack;
    out->code = word(bytes, layout->frame_code);
    from = out->code + layout->code_start;
    at = word(bytes, layout->frame_instruction);
    out->at =
        at >= from && at - from < UINT32_MAX ? (uint32_t)(at - from) / 2 : 0;
}

/* The frames since `first` belong to the same native frame. */
static void run_close(struct pdump_interpreter_frame *list, int first, int n,
                      uintptr_t stack)
{
    while (first < n)
        list[first++].stack = stack;
}

/* Gives each frame the cframe of the function that executes it.  While a frame
 * begins or ends, there may be one more of either: the outer ones belong
 * together. */
static void cframes_give(pdump_interpreter_read *read, uintptr_t cframe,
                         struct pdump_interpreter_frame *list, int n)
{
    int n_cframes = 0;

    /* The outermost cframe belongs to no frame. */
    for (uintptr_t at = cframe; n_cframes <= n && at; n_cframes++)
        at = word_read(read, at + layout->cframe_previous);
    for (n_cframes--; n_cframes > n; n_cframes--)
        cframe = word_read(read, cframe + layout->cframe_previous);
    for (int i = n - n_cframes; i < n && cframe; i++) {
        list[i].stack = cframe;
        cframe = word_read(read, cframe + layout->cframe_previous);
    }
}

/* Frames that are objects of their own. */
static int objects_read(pdump_interpreter_read *read,
                        struct pdump_interpreter_frame *list, int max)
{
    uintptr_t thread = (uintptr_t)pdump_py.PyGILState_GetThisThreadState();
    uintptr_t at = thread ? word_read(read, thread + layout->thread_frame) : 0;
    unsigned char bytes[FRAME_MAX];
    int n = 0;

    while (at && n < max && read(bytes, at, layout->frame_size)) {
        int32_t instruction;

        memcpy(&instruction, bytes + layout->frame_instruction,
               sizeof(instruction));
        list[n++] = (struct pdump_interpreter_frame){
            .code = word(bytes, layout->frame_code),
            .at = instruction > 0 ? (uint32_t)instruction : 0,
        };
        at = word(bytes, layout->frame_previous);
    }
    if (n < max && n > 0)
        cframes_give(read, word_read(read, thread + layout->thread_current),
                     list, n);
    return n;
}

static int frames_read(pdump_interpreter_read *read,
                       struct pdump_interpreter_frame *list, int max)
{
    uintptr_t at = (uintptr_t)pdump_py.PyGILState_GetThisThreadState();
    uintptr_t cframe = 0;
    unsigned char bytes[FRAME_MAX];
    int n = 0, first = 0;

    at = at ? word_read(read, at + layout->thread_current) : 0;
    if (layout->has_cframe && at) {
        cframe = at;
        at = word_read(read, cframe + layout->cframe_frame);
    }
    for (int shims = 0; at && n < max && shims < SHIMS_MAX &&
                        read(bytes, at, layout->frame_size);) {
        bool is_shim =
            layout->has_shims && bytes[layout->frame_owner] == ON_STACK;

        if (!is_shim)
            frame_take(bytes, cframe, &list[n++]);
        if (is_shim || (!layout->has_shims && bytes[layout->frame_owner])) {
            run_close(list, first, n, is_shim ? at : cframe);
            first = n;
            shims++;
            if (layout->has_cframe)
                cframe = word_read(read, cframe + layout->cframe_previous);
        }
        at = word(bytes, layout->frame_previous);
    }
    return n;
}

/* Where a text begins in its object; 0: it is not in it. */
static uint32_t text_start(const unsigned char *head)
{
    uint32_t state;

    memcpy(&state, head + PDUMP_PY_TEXT_STATE, sizeof(state));
    if (!(state >> 5 & 1)) /* compact */
        return 0;
    return state >> 6 & 1 ? layout->text_ascii : layout->text_others;
}

/* Adds a text to a hash: its length, and the bytes that it begins with. */
static uint64_t text_mark(pdump_interpreter_read *read, uintptr_t object,
                          uint64_t mark)
{
    unsigned char bytes[TEXT_MARK];
    size_t length, start;

    memset(bytes, 0, sizeof(bytes));
    if (!read(bytes, object, sizeof(bytes)))
        read(bytes, object, TEXT_HEAD); /* the last in its page */
    length = word(bytes, PDUMP_PY_TEXT_LENGTH);
    start = text_start(bytes);
    mark += length;
    for (size_t i = start; start && i < TEXT_MARK && i - start < length; i++)
        mark = (mark ^ bytes[i]) * UINT64_C(0x100000001b3);
    return mark;
}

/* Returns what tells this code from other code that was there before, or that
 * comes after it. */
static uint64_t code_mark(pdump_interpreter_read *read,
                          const unsigned char *bytes,
                          const struct pdump_interpreter_code *code)
{
    uint32_t version = 0;

    if (layout->code_version)
        memcpy(&version, bytes + layout->code_version, sizeof(version));
    return version
               ? version
               : text_mark(read, code->file, text_mark(read, code->name, 0));
}

static bool code_read(pdump_interpreter_read *read, uintptr_t code,
                      struct pdump_interpreter_code *out)
{
    unsigned char bytes[CODE_MAX];
    struct pdump_py_object head;
    int32_t line;

    if (!code || !read(bytes, code, layout->code_lines + sizeof(uintptr_t)))
        return false;
    memcpy(&head, bytes, sizeof(head));
    memcpy(&line, bytes + layout->code_first_line, sizeof(line));
    *out = (struct pdump_interpreter_code){
        .code = code,
        .file = word(bytes, layout->code_file),
        .name = word(bytes, layout->code_name),
        .lines = word(bytes, layout->code_lines),
        .first_line = line,
    };
    if (head.type != pdump_py.PyCode_Type)
        return false;
    out->mark = code_mark(read, bytes, out);
    return true;
}

/* Appends a character as UTF-8, if there is room. */
static size_t character_put(char *to, size_t n, size_t max, uint32_t c)
{
    static const unsigned char marks[] = { 0, 0xc0, 0xe0, 0xf0 };
    size_t more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;

    if (n + more >= max)
        return n;
    to[n++] = (char)(marks[more] | c >> 6 * more);
    while (more-- > 0)
        to[n++] = (char)(0x80 | (c >> 6 * more & 0x3f));
    return n;
}

/* Characters of 1, 2 or 4 bytes. */
static size_t characters_read(pdump_interpreter_read *read, uintptr_t from,
                              size_t length, unsigned size, char *to,
                              size_t max)
{
    size_t n = 0;

    for (size_t i = 0; i < length && n + 1 < max; i++) {
        uint32_t c = 0;

        if (!read(&c, from + i * size, size))
            break;
        n = character_put(to, n, max, c);
    }
    return n;
}

static size_t text_read(pdump_interpreter_read *read, uintptr_t object,
                        char *to, size_t max)
{
    unsigned char bytes[TEXT_HEAD];
    size_t length;
    uint32_t start;

    if (!object || !read(bytes, object, sizeof(bytes)))
        return 0;
    length = word(bytes, PDUMP_PY_TEXT_LENGTH);
    start = text_start(bytes);
    if (length > max)
        length = max;
    if (!start)
        return 0;
    if (start == layout->text_ascii)
        return read(to, object + start, length) ? length : 0;
    return characters_read(read, object + start, length,
                           bytes[PDUMP_PY_TEXT_STATE] >> 2 & 7, to, max);
}

static size_t bytes_read(pdump_interpreter_read *read, uintptr_t object,
                         char *to, size_t max)
{
    size_t length =
        word_read(read, object ? object + PDUMP_PY_BYTES_LENGTH : 0);

    if (length > max)
        length = max;
    return read(to, object + PDUMP_PY_BYTES_START, length) ? length : 0;
}

/* Reads this process's memory, when it is certain that it is there. */
static bool memory_read(void *to, uintptr_t from, size_t n)
{
    memcpy(to, (const void *)from, n);
    return true;
}

static _Atomic uintptr_t outside = UINTPTR_MAX;

static uintptr_t outside_read(void)
{
    return outside;
}

void pdump_python_stacks_from(const void *frame)
{
    outside = frame ? (uintptr_t)frame : UINTPTR_MAX;
}

static struct pdump_interpreter python = {
    .outside = outside_read,
    .frames = frames_read,
    .code = code_read,
    .text = text_read,
    .bytes = bytes_read,
};

/* Are the frames where they are expected?  Compares the caller's frame with
 * what Python itself says. */
static bool layout_is_right(void)
{
    struct pdump_interpreter_frame frames[1];
    void *frame = pdump_py.PyEval_GetFrame(), *code;
    bool is_right;

    if (!frame)
        return false;
    code = pdump_py.PyFrame_GetCode(frame);
    is_right = python.frames(memory_read, frames, 1) == 1 &&
               frames[0].code == (uintptr_t)code;
    pdump_py.Py_DecRef(code);
    return is_right;
}

void pdump_python_stacks_start(void)
{
    layout = pdump_py_layout_find();
    if (!layout)
        return;
    if (layout->has_objects)
        python.frames = objects_read;
    python.line_table = layout->line_table;
    if (layout_is_right())
        pdump_interpreter_set(&python);
}
