/* SPDX-License-Identifier: BSD-3-Clause */
/* Records lines of Python functions: hits, time and counters. */
#include "lines.h"
#include "calls_by_monitoring.h"
#include "calls_by_setprofile.h"
#include "code_object.h"
#include "line_fields.h"
#include "name_pool.h"
#include "probe/call_detail.h"
#include "probe/call_hot.h"
#include "region_stack.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Under the GIL: the known files, each once; number 0 is none. */
static const char **files;
static uint32_t n_files = 1, files_room;

static void row_label(uint64_t key, char *buf, size_t len)
{
    snprintf(buf, len, "%s:%u", files[key >> 32], (unsigned)key);
}

static struct pdump_detail_table table = {
    .name = "lines",
    .about = "lines of Python functions",
    .key = "line",
    .label = row_label,
};

/* A running frame. */
struct frame {
    const void *key;        /* the frame, or the code object if there is none */
    struct pdump_call call; /* its function's region */
    uint32_t file;          /* 0: not recorded */
    uint32_t line;          /* 0: none yet */
    bool is_read;           /* the counters were read at `start` */
    int64_t begin;          /* when the frame began or continued */
    int64_t called;         /* of its line: time in frames above it */
    int64_t start;
    int64_t counters[PDUMP_METRICS_MAX]; /* at `start` */
};

struct frames {
    struct frame *at;
    uint32_t n, room;
};
static __thread struct frames frames;

static pthread_key_t key_of_end;
static bool has_key;

static void at_thread_end(void *of_thread)
{
    struct frames *s = of_thread;

    free(s->at);
    *s = (struct frames){ 0 };
}

static uint32_t add_file(const char *file)
{
    const char *kept = pdump_name_keep(file, strlen(file));

    for (uint32_t i = 1; i < n_files; i++)
        if (files[i] == kept)
            return i;
    if (n_files >= files_room) {
        uint32_t room = files_room ? 2 * files_room : 64;
        const char **more = realloc(files, room * sizeof(*more));

        if (!more)
            return 0;
        files = more;
        files_room = room;
    }
    files[n_files] = kept;
    return kept ? n_files++ : 0;
}

static uint32_t file_of(void *code)
{
    const char *file;
    uint32_t *number = pdump_code_number(code, &file);

    if (number && !*number)
        *number = add_file(file);
    return number ? *number : 0;
}

static bool frames_grow(struct frames *s)
{
    uint32_t room = s->room ? 2 * s->room : 64;
    struct frame *at = realloc(s->at, room * sizeof(*at));

    if (!at)
        return false;
    if (!has_key)
        has_key = pthread_key_create(&key_of_end, at_thread_end) == 0;
    if (has_key)
        pthread_setspecific(key_of_end, s);
    s->at = at;
    s->room = room;
    return true;
}

/* The function's region is the innermost one now. */
static void frame_push(const void *key, void *code)
{
    struct frames *s = &frames;
    struct frame *f;

    if (s->n == s->room && !frames_grow(s))
        return;
    f = &s->at[s->n++];
    f->key = key;
    f->file = f->line = 0;
    if (!pdump_call_here(&f->call))
        return;
    f->file = file_of(code);
    f->called = 0;
    pdump_line_fields_make(&table, &f->call);
    f->begin = pdump_call_now();
}

static inline bool is_on_top(const struct frames *s, const void *key)
{
    return s->n && s->at[s->n - 1].key == key;
}

static inline bool has_counters(void)
{
    return table.n_fields > PDUMP_LINES_FIRST;
}

/* `counters` is NULL if there are none, or if they could not be read. */
static inline void end_line(struct frame *f, int64_t now,
                            const int64_t *counters)
{
    int64_t *row;

    if (!f->line)
        return;
    row = pdump_detail_row(&f->call, &table, (uint64_t)f->file << 32 | f->line);
    if (!row)
        return;
    row[PDUMP_LINES_HITS]++;
    row[PDUMP_LINES_TIME] += now - f->start;
    row[PDUMP_LINES_CALLED] += f->called;
    if (counters && f->is_read)
        pdump_line_fields_add(&table, row, f->counters, counters);
    pdump_detail_done(&f->call);
}

/* One reading of the counters serves the end of a line and the begin of the
 * next. */
static __attribute__((noinline)) void end_line_counted(struct frame *f)
{
    int64_t counters[PDUMP_METRICS_MAX], now = pdump_call_now();
    bool is_read = pdump_call_read(&f->call, counters);

    end_line(f, now, is_read ? counters : NULL);
    f->is_read = is_read;
    if (is_read)
        memcpy(f->counters, counters, sizeof(counters));
}

static inline void frame_end(struct frame *f)
{
    if (has_counters())
        end_line_counted(f);
    else
        end_line(f, pdump_call_now(), NULL);
}

/* The frame on top executes another line, or the same line again. */
static inline void begin_line(struct frame *f, long line)
{
    if (!f->file)
        return;
    frame_end(f);
    f->called = 0;
    f->line = line > 0 ? (uint32_t)line : 0;
    f->start = pdump_call_now(); /* our own work is not counted in any line */
}

/* The frame is not on top: the ends of frames above it were missed while
 * another tool had replaced the hook, or it is not recorded. */
