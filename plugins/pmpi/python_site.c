/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the Python call site of a call of MPI.
 *
 * CPython's functions are looked up by name, because a process without Python
 * does not have them.  A site is identified by the code object and the line.
 * The code object is kept alive, so that no other one gets its address.
 */
#include "python_site.h"

#include "system/env.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions of CPython from 3.9 on; objects are opaque pointers. */
#define FUNCTIONS(X)                                          \
    X(int, Py_IsInitialized, (void))                          \
    X(void *, PyGILState_GetThisThreadState, (void))          \
    X(int, PyGILState_Check, (void))                          \
    X(int, PyGILState_Ensure, (void))                         \
    X(void, PyGILState_Release, (int))                        \
    X(void *, PyEval_GetFrame, (void))                        \
    X(void *, PyFrame_GetCode, (void *))                      \
    X(void *, PyFrame_GetBack, (void *))                      \
    X(int, PyFrame_GetLineNumber, (void *))                   \
    X(void *, PyObject_GetAttrString, (void *, const char *)) \
    X(const char *, PyUnicode_AsUTF8, (void *))               \
    X(void, PyErr_Fetch, (void **, void **, void **))         \
    X(void, PyErr_Restore, (void *, void *, void *))          \
    X(void, Py_IncRef, (void *))                              \
    X(void, Py_DecRef, (void *))

static struct functions {
#define X(result, name, arguments) result(*name) arguments;
    FUNCTIONS(X)
#undef X
} py;

enum {
    N_BUCKETS = 1024,
    SITES_MAX = 1 << 16,
    DEPTH_MAX = 64,
    TEXT_MAX = 4096,
};

static const uint64_t MARK = UINT64_C(1) << 63; /* no address has this bit */

struct frame {
    void *code;
    int line;
};

