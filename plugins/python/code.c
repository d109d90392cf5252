/* SPDX-License-Identifier: BSD-3-Clause */
/* The region of a code object: asked for once, kept in the code object. */
#include "code.h"
#include "cpython.h"
#include "names.h"
#include "stack.h"

#include <stdlib.h>
#include <string.h>

/* In the code object. */
struct answer {
    const char *name;
    char *file;
    int line;
    unsigned epoch;   /* of the session that knows the place */
    unsigned opinion; /* as below */
    uint32_t number;  /* of the file, as pdump_code_number() has it */
};

const char pdump_code_hidden[] = "";

static void *ask_code, *ask_c;
static intptr_t extra_index = -1;
static unsigned opinion; /* grows when answers are to be forgotten */

static int (*get_extra)(void *, intptr_t, void **);
static int (*set_extra)(void *, intptr_t, void *);

static void forget(void *answer)
{
    if (answer)
        free(((struct answer *)answer)->file);
    free(answer);
}

static int reserve(void)
{
    intptr_t (*request)(void (*)(void *));

    if (extra_index >= 0)
        return 0;
    get_extra = pdump_py.PyUnstable_Code_GetExtra ?: pdump_py._PyCode_GetExtra;
    set_extra = pdump_py.PyUnstable_Code_SetExtra ?: pdump_py._PyCode_SetExtra;
    request = pdump_py.PyUnstable_Eval_RequestCodeExtraIndex
                  ?: pdump_py._PyEval_RequestCodeExtraIndex;
    if (get_extra && set_extra && request)
        extra_index = request(forget);
    if (extra_index >= 0)
        return 0;
    pdump_py.PyErr_SetString(*(void **)pdump_py.PyExc_RuntimeError,
                             "code objects have no room for more data");
    return -1;
}

int pdump_code_ask(void *of_code, void *of_c)
{
    if (reserve() < 0)
        return -1;
    pdump_py.Py_IncRef(of_code);
    pdump_py.Py_IncRef(of_c);
    pdump_py.Py_DecRef(ask_code);
    pdump_py.Py_DecRef(ask_c);
    ask_code = of_code;
    ask_c = of_c;
    pdump_code_forget();
    return 0;
}

/* What Python says; an exception there means no. */
static void *call(void *callable, void *argument)
{
    void *type, *value, *trace, *result;

    pdump_py.PyErr_Fetch(&type, &value, &trace);
    result = pdump_py.PyObject_CallFunctionObjArgs(callable, argument, NULL);
    pdump_py.PyErr_Clear();
    pdump_py.PyErr_Restore(type, value, trace);
    return result;
}

static void read_answer(void *result, struct answer *a)
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

static const char *ask(void *code, struct answer *a)
{
    void *result = call(ask_code, code);
    struct answer *fresh = calloc(1, sizeof(*fresh));

    if (fresh)
        read_answer(result, fresh);
    pdump_py.PyErr_Clear();
    pdump_py.Py_DecRef(result);
    if (!fresh)
        return pdump_code_hidden;
    if (!fresh->name)
        fresh->name = pdump_code_hidden;
    fresh->opinion = opinion;
    if (a) { /* the code object has it already: change it in place */
        free(a->file);
        *a = *fresh;
        free(fresh);
        return a->name;
    }
    if (set_extra(code, extra_index, fresh) < 0) {
        pdump_py.PyErr_Clear();
        forget(fresh);
        return pdump_code_hidden;
    }
    return fresh->name;
}

const char *pdump_code_name(void *code)
{
    struct answer *a = NULL;

    get_extra(code, extra_index, (void **)&a);
    if (__builtin_expect(!a || a->opinion != opinion, 0)) {
        ask(code, a);
        get_extra(code, extra_index, (void **)&a);
        if (!a)
            return pdump_code_hidden;
    }
    if (__builtin_expect(a->epoch != pdump_epoch, 0)) {
        a->epoch = pdump_epoch;
        if (a->name != pdump_code_hidden && pdump_is_session)
            pdump_name_place(a->name, a->file, a->line);
    }
    return a->name;
}

uint32_t *pdump_code_number(void *code, const char **file)
{
    struct answer *a = NULL;

    get_extra(code, extra_index, (void **)&a);
    *file = a ? a->file : NULL;
    return a && a->file ? &a->number : NULL;
}

/* C functions, by the address of the C function; a table that only grows. */
struct c_function {
    const void *key;
    void *held; /* the object that has that address, if it is one */
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

static struct c_function *probe(struct c_function *in, size_t n,
                                const void *key)
{
    size_t i = ((uintptr_t)key >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20;

    while (in[i & (n - 1)].key && in[i & (n - 1)].key != key)
        i++;
    return &in[i & (n - 1)];
}

static int make_room(void)
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
            *probe(in, larger, c_functions[i].key) = c_functions[i];
    free(c_functions);
    c_functions = in;
    c_room = larger;
    return 1;
}

static const char *ask_name(void *callable)
{
    void *result = call(ask_c, callable);
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
    struct c_function *at = c_room ? probe(c_functions, c_room, key) : NULL;

    if (at && at->key)
        return at->name;
    if (!make_room())
        return pdump_code_hidden;
    at = probe(c_functions, c_room, key);
    at->name = ask_name(callable);
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
    opinion++;
    for (size_t i = 0; i < c_room; i++)
        pdump_py.Py_DecRef(c_functions[i].held);
    free(c_functions);
    c_functions = NULL;
    n_c = c_room = 0;
}
