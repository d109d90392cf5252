/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `with region:` without any Python code: a type made by PyType_FromSpec.  Its
 * objects have no state but a name; any number of threads may share one.
 */
#include "region_type.h"
#include "cpython.h"
#include "name_pool.h"
#include "python_cost.h"
#include "region_stack.h"

struct region {
    struct pdump_py_object head;
    void *name; /* str */
    void *file; /* str, or NULL */
    int line;
    unsigned epoch; /* session that has the file and line */
    const char *text;
};

static void region_place(struct region *r)
{
    size_t len;
    const char *file = r->file ? pdump_py_text(r->file, &len) : NULL;

    r->epoch = pdump_epoch;
    if (file && pdump_is_session)
        pdump_name_place(r->text, file, r->line);
    pdump_py.PyErr_Clear();
}

static void *region_enter(void *self, void *unused)
{
    struct region *r = self;

    (void)unused;
    if (__builtin_expect(r->epoch != pdump_epoch, 0)) {
        if (!pdump_cost_first_block())
            return NULL;
        region_place(r);
    }
    pdump_stack_begin(r->text);
    return pdump_py_hold(self);
}

static void *region_leave(void *self, void *const *args, intptr_t n_args)
{
    (void)args;
    (void)n_args;
    pdump_stack_end_block(((struct region *)self)->text);
    return pdump_py_none();
}

static void *return_none(void *self, void *unused)
{
    (void)unused;
    return pdump_py_hold(self);
}

void *pdump_nothing(void *self, void *const *args, intptr_t n_args)
{
    (void)self;
    (void)args;
    (void)n_args;
    return pdump_py_none();
}

static void *quiet;

void *pdump_quiet_use(void *self, void *object)
{
    (void)self;
    pdump_py.Py_IncRef(object);
    pdump_py.Py_DecRef(quiet);
    quiet = object;
    return pdump_py_none();
}

/* Tests for str first: names are by far the most frequent. */
static int is_function(void *object)
{
    const struct pdump_py_object *o = object;
    void *inner;

    if (o->type == pdump_py.PyUnicode_Type || object == pdump_py._Py_NoneStruct)
        return 0;
    if (pdump_py.PyCallable_Check(object))
        return 1;
    /* Not callable: classmethod and, before Python 3.10, staticmethod. */
    inner = pdump_py.PyObject_GetAttrString(object, "__func__");
    pdump_py.PyErr_Clear();
    pdump_py.Py_DecRef(inner);
    return inner != NULL;
}

void *pdump_quiet_region(void *self, void *const *args, intptr_t n_args)
{
    void *result = n_args > 0 && is_function(args[0]) ? args[0] : quiet;

    (void)self;
    return pdump_py_hold(result);
}

static void *region_make(void *type, void *args, void *kwargs)
{
    static char *keys[] = { "name", "file", "line", NULL };
    void *name, *file = NULL;
    const char *text;
    struct region *r;
    size_t len;
    int line = 0;

    if (!pdump_py.PyArg_ParseTupleAndKeywords(args, kwargs, "O|Oi:Region", keys,
                                              &name, &file, &line))
        return NULL;
    text = pdump_py_text(name, &len);
    text = text ? pdump_name_keep(text, len) : NULL;
    if (!text)
        return NULL;
    r = pdump_py.PyType_GenericAlloc(type, 0);
    if (!r)
        return NULL;
    r->text = text;
    r->line = line;
    r->file = file;
    pdump_py.Py_IncRef(file);
    r->name = pdump_py.PyUnicode_DecodeUTF8(text, (intptr_t)len, "replace");
    if (!r->name) {
        pdump_py.Py_DecRef(r);
        return NULL;
    }
    return r;
}

static void region_drop(void *self)
{
    struct region *r = self;
    void *type = r->head.type;
    void (*release)(void *) =
        (void (*)(void *))pdump_py.PyType_GetSlot(type, PDUMP_PY_TP_FREE);

    pdump_py.Py_DecRef(r->name);
    pdump_py.Py_DecRef(r->file);
    release(self);
    pdump_py.Py_DecRef(type);
}

static void *region_describe(void *self)
{
    return pdump_py.PyUnicode_FromFormat("region(%R)",
                                         ((struct region *)self)->name);
}

static struct pdump_py_method methods[] = {
    { "__enter__", region_enter, PDUMP_PY_NOARGS, "Enter the region." },
    { "__exit__", region_leave, PDUMP_PY_FASTCALL, "Leave the region." },
    { 0 },
};

static struct pdump_py_member members[] = {
    { "name", PDUMP_PY_T_OBJECT, offsetof(struct region, name),
      PDUMP_PY_READONLY, "Its name." },
    { "file", PDUMP_PY_T_OBJECT, offsetof(struct region, file),
      PDUMP_PY_READONLY, "Where it is, if that is known." },
    { "line", PDUMP_PY_T_INT, offsetof(struct region, line), PDUMP_PY_READONLY,
      "The line there." },
    { 0 },
};

void *pdump_region_type(void)
{
    static struct pdump_py_slot slots[] = {
        { PDUMP_PY_TP_DOC, "Region(name, file='', line=0)\n--\n\nA region." },
        { PDUMP_PY_TP_NEW, region_make },
        { PDUMP_PY_TP_DEALLOC, region_drop },
        { PDUMP_PY_TP_REPR, region_describe },
        { PDUMP_PY_TP_METHODS, methods },
        { PDUMP_PY_TP_MEMBERS, members },
        { 0 },
    };
    static struct pdump_py_type_spec spec = {
        .name = "pdump_python.Region",
        .size = sizeof(struct region),
        .flags = PDUMP_PY_SUBCLASSABLE,
        .slots = slots,
    };

    return pdump_py.PyType_FromSpec(&spec);
}

void *pdump_noop_type(void)
{
    static struct pdump_py_method idle[] = {
        { "__enter__", return_none, PDUMP_PY_NOARGS, "Do nothing." },
        { "__exit__", pdump_nothing, PDUMP_PY_FASTCALL, "Do nothing." },
        { 0 },
    };
    static struct pdump_py_slot slots[] = {
        { PDUMP_PY_TP_DOC, "A region that is not recorded." },
        { PDUMP_PY_TP_METHODS, idle },
        { 0 },
    };
    static struct pdump_py_type_spec spec = {
        .name = "pdump_python.Noop",
        .size = sizeof(struct pdump_py_object),
        .flags = PDUMP_PY_SUBCLASSABLE,
        .slots = slots,
    };

    return pdump_py.PyType_FromSpec(&spec);
}