struct site {
    struct site *next;
    uint64_t hash;
    int number;
    int depth;
    char *text;
    struct frame frames[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool has_looked, wants_stack;
bool pdump_python_is_there;
static struct site *buckets[N_BUCKETS], *sites[SITES_MAX];
static int n_sites;

void pdump_python_look(void)
{
    const char *stack = pdump_env("PDUMP_MPI_STACK");
    struct functions found;
    bool has_all = true;

#define X(result, name, arguments)                              \
    *(void **)(void *)&found.name = dlsym(RTLD_DEFAULT, #name); \
    has_all = has_all && found.name;
    FUNCTIONS(X)
#undef X
    pthread_mutex_lock(&lock);
    if (!has_looked) {
        py = found;
        wants_stack = stack && strcmp(stack, "1") == 0;
        pdump_python_is_there = has_all;
        has_looked = true;
    }
    pthread_mutex_unlock(&lock);
}

void pdump_python_in_child(void)
{
    pthread_mutex_init(&lock, NULL);
}

/* Walks the frames, innermost first.  Takes a reference to each code object. */
static int frames_walk(struct frame *frames)
{
    void *frame = py.PyEval_GetFrame(), *back;
    int n = 0;

    if (frame)
        py.Py_IncRef(frame);
    while (frame) {
        frames[n].code = py.PyFrame_GetCode(frame);
        frames[n++].line = py.PyFrame_GetLineNumber(frame);
        back = wants_stack && n < DEPTH_MAX ? py.PyFrame_GetBack(frame) : NULL;
        py.Py_DecRef(frame);
        frame = back;
    }
    return n;
}

static uint64_t frames_hash(const struct frame *frames, int n)
{
    uint64_t hash = 0;

    for (int i = 0; i < n; i++) {
        hash ^= (uintptr_t)frames[i].code + (uint64_t)frames[i].line;
        hash *= UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static bool is_same(const struct frame *a, const struct frame *b, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i].code != b[i].code || a[i].line != b[i].line)
            return false;
    return true;
}

/* Called under the lock.  Returns the number of a known site, or -1. */
static int site_find(uint64_t hash, const struct frame *frames, int n)
{
    for (const struct site *s = buckets[hash % N_BUCKETS]; s; s = s->next)
        if (s->hash == hash && s->depth == n && is_same(s->frames, frames, n))
            return s->number;
    return -1;
}

/* Gets an attribute of the code object as text; "?" if there is none. */
static void text_of(void *code, const char *name, char *buf, size_t len)
{
    void *value = py.PyObject_GetAttrString(code, name);
    const char *text = value ? py.PyUnicode_AsUTF8(value) : NULL;

    snprintf(buf, len, "%s", text ? text : "?");
    if (value)
        py.Py_DecRef(value);
}

/* Formats a site: "a.py:3 (f) < b.py:7 (g)" */
static char *site_describe(const struct frame *frames, int n)
{
    char *text = malloc(TEXT_MAX), file[1024], function[256];
    void *type, *value, *trace;
    size_t len = 0;

    if (!text)
        return NULL;
    text[0] = '\0';
    /* Saves and restores the program's current exception. */
    py.PyErr_Fetch(&type, &value, &trace);
    for (int i = 0; i < n && len < TEXT_MAX; i++) {
        text_of(frames[i].code, "co_filename", file, sizeof(file));
        text_of(frames[i].code, "co_name", function, sizeof(function));
        len += (size_t)snprintf(text + len, TEXT_MAX - len, "%s%s:%d (%s)",
                                i ? " < " : "", file, frames[i].line, function);
    }
    py.PyErr_Restore(type, value, trace);
    return text;
}

/* Returns the number of a new site, which then owns the references; -1 if there
 * is no room or no memory. */
static int site_make(uint64_t hash, const struct frame *frames, int n)
{
    struct site *s = calloc(1, sizeof(*s) + (size_t)n * sizeof(s->frames[0]));
    int number;

    if (!s)
        return -1;
    s->text = site_describe(frames, n);
    s->hash = hash;
    s->depth = n;
    memcpy(s->frames, frames, (size_t)n * sizeof(*frames));
    pthread_mutex_lock(&lock);
    number = s->text && n_sites < SITES_MAX ? n_sites : -1;
    if (number >= 0) {
        s->number = number;
        s->next = buckets[hash % N_BUCKETS];
        buckets[hash % N_BUCKETS] = s;
        sites[n_sites++] = s;
    }
    pthread_mutex_unlock(&lock);
    if (number < 0) {
        free(s->text);
        free(s);
    }
    return number;
}

/* Called with the GIL held. */
static uint64_t site_here(void)
{
    struct frame frames[DEPTH_MAX];
    int n = frames_walk(frames), number;
    uint64_t hash = frames_hash(frames, n);

    if (n == 0)
        return 0;
    pthread_mutex_lock(&lock);
    number = site_find(hash, frames, n);
    pthread_mutex_unlock(&lock);
    if (number < 0) {
        number = site_make(hash, frames, n);
        if (number >= 0)
            return MARK | (uint64_t)number;
    }
    for (int i = 0; i < n; i++)
        py.Py_DecRef(frames[i].code);
    return MARK | (uint64_t)(number < 0 ? SITES_MAX : number);
}

uint64_t pdump_python_find(void)
{
    uint64_t key;
    int state;

    /* Python must be running and must know this thread. */
    if (!py.Py_IsInitialized() || !py.PyGILState_GetThisThreadState())
        return 0;
    if (py.PyGILState_Check())
        return site_here();
    state = py.PyGILState_Ensure();
    key = site_here();
    py.PyGILState_Release(state);
    return key;
}

bool pdump_python_label(uint64_t key, char *buf, size_t len)
{
    uint64_t number = key & ~MARK;

    if (!(key & MARK))
        return false;
    pthread_mutex_lock(&lock);
    snprintf(buf, len, "%s",
             number < (uint64_t)n_sites ? sites[number]->text
                                        : "<other sites>");
    pthread_mutex_unlock(&lock);
    return true;
}