static void pop_below(const void *key, void *code)
{
    struct frames *s = &frames;
    uint32_t n = s->n;

    if (pdump_code_name(code) == pdump_code_hidden)
        return;
    while (n && s->at[n - 1].key != key)
        n--;
    if (n)
        s->n = n - 1;
}

static inline bool frame_pop(const void *key)
{
    struct frames *s = &frames;
    struct frame *f;

    if (!is_on_top(s, key))
        return false;
    f = &s->at[--s->n];
    if (f->line)
        frame_end(f);
    if (s->n && f->file)
        f[-1].called += pdump_call_now() - f->begin;
    return true;
}

/* Events by PyEval_SetTrace(). */

static void *our_hook;
static bool is_on;

static void function_called(void *frame)
{
    void *code;

    if (!pdump_stack_wants_calls(&pdump_stack))
        return;
    code = pdump_py.PyFrame_GetCode(frame);
    if (pdump_code_name(code) != pdump_code_hidden) {
        pdump_profile_called(frame);
        frame_push(frame, code);
    }
    pdump_py.Py_DecRef(code);
}

static void function_returned(void *frame)
{
    void *code;

    if (!frame_pop(frame)) {
        code = pdump_py.PyFrame_GetCode(frame);
        pop_below(frame, code);
        pdump_py.Py_DecRef(code);
    }
    pdump_profile_returned(frame);
}

static int line_trace(void *self, void *frame, int what, void *arg)
{
    struct frames *s = &frames;

    (void)self;
    (void)arg;
    if (__builtin_expect(!is_on, 0))
        return 0;
    if (what == PDUMP_PY_LINE) {
        if (is_on_top(s, frame))
            begin_line(&s->at[s->n - 1], pdump_py.PyFrame_GetLineNumber(frame));
    } else if (what == PDUMP_PY_CALL) {
        function_called(frame);
    } else if (what == PDUMP_PY_RETURN && s->n) {
        function_returned(frame);
    }
    return 0;
}

static void trace_everywhere(pdump_py_tracer *tracer, void *arg)
{
    const struct pdump_py_setter setter = {
        .own = pdump_py.PyEval_SetTrace,
        .other = pdump_py._PyEval_SetTrace,
        .all = pdump_py.PyEval_SetTraceAllThreads,
    };

    pdump_py_set_everywhere(&setter, tracer, arg);
}

void pdump_lines_start(void *hook)
{
    our_hook = hook;
    is_on = true;
    trace_everywhere(line_trace, hook);
}

void pdump_lines_stop(int is_ours)
{
    is_on = false;
    if (is_ours)
        trace_everywhere(NULL, NULL);
}

void *pdump_lines_hook(void *self, void *const *args, intptr_t n_args)
{
    const char *event = NULL;
    size_t len;

    (void)self;
    if (!is_on) {
        pdump_py.PyEval_SetTrace(NULL, NULL);
        return pdump_py_none();
    }
    pdump_py.PyEval_SetTrace(line_trace, our_hook);
    if (n_args == 3)
        event = pdump_py_text(args[1], &len);
    if (!event)
        pdump_py.PyErr_Clear();
    else if (strcmp(event, "call") == 0)
        function_called(args[0]);
    return pdump_py_none();
}

/* Events by sys.monitoring: as in calls_by_monitoring.c, plus lines. */

static void push_code(void *code)
{
    if (pdump_stack_wants_calls(&pdump_stack) &&
        pdump_code_name(code) != pdump_code_hidden)
        frame_push(code, code);
}

static void pop_code(void *code)
{
    if (!frame_pop(code))
        pop_below(code, code);
}

void *pdump_lines_on_start(void *self, void *const *args, intptr_t n_args)
{
    void *answer = pdump_monitor_start(self, args, n_args);

    push_code(args[0]);
    return answer;
}

void *pdump_lines_on_resume(void *self, void *const *args, intptr_t n_args)
{
    void *answer = pdump_monitor_resume(self, args, n_args);

    push_code(args[0]);
    return answer;
}

void *pdump_lines_on_throw(void *self, void *const *args, intptr_t n_args)
{
    void *answer = pdump_monitor_throw(self, args, n_args);

    push_code(args[0]);
    return answer;
}

void *pdump_lines_on_return(void *self, void *const *args, intptr_t n_args)
{
    pop_code(args[0]);
    return pdump_monitor_return(self, args, n_args);
}

void *pdump_lines_on_yield(void *self, void *const *args, intptr_t n_args)
{
    pop_code(args[0]);
    return pdump_monitor_yield(self, args, n_args);
}

void *pdump_lines_on_unwind(void *self, void *const *args, intptr_t n_args)
{
    pop_code(args[0]);
    return pdump_monitor_unwind(self, args, n_args);
}

void *pdump_lines_on_line(void *self, void *const *args, intptr_t n_args)
{
    struct frames *s = &frames;

    (void)self;
    if (n_args < 2)
        return pdump_py_none();
    if (!is_on_top(s, args[0]))
        return pdump_monitor_never_if_hidden(args[0]);
    begin_line(&s->at[s->n - 1], pdump_py.PyLong_AsLong(args[1]));
    return pdump_py_none();
}
