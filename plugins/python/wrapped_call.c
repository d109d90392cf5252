/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that are wrapped by Python code. */
#include "wrapped_call.h"
#include "base/field.h"
#include "name_pool.h"
#include "probe/call_detail.h"

#include <stdio.h>
#include <stdlib.h>

enum { CALLS, TIME, TIME_MIN, TIME_MAX, TIME_SUMSQ, BYTES_OUT, BYTES_IN };
enum { BETWEEN = BYTES_IN + 1, COMPLETED, FLIGHT };

static const struct pdump_detail_field fields[] = {
    PDUMP_DETAIL_CALL_FIELDS,
    { "bytes_out", "B", PDUMP_FIELD_SUM, 1, false },
    { "bytes_in", "B", PDUMP_FIELD_SUM, 1, false },
    { "between", "ns", PDUMP_FIELD_SUM, 1, true },
    { "completed", "1", PDUMP_FIELD_SUM, 1, false },
    { "flight", "ns", PDUMP_FIELD_SUM, 1, false }, /* by Python's clock */
};

/* All under the GIL. */
static struct pdump_callee **callees;
static const char **places;
static long n_callees, n_places;

static void row_label(uint64_t key, char *buf, size_t len)
{
    snprintf(buf, len, "%s", key < (uint64_t)n_places ? places[key] : "");
}

static struct pdump_detail_table table = {
    .name = "mpi_python",
    .about = "calls of mpi4py's methods, per place in the program",
    .key = "site",
    .fields = fields,
    .n_fields = sizeof(fields) / sizeof(fields[0]),
    .label = row_label,
};

/* A method may call back into Python code, which may call another method. */
enum { DEPTH = 16 };
static __thread struct pdump_call open_calls[DEPTH];
static __thread int n_open;
static __thread int64_t last; /* end of the thread's previous call */

static void *no_memory(void)
{
    pdump_py.PyErr_SetString(*(void **)pdump_py.PyExc_RuntimeError,
                             "pdump: out of memory");
    return NULL;
}

void *pdump_calls_callee(void *self, void *name)
{
    struct pdump_callee **more, *callee = calloc(1, sizeof(*callee));
    size_t len;
    const char *text = pdump_py_text(name, &len);

    (void)self;
    more = realloc(callees, ((size_t)n_callees + 1) * sizeof(*more));
    if (more)
        callees = more;
    if (text && more && callee) {
        callee->name = pdump_name_keep(text, len);
        callee->group = PDUMP_GROUP_MPI;
    }
    if (!text || !more || !callee || !callee->name) {
        free(callee);
        return text ? no_memory() : NULL;
    }
    callees[n_callees] = callee;
    return pdump_py.PyLong_FromLong(n_callees++);
}

void *pdump_calls_place(void *self, void *text)
{
    const char **more, *kept;
    size_t len;
    const char *from = pdump_py_text(text, &len);

    (void)self;
    if (!from)
        return NULL;
    kept = pdump_name_keep(from, len);
    more = realloc(places, ((size_t)n_places + 1) * sizeof(*more));
    if (more)
        places = more;
    if (!more || !kept)
        return no_memory();
    places[n_places] = kept;
    return pdump_py.PyLong_FromLong(n_places++);
}

static uint64_t hash_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

void *pdump_calls_stack(void *self, void *callee)
{
    uint64_t hash = hash_mix(0, (uint64_t)pdump_py.PyLong_AsLong(callee));
    void *frame = pdump_py.PyFrame_GetBack(pdump_py.PyEval_GetFrame());

    (void)self;
    while (frame) {
        void *code = pdump_py.PyFrame_GetCode(frame);
        void *back = pdump_py.PyFrame_GetBack(frame);
        int at = pdump_py.PyFrame_GetLasti
                     ? pdump_py.PyFrame_GetLasti(frame)
                     : pdump_py.PyFrame_GetLineNumber(frame);

        hash =
            hash_mix(hash_mix(hash, (uint64_t)(uintptr_t)code), (uint64_t)at);
        pdump_py.Py_DecRef(code);
        pdump_py.Py_DecRef(frame);
        frame = back;
    }
    return pdump_py.PyLong_FromLong((long)(hash >> 2));
}

void *pdump_calls_begin(void *self, void *callee)
{
    long index = pdump_py.PyLong_AsLong(callee);
    bool is_begun = index >= 0 && index < n_callees && n_open < DEPTH &&
                    pdump_call_begin(&open_calls[n_open], callees[index]);

    (void)self;
    n_open += is_begun;
    return pdump_py.PyLong_FromLong(is_begun);
}

static void add_square(int64_t *figure, int64_t ticks)
{
    *figure = pdump_field_bits(pdump_field_real(*figure) +
                               (double)ticks * (double)ticks);
}

/* `figures`: the arguments of call_end() from BYTES_OUT on, without BETWEEN. */
static void row_add(const struct pdump_call *call, int64_t *row,
                    int64_t between, void *const *figures)
{
    row[CALLS]++;
    row[TIME] += call->time;
    if (call->time < row[TIME_MIN])
        row[TIME_MIN] = call->time;
    if (call->time > row[TIME_MAX])
        row[TIME_MAX] = call->time;
    add_square(&row[TIME_SUMSQ], call->time);
    row[BYTES_OUT] += pdump_py.PyLong_AsLong(figures[0]);
    row[BYTES_IN] += pdump_py.PyLong_AsLong(figures[1]);
    row[BETWEEN] += between;
    row[COMPLETED] += pdump_py.PyLong_AsLong(figures[2]);
    row[FLIGHT] += pdump_py.PyLong_AsLong(figures[3]);
}

void *pdump_calls_end(void *self, void *const *args, intptr_t n_args)
{
    struct pdump_call *call;
    int64_t between, *row;

    (void)self;
    if (n_args != 5 || n_open == 0)
        return pdump_py_none();
    call = &open_calls[--n_open];
    pdump_call_end(call);
    between = last && call->start > last ? call->start - last : 0;
    last = call->start + call->time;
    row = pdump_detail_row(call, &table,
                           (uint64_t)pdump_py.PyLong_AsLong(args[0]));
    if (row) {
        row_add(call, row, between, args + 1);
        pdump_detail_done(call);
    }
    return pdump_py_none();
}
