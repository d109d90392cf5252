/* SPDX-License-Identifier: BSD-3-Clause */
/* Records calls of Python functions by PyEval_SetProfile(). */
#include "calls_by_setprofile.h"
#include "code_object.h"
#include "region_stack.h"
#include "suspended_regions.h"

#include <string.h>

unsigned long pdump_profile_n_events;

static void *our_hook;
static int has_c_calls;
static int is_on;

void pdump_profile_called(void *frame)
{
    void *code = pdump_py.PyFrame_GetCode(frame);
    const char *name = pdump_code_name(code);

    pdump_py.Py_DecRef(code);
    if (name == pdump_code_hidden)
        return;
    pdump_stack_enter(frame, name);
    if (__builtin_expect(pdump_n_suspended > 0, 0))
        pdump_stack_resume(frame);
}

/* Returns true for the frame of a generator or coroutine: its return event may
 * be a yield. */
static int may_yield(void *frame)
{
    void *code = pdump_py.PyFrame_GetCode(frame);
    void *flags = pdump_py.PyObject_GetAttrString(code, "co_flags");
    long value = flags ? pdump_py.PyLong_AsLong(flags) : 0;

    pdump_py.Py_DecRef(flags);
    pdump_py.Py_DecRef(code);
    return (value & PDUMP_PY_GENERATOR) != 0;
}

/* Handles the return of a frame that is not on top: it is hidden, or was
 * entered before the recording began, or has open regions of the program. */
static void returned_below(void *frame)
{
    void *code = pdump_py.PyFrame_GetCode(frame);
    const char *name = pdump_code_name(code);

    pdump_py.Py_DecRef(code);
    if (name == pdump_code_hidden || !pdump_stack_is_below(frame))
        return;
    if (may_yield(frame))
        pdump_stack_suspend(frame, frame);
    pdump_stack_leave(frame);
}

static inline void function_returned(void *frame)
{
    const struct pdump_stack *s = pdump_stack_here();

    if (__builtin_expect(s->n && s->entries[s->n - 1].key == frame, 1))
        pdump_stack_leave(frame);
    else if (s->n)
        returned_below(frame);
}

void pdump_profile_returned(void *frame)
{
    function_returned(frame);
}

static void called_c(void *frame, void *callable)
{
    void *code = pdump_py.PyFrame_GetCode(frame);
    const char *name = pdump_code_name(code);

    pdump_py.Py_DecRef(code);
    if (name != pdump_code_hidden)
        name = pdump_c_function_name(callable);
    if (name != pdump_code_hidden)
        pdump_stack_enter(pdump_c_function_key(callable), name);
}

static void returned_c(void *callable)
{
    const struct pdump_stack *s = pdump_stack_here();
    const void *key = pdump_c_function_key(callable);

    if (s->n && s->entries[s->n - 1].key == key)
        pdump_stack_leave(key);
    else if (pdump_c_function_name(callable) != pdump_code_hidden)
        pdump_stack_leave_below(key);
}

static int profile_trace(void *self, void *frame, int what, void *arg)
{
    (void)self;
    if (__builtin_expect(!is_on, 0))
        return 0;
    pdump_profile_n_events++;
    if (what == PDUMP_PY_RETURN) {
        function_returned(frame);
    } else if (what == PDUMP_PY_CALL) {
        if (pdump_stack_wants_calls(&pdump_stack))
            pdump_profile_called(frame);
    } else if (has_c_calls && what == PDUMP_PY_C_CALL) {
        if (pdump_stack_wants_calls(&pdump_stack))
            called_c(frame, arg);
    } else if (has_c_calls &&
               (what == PDUMP_PY_C_RETURN || what == PDUMP_PY_C_EXCEPTION)) {
        returned_c(arg);
    }
    return 0;
}

static void profile_everywhere(pdump_py_tracer *tracer, void *arg)
{
    const struct pdump_py_setter setter = {
        .own = pdump_py.PyEval_SetProfile,
        .other = pdump_py._PyEval_SetProfile,
        .all = pdump_py.PyEval_SetProfileAllThreads,
    };

    pdump_py_set_everywhere(&setter, tracer, arg);
}

void pdump_profile_start(void *hook, int wants_c_calls)
{
    our_hook = hook;
    has_c_calls = wants_c_calls;
    is_on = 1;
    profile_everywhere(profile_trace, hook);
}

void pdump_profile_stop(int is_ours)
{
    is_on = 0;
    if (is_ours)
        profile_everywhere(NULL, NULL);
}

void *pdump_profile_hook(void *self, void *const *args, intptr_t n_args)
{
    const char *event = NULL;
    size_t len;

    (void)self;
    if (!is_on) {
        pdump_py.PyEval_SetProfile(NULL, NULL);
        return pdump_py_none();
    }
    pdump_py.PyEval_SetProfile(profile_trace, our_hook);
    if (n_args == 3)
        event = pdump_py_text(args[1], &len);
    if (!event)
        pdump_py.PyErr_Clear();
    else if (strcmp(event, "call") == 0 &&
             pdump_stack_wants_calls(&pdump_stack))
        pdump_profile_called(args[0]);
    return pdump_py_none();
}
