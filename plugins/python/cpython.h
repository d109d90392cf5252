/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdump_python.so is libpdump's extension module for CPython.  This header
 * declares the parts of CPython that it uses, without Python.h: one binary
 * serves 3.9 to 3.13, and libpdump builds where no Python is installed.
 *
 * Functions are looked up by name in the process that has loaded the module.
 * Structures are those of the stable ABI, on builds with a GIL and without
 * Py_DEBUG (_native.py loads the module into no others).  Objects are `void *`.
 */
#ifndef PDUMP_CPYTHON_H
#define PDUMP_CPYTHON_H

#include <stddef.h>
#include <stdint.h>

typedef void *pdump_py_function(void *self, void *args);
typedef void *pdump_py_fastcall(void *self, void *const *args, intptr_t n_args);
typedef int pdump_py_tracer(void *self, void *frame, int what, void *arg);

/* PyObject_HEAD */
struct pdump_py_object {
    intptr_t n_references;
    void *type;
};

/* PyMethodDef */
struct pdump_py_method {
    const char *name;
    void *call;
    int flags;
    const char *doc;
};

/* PyMemberDef */
struct pdump_py_member {
    const char *name;
    int type;
    intptr_t offset;
    int flags;
    const char *doc;
};

/* PyType_Slot and PyType_Spec */
struct pdump_py_slot {
    int slot;
    void *value;
};
struct pdump_py_type_spec {
    const char *name;
    int size;
    int item_size;
    unsigned flags;
    struct pdump_py_slot *slots;
};

/* PyModuleDef */
struct pdump_py_module {
    struct pdump_py_object head;
    void *init;
    intptr_t index;
    void *copy;
    const char *name;
    const char *doc;
    intptr_t size;
    struct pdump_py_method *methods;
    void *slots, *traverse, *clear, *free;
};

enum {
    PDUMP_PY_VARARGS = 0x1, /* METH_... */
    PDUMP_PY_KEYWORDS = 0x2,
    PDUMP_PY_NOARGS = 0x4,
    PDUMP_PY_ONE = 0x8,
    PDUMP_PY_FASTCALL = 0x80,

    PDUMP_PY_TP_DEALLOC = 52, /* Py_tp_... */
    PDUMP_PY_TP_DOC = 56,
    PDUMP_PY_TP_METHODS = 64,
    PDUMP_PY_TP_NEW = 65,
    PDUMP_PY_TP_REPR = 66,
    PDUMP_PY_TP_MEMBERS = 72,
    PDUMP_PY_TP_FREE = 74,

    PDUMP_PY_SUBCLASSABLE = 1 << 10 | 1 << 18, /* Py_TPFLAGS_... */

    PDUMP_PY_T_INT = 1,
    PDUMP_PY_T_OBJECT = 6,
    PDUMP_PY_READONLY = 1,

    PDUMP_PY_CALL = 0, /* PyTrace_... */
    PDUMP_PY_LINE = 2,
    PDUMP_PY_RETURN = 3,
    PDUMP_PY_C_CALL = 4,
    PDUMP_PY_C_EXCEPTION = 5,
    PDUMP_PY_C_RETURN = 6,

    PDUMP_PY_GENERATOR = 0x20 | 0x80 | 0x200, /* CO_..., also coroutines */
};

