/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdump_python.so: an extension module of CPython, made without Python.h.
 *
 * _native.py loads it.  It contains the types behind pdump.region(), and the
 * automatic instrumentation of `python -m pdump`.
 */
#include "calls_by_monitoring.h"
#include "calls_by_setprofile.h"
#include "code_object.h"
#include "cpython.h"
#include "hidden.h"
#include "lines.h"
#include "name_pool.h"
#include "process_end.h"
#include "region_type.h"
#include "region_stack.h"
#include "suspended_regions.h"
#include "python_cost.h"
#include "python_stacks.h"
#include "wrapped_call.h"

#include "probe/handshake.h"
#include "probe/program_region.h"
#include "probe/run_join.h"

#include <pdump.h>

#include <limits.h>

enum { ORIGIN_MAX = PATH_MAX + 128 };

/* Returns the name of a region, or NULL with an exception. */
static const char *name_of(void *object)
{
    size_t len;
    const char *text = pdump_py_text(object, &len);

    return text ? pdump_name_keep(text, len) : NULL;
}

static void *region_begin(void *self, void *name)
{
    const char *text = name_of(name);

    (void)self;
    return text ? pdump_py.PyLong_FromLong(pdump_stack_begin(text)) : NULL;
}

static void *region_end(void *self, void *name)
{
    const struct pdump_stack *s = pdump_stack_here();
    const char *text;

    (void)self;
    if (name == pdump_py._Py_NoneStruct) { /* the program's innermost region */
        uint32_t n = s->n;

        while (n && s->entries[n - 1].key != s->entries[n - 1].name)
            n--;
        text = n ? s->entries[n - 1].name : NULL;
        return pdump_py.PyLong_FromLong(text ? pdump_stack_end(text)
                                             : pdump_region_end(NULL));
    }
    text = name_of(name);
    return text ? pdump_py.PyLong_FromLong(pdump_stack_end(text)) : NULL;
}

static void *region_depth(void *self, void *unused)
{
    (void)self;
    (void)unused;
    return pdump_py.PyLong_FromLong((long)pdump_stack_here()->n);
}

/* suspend(depth): returns a number for resume(), or None if nothing was
 * open. */
static void *regions_suspend(void *self, void *mark)
{
    static long token; /* small and odd: never the address of a frame */
    long first = pdump_py.PyLong_AsLong(mark);
    uint32_t n = pdump_n_suspended;

    (void)self;
    if (first < 0)
        return NULL;
    token += 2;
    pdump_stack_suspend_above((uint32_t)first, (void *)(token | 1));
    if (pdump_n_suspended == n)
        return pdump_py_none();
    return pdump_py.PyLong_FromLong(token | 1);
}

static void *regions_resume(void *self, void *token)
{
    (void)self;
    if (token != pdump_py._Py_NoneStruct)
        pdump_stack_resume((void *)pdump_py.PyLong_AsLong(token));
    return pdump_py_none();
}

/* Returns the address of pdump_init(), to compare it with that of cffi's
 * library. */
static void *library_address(void *self, void *unused)
{
    (void)self;
    (void)unused;
    return pdump_py.PyLong_FromLong((long)(intptr_t)pdump_init);
}

/* Returns what a process that was not forked needs to join the run. */
static void *run_origin(void *self, void *unused)
{
    char text[ORIGIN_MAX];

    (void)self;
    (void)unused;
    if (pdump_run_join_tell(text, sizeof(text)) < 0)
        return pdump_py_none();
    return pdump_py.PyUnicode_DecodeFSDefault(text);
}

static void *run_adopt(void *self, void *text)
{
    size_t len;
    const char *from = pdump_py_text(text, &len);

    (void)self;
    return from ? pdump_py.PyLong_FromLong(pdump_run_join_by(from)) : NULL;
}

static void *new_session(void *self, void *unused)
{
    (void)self;
    (void)unused;
    pdump_stack_new_session();
    return pdump_py_none();
}

static void *end_session(void *self, void *unused)
{
    (void)self;
    (void)unused;
    pdump_stack_end_session();
    return pdump_py_none();
}

