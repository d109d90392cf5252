/* SPDX-License-Identifier: BSD-3-Clause */
/* CPython's functions, looked up by name. */
#include "cpython.h"

#include <dlfcn.h>

struct pdump_cpython pdump_py;

static void *symbol_find(const char *name, const char **missing)
{
    void *address = dlsym(RTLD_DEFAULT, name);

    if (!address && missing)
        *missing = name;
    return address;
}

const char *pdump_cpython_find(void)
{
    const char *missing = NULL;

    /* POSIX lets dlsym() return functions as void *, but C does not. */
#define X(result, name, arguments) \
    *(void **)(void *)&pdump_py.name = symbol_find(#name, &missing);
    PDUMP_PY_FUNCTIONS(X)
#undef X
#define X(result, name, arguments) \
    *(void **)(void *)&pdump_py.name = symbol_find(#name, NULL);
    PDUMP_PY_OPTIONAL(X)
#undef X
#define X(name) pdump_py.name = symbol_find(#name, &missing);
    PDUMP_PY_VARIABLES(X)
#undef X
    return missing;
}

const char *pdump_py_text(void *object, size_t *len)
{
    intptr_t n = 0;
    char *bytes = NULL;

    if (pdump_py.PyObject_IsInstance(object, pdump_py.PyBytes_Type) == 1) {
        if (pdump_py.PyBytes_AsStringAndSize(object, &bytes, &n) < 0)
            return NULL;
        *len = (size_t)n;
        return bytes;
    }
    bytes = (char *)pdump_py.PyUnicode_AsUTF8AndSize(object, &n);
    *len = (size_t)n;
    return bytes;
}

void pdump_py_set_everywhere(const struct pdump_py_setter *setter,
                             pdump_py_tracer *tracer, void *arg)
{
    void *interpreter, *thread;

    if (setter->all) {
        setter->all(tracer, arg);
        return;
    }
    if (!setter->other) {
        setter->own(tracer, arg);
        return;
    }
    interpreter = pdump_py.PyInterpreterState_Get();
    for (thread = pdump_py.PyInterpreterState_ThreadHead(interpreter); thread;
         thread = pdump_py.PyThreadState_Next(thread))
        if (setter->other(thread, tracer, arg) < 0)
            pdump_py.PyErr_Clear();
}