/* Every CPython since 3.9 has these. */
#define PDUMP_PY_FUNCTIONS(X)                                               \
    X(void, Py_IncRef, (void *))                                            \
    X(void, Py_DecRef, (void *))                                            \
    X(int, Py_AtExit, (void (*)(void)))                                     \
    X(int, Py_AddPendingCall, (int (*)(void *), void *))                    \
    X(const char *, Py_GetVersion, (void))                                  \
    X(int, Py_IsInitialized, (void))                                        \
    X(int, PyBytes_AsStringAndSize, (void *, char **, intptr_t *))          \
    X(void *, PyCFunction_GetFunction, (void *))                            \
    X(void *, PyCFunction_NewEx, (void *, void *, void *))                  \
    X(int, PyArg_ParseTuple, (void *, const char *, ...))                   \
    X(int, PyArg_ParseTupleAndKeywords,                                     \
      (void *, void *, const char *, char **, ...))                         \
    X(int, PyCallable_Check, (void *))                                      \
    X(void, PyErr_Clear, (void))                                            \
    X(void, PyErr_SetString, (void *, const char *))                        \
    X(void, PyErr_Fetch, (void **, void **, void **))                       \
    X(void, PyErr_Restore, (void *, void *, void *))                        \
    X(void *, PyEval_GetFrame, (void))                                      \
    X(void, PyEval_SetProfile, (pdump_py_tracer *, void *))                 \
    X(void, PyEval_SetTrace, (pdump_py_tracer *, void *))                   \
    X(void *, PyFrame_GetBack, (void *))                                    \
    X(void *, PyFrame_GetCode, (void *))                                    \
    X(int, PyFrame_GetLineNumber, (void *))                                 \
    X(void *, PyGILState_GetThisThreadState, (void))                        \
    X(void *, PyInterpreterState_Get, (void))                               \
    X(void *, PyInterpreterState_ThreadHead, (void *))                      \
    X(void *, PyThreadState_Get, (void))                                    \
    X(uint64_t, PyThreadState_GetID, (void *))                              \
    X(void *, PyThreadState_Next, (void *))                                 \
    X(long, PyLong_AsLong, (void *))                                        \
    X(void *, PyLong_FromLong, (long))                                      \
    X(void *, PyModule_Create2, (void *, int))                              \
    X(int, PyModule_AddObject, (void *, const char *, void *))              \
    X(void *, PyObject_Call, (void *, void *, void *))                      \
    X(void *, PyObject_CallFunctionObjArgs, (void *, ...))                  \
    X(void *, PyObject_GetAttrString, (void *, const char *))               \
    X(int, PyObject_IsInstance, (void *, void *))                           \
    X(int, PyObject_IsTrue, (void *))                                       \
    X(void *, PyTuple_GetItem, (void *, intptr_t))                          \
    X(void *, PyTuple_GetSlice, (void *, intptr_t, intptr_t))               \
    X(void *, PyType_FromSpec, (struct pdump_py_type_spec *))               \
    X(void *, PyType_GenericAlloc, (void *, intptr_t))                      \
    X(void *, PyType_GetSlot, (void *, int))                                \
    X(const char *, PyUnicode_AsUTF8AndSize, (void *, intptr_t *))          \
    X(void *, PyUnicode_DecodeUTF8, (const char *, intptr_t, const char *)) \
    X(void *, PyUnicode_DecodeFSDefault, (const char *))                    \
    X(void *, PyUnicode_FromFormat, (const char *, ...))                    \
    X(void *, PyWeakref_GetObject, (void *))                                \
    X(void *, PyWeakref_NewRef, (void *, void *))

/* Only some have these; NULL in the others. */
#define PDUMP_PY_OPTIONAL(X)                                          \
    X(void, PyThreadState_EnterTracing, (void *))                     \
    X(void, PyThreadState_LeaveTracing, (void *))                     \
    X(int, PyFrame_GetLasti, (void *))                                \
    X(int, _PyEval_SetProfile, (void *, pdump_py_tracer *, void *))   \
    X(void, PyEval_SetProfileAllThreads, (pdump_py_tracer *, void *)) \
    X(int, _PyEval_SetTrace, (void *, pdump_py_tracer *, void *))     \
    X(void, PyEval_SetTraceAllThreads, (pdump_py_tracer *, void *))

/* Types and exceptions: addresses of variables. */
#define PDUMP_PY_VARIABLES(X) \
    X(_Py_NoneStruct)         \
    X(PyBytes_Type)           \
    X(PyCFunction_Type)       \
    X(PyCode_Type)            \
    X(_PyRuntime)             \
    X(PyMethodDescr_Type)     \
    X(PyUnicode_Type)         \
    X(PyExc_RuntimeError)     \
    X(PyExc_ValueError)

struct pdump_cpython {
#define X(result, name, arguments) result(*name) arguments;
    PDUMP_PY_FUNCTIONS(X)
    PDUMP_PY_OPTIONAL(X)
#undef X
#define X(name) void *name;
    PDUMP_PY_VARIABLES(X)
#undef X
};

/* Filled by pdump_cpython_find(). */
extern struct pdump_cpython pdump_py;

/* Looks everything up.  Returns the name of a missing symbol, or NULL. */
const char *pdump_cpython_find(void);

/* Py_IncRef() without a call, whose cost would be measured.  From Python 3.12
 * on, immortal objects have the highest of the lower 32 bits set. */
static inline void *pdump_py_hold(void *object)
{
    struct pdump_py_object *o = object;

    if ((int32_t)o->n_references >= 0)
        o->n_references++;
    return object;
}

/* Returns a new reference to None. */
static inline void *pdump_py_none(void)
{
    return pdump_py_hold(pdump_py._Py_NoneStruct);
}

/* What sets a profile function, or a trace function: of the calling thread, of
 * another one (NULL if this Python has it not), of all threads (the same). */
struct pdump_py_setter {
    void (*own)(pdump_py_tracer *tracer, void *arg);
    int (*other)(void *thread, pdump_py_tracer *tracer, void *arg);
    void (*all)(pdump_py_tracer *tracer, void *arg);
};

/* Sets the tracer on all threads.  The GIL keeps them from running
 * meanwhile. */
void pdump_py_set_everywhere(const struct pdump_py_setter *setter,
                             pdump_py_tracer *tracer, void *arg);

/* Returns the text of a str or bytes, borrowed from it; NULL with an
 * exception. */
const char *pdump_py_text(void *object, size_t *len);

#endif
