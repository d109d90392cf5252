/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the stack of the calling thread. */
#include "stacks/walk.h"
#include "stacks/module_table.h"
#include "stacks/safe_read.h"
#include "stacks/walk_private.h"

#include <string.h>

enum {
    SIGNALS_MAX = 8,         /* handlers that interrupt handlers */
    FRAME_MAX = 1024 * 1024, /* bytes, if only the frame pointer is known */
};

enum step { GO_ON, FINISHED, STUCK };

static void set(struct pdump_walker *w, int reg, uint64_t value)
{
    w->reg[reg] = value;
    w->is_known |= 1u << reg;
}

/* Returns the module's number, also if it is not yet in this stack's list. */
static int module_of(struct pdump_walker *w, uintptr_t code)
{
    int found;

    for (int i = 0; i < w->n_modules; i++) {
        const struct pdump_module *m = pdump_module_table_at(w->modules[i]);

        if (code - m->start < m->end - m->start)
            return w->modules[i];
    }
    found = pdump_module_table_find(code);
    if (found >= 0 && w->n_modules < PDUMP_WALK_MODULES_MAX)
        w->modules[w->n_modules++] = (uint16_t)found;
    return found;
}

static const unsigned char saved_list[] = PDUMP_ARCH_SAVED_LIST;

/* Finds out which registers a row says something about. */
static void known_prepare(struct pdump_walk_known *k)
{
    k->in_memory = 0;
    k->unchanged = 0;
    for (int i = 0; i < PDUMP_ARCH_SAVED; i++) {
        int16_t words = k->row.saved[i];

        if (words == PDUMP_UNWIND_SAME && !(k->row.by_frame >> i & 1))
            k->unchanged |= 1u << saved_list[i];
        else if (words != PDUMP_UNWIND_LOST)
            k->in_memory |= (uint16_t)(1u << i);
    }
}

static const struct pdump_walk_known *row_of(struct pdump_walker *w,
                                             uintptr_t code, int module)
{
    uint64_t hash = code * UINT64_C(0x9e3779b97f4a7c15);
    struct pdump_walk_known *k = &w->known[hash >> 40 & (PDUMP_WALK_ROWS - 1)];

    if (module < 0)
        return NULL;
    if (k->code != code || k->module != module) {
        k->code = code;
        k->module = (uint16_t)module;
        if (!pdump_unwind_row_find(&w->buffer,
                                   pdump_module_table_at(module)->header, code,
                                   &k->row))
            k->row.kind = PDUMP_UNWIND_NONE;
        known_prepare(k);
    }
    return k->row.kind == PDUMP_UNWIND_NONE ? NULL : k;
}

/* Continue in the caller: at `pc`, with this stack pointer. */
static enum step go_to(struct pdump_walker *w, uint64_t pc, uint64_t sp)
{
    uint64_t last = w->reg[PDUMP_ARCH_SP];

    /* The innermost function may have nothing on the stack. */
    if (sp < last || (sp == last && !w->is_interrupted))
        return STUCK;
    w->pc = pdump_arch_code(pc);
    w->reg[PDUMP_ARCH_SP] = sp;
    w->is_interrupted = false;
    return w->pc ? GO_ON : FINISHED;
}

/* Without unwind information: the frame pointer points to that of the caller,
 * and to the return address behind it. */
static enum step step_by_pointer(struct pdump_walker *w)
{
    uint64_t fp = w->reg[PDUMP_ARCH_FP], pair[2];
    uint64_t sp = w->reg[PDUMP_ARCH_SP];

    if (!(w->is_known & 1u << PDUMP_ARCH_FP))
        return STUCK;
    if (!fp)
        return FINISHED;
    if (fp < sp || fp - sp > FRAME_MAX || fp % 8 ||
        !pdump_walk_word(w, fp, &pair[0]) ||
        !pdump_walk_word(w, fp + 8, &pair[1]))
        return STUCK;
    w->is_known = 1u << PDUMP_ARCH_SP;
    set(w, PDUMP_ARCH_FP, pair[0]);
    return go_to(w, pair[1], fp + 16);
}

/* Returns true if code at that address can be what a call returns to. */
static bool is_return(struct pdump_walker *w, uintptr_t address)
{
    unsigned char before[PDUMP_ARCH_CALL_MAX];
    int module = module_of(w, address - 1);

    return row_of(w, address - 1, module) &&
           pdump_safe_read(before, address - sizeof(before), sizeof(before)) &&
           pdump_arch_is_call(before);
}

/* For a function without unwind information that has just begun, as _init() of
 * a library: its return address is where the call has put it, or one word
 * further. */
static enum step step_by_look(struct pdump_walker *w)
{
    uint64_t sp = w->reg[PDUMP_ARCH_SP], word = w->reg[PDUMP_ARCH_RA];

    w->is_known &= ~(1u << PDUMP_ARCH_RA);
    if (PDUMP_ARCH_HAS_LINK)
        return is_return(w, pdump_arch_code(word)) ? go_to(w, word, sp) : STUCK;
    for (uint64_t at = sp; at <= sp + 8; at += 8)
        if (pdump_walk_word(w, at, &word) && is_return(w, word))
            return go_to(w, word, at + 8);
    return STUCK;
}

/* All registers are known where code was interrupted, but the return address
 * is in one of them only if the processor has one for it. */
