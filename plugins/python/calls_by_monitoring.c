/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records calls of Python functions by sys.monitoring.
 *
 * These events have no frame: calls and ends are matched by the code object.
 * For hidden code the callbacks return DISABLE, and its events stop, except
 * PY_THROW and PY_UNWIND, which cannot be disabled.
 */
#include "calls_by_monitoring.h"
#include "code_object.h"
#include "region_stack.h"
#include "suspended_regions.h"

static void *disable;

void pdump_monitor_use(void *object)
{
    pdump_py.Py_IncRef(object);
    pdump_py.Py_DecRef(disable);
    disable = object;
}

static void *never_again(void)
{
    pdump_py.Py_IncRef(disable);
    return disable;
}

static inline bool is_hidden(void *code)
{
    return pdump_code_name(code) == pdump_code_hidden;
}

void *pdump_monitor_never_if_hidden(void *code)
{
    return is_hidden(code) ? never_again() : pdump_py_none();
}

/* Returns false if the code is hidden. */
static inline bool function_enter(void *code)
{
    const char *name;

    if (!pdump_stack_wants_calls(&pdump_stack))
        return true;
    name = pdump_code_name(code);
    if (name == pdump_code_hidden)
        return false;
    pdump_stack_enter(code, name);
    return true;
}

static void go_on(void)
{
    if (__builtin_expect(pdump_n_suspended > 0, 0))
        pdump_stack_resume(pdump_py.PyEval_GetFrame());
}

static inline bool is_on_top(const void *key)
{
    const struct pdump_stack *s = pdump_stack_here();

    return s->n && s->entries[s->n - 1].key == key;
}

void *pdump_monitor_start(void *self, void *const *args, intptr_t n_args)
{
    (void)self;
    (void)n_args;
    return function_enter(args[0]) ? pdump_py_none() : never_again();
}

void *pdump_monitor_resume(void *self, void *const *args, intptr_t n_args)
{
    (void)self;
    (void)n_args;
    if (!function_enter(args[0]))
        return never_again();
    go_on();
    return pdump_py_none();
}

void *pdump_monitor_throw(void *self, void *const *args, intptr_t n_args)
{
    (void)self;
    (void)n_args;
    if (function_enter(args[0]))
        go_on();
    return pdump_py_none();
}

/* Handles the end of a function that is not on top. */
static void *end_below(void *code)
{
    if (is_hidden(code))
        return never_again();
    pdump_stack_leave_below(code);
    return pdump_py_none();
}

void *pdump_monitor_return(void *self, void *const *args, intptr_t n_args)
{
    (void)self;
    (void)n_args;
    if (__builtin_expect(!is_on_top(args[0]), 0))
        return end_below(args[0]);
    pdump_stack_leave(args[0]);
    return pdump_py_none();
}

void *pdump_monitor_yield(void *self, void *const *args, intptr_t n_args)
{
    (void)self;
    (void)n_args;
    if (__builtin_expect(!is_on_top(args[0]), 0)) {
        if (is_hidden(args[0]))
            return never_again();
        if (!pdump_stack_is_below(args[0]))
            return pdump_py_none();
        pdump_stack_suspend(args[0], pdump_py.PyEval_GetFrame());
    }
    pdump_stack_leave(args[0]);
    return pdump_py_none();
}

void *pdump_monitor_unwind(void *self, void *const *args, intptr_t n_args)
{
    (void)self;
    (void)n_args;
    if (__builtin_expect(is_on_top(args[0]), 1))
        pdump_stack_leave(args[0]);
    else if (!is_hidden(args[0]))
        pdump_stack_leave_below(args[0]);
    return pdump_py_none();
}

/* Returns true for functions written in C.  Classes and objects with __call__
 * run Python code, which has its own events. */
static bool is_c(void *callable)
{
    const struct pdump_py_object *object = callable;

    return object->type == pdump_py.PyCFunction_Type ||
           object->type == pdump_py.PyMethodDescr_Type;
}

/* CALL: code, offset, callable, first argument */
void *pdump_monitor_c_call(void *self, void *const *args, intptr_t n_args)
{
    const char *name;

    (void)self;
    if (n_args < 3 || !is_c(args[2]) || is_hidden(args[0]) ||
        !pdump_stack_wants_calls(&pdump_stack))
        return pdump_py_none();
    name = pdump_c_function_name(args[2]);
    if (name != pdump_code_hidden)
        pdump_stack_enter(pdump_c_function_key(args[2]), name);
    return pdump_py_none();
}

void *pdump_monitor_c_end(void *self, void *const *args, intptr_t n_args)
{
    const void *key;

    (void)self;
    if (n_args < 3 || !is_c(args[2]))
        return pdump_py_none();
    key = pdump_c_function_key(args[2]);
    if (is_on_top(key))
        pdump_stack_leave(key);
    else if (pdump_c_function_name(args[2]) != pdump_code_hidden)
        pdump_stack_leave_below(key);
    return pdump_py_none();
}
