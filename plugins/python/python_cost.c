/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of visits in Python. */
#include "python_cost.h"
#include "region_stack.h"

#include "probe/visit_cost.h"

void *pdump_cost_begin(void *self, void *unused)
{
    (void)self;
    (void)unused;
    return pdump_py.PyLong_FromLong(pdump_visit_cost_begin());
}

void *pdump_cost_end(void *self, void *unused)
{
    (void)self;
    (void)unused;
    return pdump_py.PyLong_FromLong((long)(1000 * pdump_visit_cost_end()));
}

static enum pdump_visit_kind kind_of(void *is_function)
{
    return pdump_py.PyObject_IsTrue(is_function) == 1
               ? PDUMP_VISIT_PYTHON_FUNCTION
               : PDUMP_VISIT_PYTHON_REGION;
}

void *pdump_cost_keep(void *self, void *const *args, intptr_t n_args)
{
    (void)self;
    if (n_args == 3)
        pdump_visit_cost_keep(kind_of(args[0]),
                              (double)pdump_py.PyLong_AsLong(args[1]) / 1000,
                              (double)pdump_py.PyLong_AsLong(args[2]) / 1000);
    return pdump_py_none();
}

void *pdump_cost_is_known(void *self, void *is_function)
{
    (void)self;
    return pdump_py.PyLong_FromLong(
        pdump_visit_cost_is_known(kind_of(is_function)));
}

static void *asked; /* given; NULL after its call */

void *pdump_cost_ask(void *self, void *callable)
{
    (void)self;
    pdump_py.Py_IncRef(callable);
    pdump_py.Py_DecRef(asked);
    asked = callable;
    return pdump_py_none();
}

bool pdump_cost_first_block(void)
{
    void *callable = asked, *result;

    if (!callable || !pdump_is_session || pdump_stack_here()->n > 0)
        return true;
    asked = NULL;
    result = pdump_py.PyObject_CallFunctionObjArgs(callable, NULL);
    pdump_py.Py_DecRef(callable);
    pdump_py.Py_DecRef(result);
    return result != NULL;
}
