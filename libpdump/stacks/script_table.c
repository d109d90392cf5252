/* SPDX-License-Identifier: BSD-3-Clause */
/* The code of an interpreter, found by its address. */
#include "stacks/script_table.h"
#include "stacks/handler_turn.h"
#include "stacks/safe_read.h"
#include "store/store_layout.h"

#include <string.h>

enum {
    SLOTS = 2 * PDUMP_SCRIPTS_MAX, /* a power of two */
    TEXT_MAX = 4096,               /* of a file, of a name */
    LINES_MAX = 65536,
};

static struct script {
    struct pdump_interpreter_code code;
    _Atomic uint32_t record;
} scripts[PDUMP_SCRIPTS_MAX];

/* 1 + the number of a script, or 0. */
static _Atomic uint16_t slots[SLOTS];
static _Atomic int n_scripts;
static atomic_flag turn = ATOMIC_FLAG_INIT;

/* Too large for the stack of a signal handler. */
static char bytes[2 * TEXT_MAX + LINES_MAX];

static bool is_same(const struct pdump_interpreter_code *a,
                    const struct pdump_interpreter_code *b)
{
    return a->code == b->code && a->file == b->file && a->name == b->name &&
           a->lines == b->lines && a->first_line == b->first_line &&
           a->mark == b->mark;
}

/* Returns the slot of the code, or the free slot for it. */
static _Atomic uint16_t *slot_of(const struct pdump_interpreter_code *code)
{
    size_t i = (code->code >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 40;

    for (;; i++) {
        _Atomic uint16_t *slot = &slots[i % SLOTS];
        unsigned n = atomic_load_explicit(slot, memory_order_acquire);

        if (n == 0 || is_same(&scripts[n - 1].code, code))
            return slot;
    }
}

int pdump_script_table_find(const struct pdump_interpreter_code *code)
{
    _Atomic uint16_t *slot = slot_of(code);

    if (!*slot && n_scripts < PDUMP_SCRIPTS_MAX &&
        pdump_handler_turn_take(&turn)) {
        slot = slot_of(code); /* maybe added meanwhile */
        if (!*slot && n_scripts < PDUMP_SCRIPTS_MAX) {
            scripts[n_scripts].code = *code;
            n_scripts++;
            atomic_store_explicit(slot, (uint16_t)n_scripts,
                                  memory_order_release);
        }
        pdump_handler_turn_end(&turn);
    }
    return *slot - 1;
}

static uint32_t record_make(struct pdump_store *store, _Atomic int64_t *left,
                            struct script *s)
{
    const struct pdump_interpreter *of = pdump_interpreter_now();
    struct pdump_script_record *rec;
    size_t file, name, lines;
    int64_t size;
    uint32_t ref;

    if (!of)
        return 0;
    file = of->text(pdump_safe_read, s->code.file, bytes, TEXT_MAX - 1);
    bytes[file++] = '\0';
    name = of->text(pdump_safe_read, s->code.name, bytes + file, TEXT_MAX - 1);
    bytes[file + name++] = '\0';
    lines = of->bytes(pdump_safe_read, s->code.lines, bytes + file + name,
                      LINES_MAX);
    size = (int64_t)(sizeof(*rec) + file + name + lines);
    if (atomic_fetch_sub(left, size) < size ||
        !(ref = pdump_store_alloc_now(store, (size_t)size))) {
        atomic_fetch_add(left, size);
        return 0;
    }
    rec = pdump_store_at(pdump_store_base(store), ref);
    memcpy(rec->bytes, bytes, file + name + lines);
    rec->line_table = of->line_table;
    rec->first_line = (int32_t)s->code.first_line;
    rec->n_file = (uint32_t)file;
    rec->n_name = (uint32_t)name;
    rec->n_lines = (uint32_t)lines;
    atomic_store_explicit(&s->record, ref, memory_order_release);
    return ref;
}

uint32_t pdump_script_table_record(struct pdump_store *store,
                                   _Atomic int64_t *left, int script)
{
    struct script *s = &scripts[script];
    uint32_t ref = atomic_load_explicit(&s->record, memory_order_acquire);

    if (!ref && pdump_handler_turn_take(&turn)) {
        ref = s->record ? s->record : record_make(store, left, s);
        pdump_handler_turn_end(&turn);
    }
    return ref;
}

void pdump_script_table_forget(void)
{
    atomic_flag_clear(&turn);
    for (int i = 0; i < n_scripts; i++)
        scripts[i].record = 0;
}