static void *filter_ask(void *self, void *args)
{
    void *of_code, *of_c;

    (void)self;
    if (!pdump_py.PyArg_ParseTuple(args, "OO", &of_code, &of_c))
        return NULL;
    pdump_code_ask(of_code, of_c);
    return pdump_py_none();
}

static void *set_default(void *self, void *flag)
{
    (void)self;
    pdump_mode_default = pdump_py.PyObject_IsTrue(flag) == 1;
    return pdump_py_none();
}

static void *push_mode(void *self, void *flag)
{
    (void)self;
    pdump_stack_push_mode(pdump_py.PyObject_IsTrue(flag) == 1);
    return pdump_py_none();
}

static void *wants_calls(void *self, void *unused)
{
    (void)self;
    (void)unused;
    return pdump_py.PyLong_FromLong(pdump_stack_wants_calls(&pdump_stack));
}

static void *pop_mode(void *self, void *unused)
{
    (void)self;
    (void)unused;
    pdump_stack_pop_mode();
    return pdump_py_none();
}

/* new_threads(flag): begin or end of instrumenter.enable().  Returns whether
 * threads that were started inside still run. */
static void *new_threads(void *self, void *flag)
{
    (void)self;
    if (pdump_py.PyObject_IsTrue(flag) == 1)
        pdump_heirs_begin();
    else
        pdump_heirs_end();
    return pdump_py.PyLong_FromLong(pdump_heirs_are_there());
}

static void *leave_all(void *self, void *unused)
{
    (void)self;
    (void)unused;
    pdump_stack_leave_all();
    return pdump_py_none();
}

static void *profile_start(void *self, void *flag)
{
    void *hook = pdump_py.PyObject_GetAttrString(self, "profile_hook");

    if (!hook)
        return NULL;
    pdump_profile_start(hook, pdump_py.PyObject_IsTrue(flag) == 1);
    return hook; /* a reference for the thread that has no other */
}

static void *profile_stop(void *self, void *flag)
{
    (void)self;
    pdump_profile_stop(pdump_py.PyObject_IsTrue(flag) == 1);
    return pdump_py_none();
}

static void *profile_events(void *self, void *unused)
{
    (void)self;
    (void)unused;
    return pdump_py.PyLong_FromLong((long)pdump_profile_n_events);
}

static void *lines_start(void *self, void *unused)
{
    void *hook = pdump_py.PyObject_GetAttrString(self, "lines_hook");

    (void)unused;
    if (hook)
        pdump_lines_start(hook);
    return hook; /* a reference for the thread that has no other */
}

static void *lines_stop(void *self, void *flag)
{
    (void)self;
    pdump_lines_stop(pdump_py.PyObject_IsTrue(flag) == 1);
    return pdump_py_none();
}

/* forget(): the rules of ask()'s callables have changed. */
static void *answers_forget(void *self, void *unused)
{
    (void)self;
    (void)unused;
    pdump_code_forget();
    return pdump_py_none();
}

static void *monitor_use(void *self, void *disable)
{
    (void)self;
    pdump_monitor_use(disable);
    return pdump_py_none();
}

static void *catch_term(void *self, void *flag)
{
    (void)self;
    pdump_ending_catch_term(pdump_py.PyObject_IsTrue(flag) == 1);
    return pdump_py_none();
}

enum { ARGUMENTS_MAX = 15 };

/* drop(): the session ends, and no file is written. */
static void *session_drop(void *self, void *unused)
{
    (void)self;
    (void)unused;
    pdump_program_drop();
    return pdump_py_none();
}

/* run_at_end(program, argument...) */
static void *run_at_end(void *self, void *const *args, intptr_t n_args)
{
    const char *argv[ARGUMENTS_MAX + 1] = { NULL };
    size_t len;

    (void)self;
    for (intptr_t i = 0; i < n_args && i < ARGUMENTS_MAX; i++) {
        argv[i] = pdump_py_text(args[i], &len);
        if (!argv[i])
            return NULL;
    }
    return pdump_py.PyLong_FromLong(pdump_ending_run((char *const *)argv));
}

