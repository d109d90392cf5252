/* SPDX-License-Identifier: BSD-3-Clause */
/* The region of a code object, which is determined once. */
#include "code_object.h"
#include "answers.h"
#include "cpython.h"
#include "name_pool.h"
#include "region_stack.h"

#include <stdlib.h>
#include <string.h>

const char pdump_code_hidden[] = "";

static void *ask_code, *ask_c;

void pdump_code_ask(void *of_code, void *of_c)
{
    pdump_py.Py_IncRef(of_code);
    pdump_py.Py_IncRef(of_c);
    pdump_py.Py_DecRef(ask_code);
    pdump_py.Py_DecRef(ask_c);
    ask_code = of_code;
    ask_c = of_c;
    pdump_code_forget();
}

/* Calls Python; an exception means None. */
static void *python_call(void *callable, void *argument)
{
    void *type, *value, *trace, *result;

    pdump_py.PyErr_Fetch(&type, &value, &trace);
    result = pdump_py.PyObject_CallFunctionObjArgs(callable, argument, NULL);
    pdump_py.PyErr_Clear();
    pdump_py.PyErr_Restore(type, value, trace);
    return result;
}

static void read_answer(void *result, struct pdump_answer *a)
{
    void *name, *file;
    const char *text;
    size_t len;

    if (!result || result == pdump_py._Py_NoneStruct ||
        !pdump_py.PyArg_ParseTuple(result, "OOi", &name, &file, &a->line))
        return;
    text = pdump_py_text(name, &len);
    a->name = text && len ? pdump_name_keep(text, len) : NULL;
    text = pdump_py_text(file, &len);
    a->file = text ? strdup(text) : NULL;
}

/* Asks Python and keeps the answer; NULL if there is no memory. */
static struct pdump_answer *code_ask(void *code)
{
    struct pdump_answer fresh = { 0 }, *kept;
    void *result = python_call(ask_code, code);

    read_answer(result, &fresh);
    pdump_py.PyErr_Clear();
    pdump_py.Py_DecRef(result);
    if (!fresh.name)
        fresh.name = pdump_code_hidden;
    kept = pdump_answer_keep(code, &fresh);
    if (!kept)
        free(fresh.file);
    return kept;
}

const char *pdump_code_name(void *code)
{
    struct pdump_answer *a = pdump_answer_find(code);

    if (__builtin_expect(!a, 0))
        a = code_ask(code);
    if (__builtin_expect(!a, 0))
        return pdump_code_hidden;
    if (__builtin_expect(a->epoch != pdump_epoch, 0)) {
        a->epoch = pdump_epoch;
        if (a->name != pdump_code_hidden && pdump_is_session)
            pdump_name_place(a->name, a->file, a->line);
    }
    return a->name;
}

uint32_t *pdump_code_number(void *code, const char **file)
{
    struct pdump_answer *a = pdump_answer_find(code);

    *file = a ? a->file : NULL;
    return a && a->file ? &a->number : NULL;
}

/* A hash table by the address of the C function; it only grows. */
struct c_function {
    const void *key;
    void *held; /* if the key is an object: a reference to it */
    const char *name;
};
static struct c_function *c_functions;
static size_t n_c, c_room;

const void *pdump_c_function_key(void *callable)
{
    const struct pdump_py_object *object = callable;

    if (object->type == pdump_py.PyCFunction_Type)
        return pdump_py.PyCFunction_GetFunction(callable);
    return callable;
}

static struct c_function *function_slot(struct c_function *in, size_t n,
                                        const void *key)
{
    size_t i = ((uintptr_t)key >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20;

    while (in[i & (n - 1)].key && in[i & (n - 1)].key != key)
        i++;
    return &in[i & (n - 1)];
}

static int functions_make_room(void)
{
    size_t larger = c_room ? 2 * c_room : 1024;
    struct c_function *in;

    if (2 * n_c < c_room)
        return 1;
    in = calloc(larger, sizeof(*in));
    if (!in)
        return 0;
    for (size_t i = 0; i < c_room; i++)
        if (c_functions[i].key)
            *function_slot(in, larger, c_functions[i].key) = c_functions[i];
    free(c_functions);
    c_functions = in;
    c_room = larger;
    return 1;
}

static const char *ask_name(void *callable)
{
    void *result = python_call(ask_c, callable);
    const char *name = NULL, *text;
    size_t len;

    if (result && result != pdump_py._Py_NoneStruct) {
        text = pdump_py_text(result, &len);
        name = text && len ? pdump_name_keep(text, len) : NULL;
        pdump_py.PyErr_Clear();
    }
    pdump_py.Py_DecRef(result);
    return name ?: pdump_code_hidden;
}

const char *pdump_c_function_name(void *callable)
{
    const void *key = pdump_c_function_key(callable);
    struct c_function *at =
        c_room ? function_slot(c_functions, c_room, key) : NULL;
    const char *name;

    if (at && at->key)
        return at->name;
    name = ask_name(callable); /* it runs Python: the table may change */
    if (!functions_make_room())
        return name;
    at = function_slot(c_functions, c_room, key);
    if (at->key)
        return at->name;
    at->name = name;
    at->key = key;
    if (key == callable) {
        pdump_py.Py_IncRef(callable);
        at->held = callable;
    }
    n_c++;
    return at->name;
}

void pdump_code_forget(void)
{
    pdump_answer_forget();
    for (size_t i = 0; i < c_room; i++)
        pdump_py.Py_DecRef(c_functions[i].held);
    free(c_functions);
    c_functions = NULL;
    n_c = c_room = 0;
}
