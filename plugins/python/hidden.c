/* SPDX-License-Identifier: BSD-3-Clause */
/* Python functions of libpdump that run inside the program. */
#include "hidden.h"
#include "python_stacks.h"

#include <stdlib.h>

/* State of the thread that has returned from the program to libpdump's
 * frames. */
static void *left;

static void regions_suspend(void)
{
    if (pdump_py.PyThreadState_EnterTracing)
        pdump_py.PyThreadState_EnterTracing(pdump_py.PyThreadState_Get());
}

static void regions_resume(void)
{
    if (pdump_py.PyThreadState_LeaveTracing)
        pdump_py.PyThreadState_LeaveTracing(pdump_py.PyThreadState_Get());
}

static void come_back(void)
{
    if (!left || left != pdump_py.PyThreadState_Get())
        return;
    left = NULL;
    regions_resume();
}

static void *call_hidden(void *self, void *args, void *keywords)
{
    void *result;

    regions_suspend();
    result = pdump_py.PyObject_Call(pdump_py.PyTuple_GetItem(self, 0), args,
                                    keywords);
    regions_resume();
    return result;
}

static void *call_then(void *self, void *args, void *keywords)
{
    void *result = pdump_py.PyObject_Call(pdump_py.PyTuple_GetItem(self, 0),
                                          args, keywords);
    void *done;

    if (!result)
        return NULL;
    regions_suspend();
    done = pdump_py.PyObject_CallFunctionObjArgs(
        pdump_py.PyTuple_GetItem(self, 1), result, args, NULL);
    regions_resume();
    if (!done) {
        pdump_py.Py_DecRef(result);
        return NULL;
    }
    pdump_py.Py_DecRef(done);
    return result;
}

static void *call_first(void *self, void *args, void *keywords)
{
    void *made = call_hidden(self, args, keywords), *result;

    if (!made)
        return NULL;
    come_back();
    result =
        pdump_py.PyObject_Call(pdump_py.PyTuple_GetItem(self, 1), made, NULL);
    pdump_py.Py_DecRef(made);
    return result;
}

enum { HIDDEN, THEN, FIRST };

/* The `self` of each is the tuple of functions that it was created with. */
static struct pdump_py_method calls[] = {
    { "hidden", call_hidden, PDUMP_PY_VARARGS | PDUMP_PY_KEYWORDS, NULL },
    { "then", call_then, PDUMP_PY_VARARGS | PDUMP_PY_KEYWORDS, NULL },
    { "first", call_first, PDUMP_PY_VARARGS | PDUMP_PY_KEYWORDS, NULL },
};

void *pdump_hidden(void *self, void *args)
{
    (void)self;
    return pdump_py.PyCFunction_NewEx(&calls[HIDDEN], args, NULL);
}

void *pdump_hidden_then(void *self, void *args)
{
    (void)self;
    return pdump_py.PyCFunction_NewEx(&calls[THEN], args, NULL);
}

void *pdump_hidden_first(void *self, void *args)
{
    (void)self;
    return pdump_py.PyCFunction_NewEx(&calls[FIRST], args, NULL);
}

void *pdump_hidden_execute(void *self, void *args)
{
    void *rest = pdump_py.PyTuple_GetSlice(args, 1, INTPTR_MAX);
    void *result = NULL;

    (void)self;
    pdump_python_stacks_from(__builtin_frame_address(0));
    if (rest)
        result = pdump_py.PyObject_Call(pdump_py.PyTuple_GetItem(args, 0), rest,
                                        NULL);
    pdump_python_stacks_from(NULL);
    pdump_py.Py_DecRef(rest);
    /* With this variable, Python becomes interactive after the program. */
    if (!getenv("PYTHONINSPECT")) {
        left = pdump_py.PyThreadState_Get();
        regions_suspend();
    }
    return result;
}

void *pdump_hidden_come_back(void *self, void *unused)
{
    (void)self;
    (void)unused;
    come_back();
    return pdump_py_none();
}