static struct pdump_py_method methods[] = {
    { "begin", region_begin, PDUMP_PY_ONE,
      "Begin a region; a pdump_error or 0." },
    { "end", region_end, PDUMP_PY_ONE, "End a region (None: the innermost)." },
    { "use_quiet", pdump_quiet_use, PDUMP_PY_ONE, "What quiet() gives." },
    { "quiet", pdump_quiet_region, PDUMP_PY_FASTCALL | PDUMP_PY_KEYWORDS,
      "region(), if nothing is recorded." },
    { "nothing", pdump_nothing, PDUMP_PY_FASTCALL | PDUMP_PY_KEYWORDS,
      "Do nothing." },
    { "depth", region_depth, PDUMP_PY_NOARGS,
      "How many regions are open here." },
    { "suspend", regions_suspend, PDUMP_PY_ONE, "End those above a depth." },
    { "resume", regions_resume, PDUMP_PY_ONE, "Begin them again." },
    { "address", library_address, PDUMP_PY_NOARGS, "Of pdump_init()." },
    { "origin", run_origin, PDUMP_PY_NOARGS, "For adopt(), or None." },
    { "adopt", run_adopt, PDUMP_PY_ONE, "Join the run of another process." },
    { "new_session", new_session, PDUMP_PY_NOARGS, "pdump_init() was called." },
    { "end_session", end_session, PDUMP_PY_NOARGS,
      "pdump_finalize() will be called." },
    { "ask", filter_ask, PDUMP_PY_VARARGS, "Who names code and C functions." },
    { "forget", answers_forget, PDUMP_PY_NOARGS, "Ask again." },
    { "set_default", set_default, PDUMP_PY_ONE, "Record calls, or not." },
    { "push_mode", push_mode, PDUMP_PY_ONE, "Record this thread's calls?" },
    { "wants_calls", wants_calls, PDUMP_PY_NOARGS,
      "Are this thread's calls recorded?" },
    { "pop_mode", pop_mode, PDUMP_PY_NOARGS, "As before the last push." },
    { "new_threads", new_threads, PDUMP_PY_ONE, "Record new threads' calls?" },
    { "leave_all", leave_all, PDUMP_PY_NOARGS, "End this thread's functions." },
    { "profile_start", profile_start, PDUMP_PY_ONE, "Call us; C functions?" },
    { "profile_stop", profile_stop, PDUMP_PY_ONE, "No more; still ours?" },
    { "profile_hook", pdump_profile_hook, PDUMP_PY_FASTCALL,
      "For threading.setprofile()." },
    { "profile_events", profile_events, PDUMP_PY_NOARGS, "How many, ever." },
    { "monitor_use", monitor_use, PDUMP_PY_ONE, "sys.monitoring.DISABLE" },
    { "on_start", pdump_monitor_start, PDUMP_PY_FASTCALL, "PY_START" },
    { "on_resume", pdump_monitor_resume, PDUMP_PY_FASTCALL, "PY_RESUME" },
    { "on_throw", pdump_monitor_throw, PDUMP_PY_FASTCALL, "PY_THROW" },
    { "on_return", pdump_monitor_return, PDUMP_PY_FASTCALL, "PY_RETURN" },
    { "on_yield", pdump_monitor_yield, PDUMP_PY_FASTCALL, "PY_YIELD" },
    { "on_unwind", pdump_monitor_unwind, PDUMP_PY_FASTCALL, "PY_UNWIND" },
    { "on_c_call", pdump_monitor_c_call, PDUMP_PY_FASTCALL, "CALL" },
    { "on_c_end", pdump_monitor_c_end, PDUMP_PY_FASTCALL, "C_RETURN, C_RAISE" },
    { "cost_begin", pdump_cost_begin, PDUMP_PY_NOARGS,
      "Throw away what follows." },
    { "cost_end", pdump_cost_end, PDUMP_PY_NOARGS,
      "Back; the shortest visit." },
    { "cost_keep", pdump_cost_keep, PDUMP_PY_FASTCALL, "What a visit costs." },
    { "cost_ask", pdump_cost_ask, PDUMP_PY_ONE, "Called once by a region." },
    { "cost_is_known", pdump_cost_is_known, PDUMP_PY_ONE,
      "Of functions; regions." },
    { "lines_start", lines_start, PDUMP_PY_NOARGS, "Have lines traced." },
    { "lines_stop", lines_stop, PDUMP_PY_ONE, "No more; still ours?" },
    { "lines_hook", pdump_lines_hook, PDUMP_PY_FASTCALL,
      "For threading.settrace()." },
    { "line_on_start", pdump_lines_on_start, PDUMP_PY_FASTCALL, "PY_START" },
    { "line_on_resume", pdump_lines_on_resume, PDUMP_PY_FASTCALL, "PY_RESUME" },
    { "line_on_throw", pdump_lines_on_throw, PDUMP_PY_FASTCALL, "PY_THROW" },
    { "line_on_return", pdump_lines_on_return, PDUMP_PY_FASTCALL, "PY_RETURN" },
    { "line_on_yield", pdump_lines_on_yield, PDUMP_PY_FASTCALL, "PY_YIELD" },
    { "line_on_unwind", pdump_lines_on_unwind, PDUMP_PY_FASTCALL, "PY_UNWIND" },
    { "line_on_line", pdump_lines_on_line, PDUMP_PY_FASTCALL, "LINE" },
    { "hidden", pdump_hidden, PDUMP_PY_VARARGS, "Call it, unseen." },
    { "then", pdump_hidden_then, PDUMP_PY_VARARGS,
      "Call the first, seen, then the second, unseen." },
    { "first", pdump_hidden_first, PDUMP_PY_VARARGS,
      "Call the first, unseen, then the second, seen." },
    { "execute", pdump_hidden_execute, PDUMP_PY_VARARGS,
      "Call it, seen, and nothing after it." },
    { "come_back", pdump_hidden_come_back, PDUMP_PY_NOARGS,
      "After execute(): seen again." },
    { "callee", pdump_calls_callee, PDUMP_PY_ONE, "For call_begin()." },
    { "place", pdump_calls_place, PDUMP_PY_ONE, "For call_end()." },
    { "stack", pdump_calls_stack, PDUMP_PY_ONE, "Of who calls the caller." },
    { "call_begin", pdump_calls_begin, PDUMP_PY_ONE, "Is it recorded?" },
    { "call_end", pdump_calls_end, PDUMP_PY_FASTCALL,
      "Of the innermost: place, bytes sent and received, requests completed, "
      "their time in flight." },
    { "catch_term", catch_term, PDUMP_PY_ONE, "A dump at SIGTERM." },
    { "drop", session_drop, PDUMP_PY_NOARGS,
      "End the session, write nothing." },
    { "run_at_end", run_at_end, PDUMP_PY_FASTCALL,
      "Run a program after Python and MPI have ended." },
    { 0 },
};

/* Returns NULL with an exception. */
static void *argument_fail(const char *why)
{
    if (pdump_py.PyErr_SetString && pdump_py.PyExc_RuntimeError)
        pdump_py.PyErr_SetString(*(void **)pdump_py.PyExc_RuntimeError, why);
    return NULL;
}

PDUMP_API void *PyInit_pdump_python(void);

void *PyInit_pdump_python(void)
{
    static struct pdump_py_module definition = {
        .head = { .n_references = 1 },
        .name = "pdump_python",
        .doc = "The parts of pdump that are not written in Python.",
        .size = -1,
        .methods = methods,
    };
    void *module;

    if (pdump_cpython_find())
        return argument_fail("this Python lacks what pdump needs");
    if (!pdump_probe_is_open())
        return argument_fail("it is of another release than libpdump.so");
    module = pdump_py.PyModule_Create2(&definition, 3);
    if (!module)
        return NULL;
    pdump_stack_watch_forks();
    pdump_python_stacks_start();
    if (pdump_py.PyModule_AddObject(module, "Region", pdump_region_type()) <
            0 ||
        pdump_py.PyModule_AddObject(module, "Noop", pdump_noop_type()) < 0)
        return NULL;
    return module;
}