static void walk_from(struct pdump_walker *w, const ucontext_t *context)
{
    pdump_arch_start(context, w->reg, &w->pc);
    w->is_known = PDUMP_ARCH_HAS_LINK ? ~0u : ~(1u << PDUMP_ARCH_RA);
    w->is_interrupted = true;
}

/* The kernel has saved all registers of the code that a signal interrupted. */
static enum step step_by_signal(struct pdump_walker *w)
{
    uintptr_t at = pdump_arch_signal_context(w->reg[PDUMP_ARCH_SP]);

    _Static_assert(sizeof(w->chunk) >= PDUMP_ARCH_CONTEXT_SIZE, "room");
    w->chunk_n = 0;
    if (++w->n_signals > SIGNALS_MAX ||
        !pdump_safe_read(w->chunk, at, PDUMP_ARCH_CONTEXT_SIZE))
        return STUCK;
    walk_from(w, (const ucontext_t *)(const void *)w->chunk);
    return w->pc ? GO_ON : STUCK;
}

/* Returns true if a signal handler returns to this code, which has no unwind
 * information: that of programs that do not use the C library's. */
static bool is_trampoline(const struct pdump_walker *w)
{
    unsigned char bytes[PDUMP_ARCH_TRAMPOLINE_MAX];

    return pdump_safe_read(bytes, w->pc, sizeof(bytes)) &&
           pdump_arch_is_trampoline(bytes);
}

/* Finds the CFA. */
static bool frame_address(struct pdump_walker *w,
                          const struct pdump_unwind_row *row, uint64_t *cfa)
{
    uint64_t base = w->reg[row->reg] + (uint64_t)(int64_t)row->offset;

    if (row->kind == PDUMP_UNWIND_PLT) {
        *cfa = w->reg[PDUMP_ARCH_SP] + 8 +
               ((int64_t)(w->pc & 15) >= row->offset ? 8 : 0);
        return true;
    }
    if (!(w->is_known & 1u << row->reg))
        return false;
    if (row->kind == PDUMP_UNWIND_MEMORY) {
        if (!pdump_walk_word(w, base, cfa))
            return false;
        *cfa += (uint64_t)(int64_t)row->more;
        return true;
    }
    *cfa = base;
    return true;
}

static enum step step_by_row(struct pdump_walker *w,
                             const struct pdump_walk_known *known)
{
    const struct pdump_unwind_row *row = &known->row;
    uint64_t cfa, frame = w->reg[PDUMP_ARCH_FP];
    uint32_t was_known = w->is_known;

    if (!frame_address(w, row, &cfa))
        return STUCK;
    w->is_known = 1u << PDUMP_ARCH_SP | (was_known & known->unchanged);
    if (row->link && was_known >> (row->link - 1) & 1)
        set(w, PDUMP_ARCH_RA, w->reg[row->link - 1]);
    for (unsigned left = known->in_memory; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        uint64_t base = row->by_frame >> i & 1 ? frame : cfa;

        if (pdump_walk_word(w, base + (uint64_t)(row->saved[i] * INT64_C(8)),
                            &w->reg[saved_list[i]]))
            w->is_known |= 1u << saved_list[i];
    }
    if (!(w->is_known & 1u << PDUMP_ARCH_RA))
        return STUCK;
    w->is_known &= ~(1u << PDUMP_ARCH_RA); /* the call has changed it */
    return go_to(w, w->reg[PDUMP_ARCH_RA], cfa);
}

static enum step walk_step(struct pdump_walker *w)
{
    uintptr_t code = w->is_interrupted ? w->pc : w->pc - 1;
    int module = module_of(w, code);
    const struct pdump_walk_known *row = row_of(w, code, module);
    bool is_outermost = false;

    /* A function that begins where no call has been is what signal handlers
     * return to, or what makecontext() has put below a coroutine. */
    if (!row && !w->is_interrupted && module >= 0) {
        row = row_of(w, w->pc, module);
        is_outermost = row && row->row.kind != PDUMP_UNWIND_SIGNAL;
        code += is_outermost;
    }
    w->frames[w->n].code = code;
    w->frames[w->n].sp = w->reg[PDUMP_ARCH_SP];
    w->frames[w->n++].module = module;
    if (is_outermost)
        return FINISHED;
    if (!row && is_trampoline(w))
        return step_by_signal(w);
    if (!row && w->is_interrupted) {
        enum step step = step_by_look(w);

        return step == STUCK ? step_by_pointer(w) : step;
    }
    if (!row)
        return step_by_pointer(w);
    switch (row->row.kind) {
    case PDUMP_UNWIND_END:
        return FINISHED;
    case PDUMP_UNWIND_SIGNAL:
        return step_by_signal(w);
    default:
        return step_by_row(w, row);
    }
}

static void walk_once(struct pdump_walker *w, const ucontext_t *context)
{
    enum step step = GO_ON;

    w->n = w->n_modules = w->n_signals = 0;
    w->chunk_n = 0;
    walk_from(w, context);
    pdump_walk_memory_start(w);
    while (step == GO_ON && w->n < PDUMP_WALK_FRAMES_MAX)
        step = walk_step(w);
    w->is_finished = step == FINISHED;
}

void pdump_walk(struct pdump_walker *w, const ucontext_t *context)
{
    walk_once(w, context);
    if (pdump_module_table_check(w->modules, w->n_modules))
        return;
    memset(w->known, 0, sizeof(w->known));
    walk_once(w, context);
}
