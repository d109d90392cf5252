/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Puts the frames of an interpreter into a stack that was walked.
 *
 * One native frame, of the function that executes byte code, may stand for many
 * frames of the interpreter.  Which one it is follows from the stack: the
 * interpreter keeps something there that belongs to it.
 */
#include "stacks/script_frames.h"
#include "record/interpreter.h"
#include "stacks/safe_read.h"
#include "stacks/script_table.h"
#include "system/kernel_memory.h"

#include <string.h>

struct pdump_script_walk {
    struct pdump_interpreter_frame list[PDUMP_WALK_SCRIPTS_MAX];
    int n;
    struct pdump_walk_frame
        merged[PDUMP_WALK_FRAMES_MAX + PDUMP_WALK_SCRIPTS_MAX];
    int n_merged;
};

/* Appends a frame of the interpreter, unless it is none, as for a moment when
 * the interpreter changes its structures. */
static void script_append(struct pdump_script_walk *s,
                          const struct pdump_interpreter *of,
                          const struct pdump_interpreter_frame *frame)
{
    struct pdump_interpreter_code code;
    int script;

    if (!of->code(pdump_safe_read, frame->code, &code))
        return;
    script = pdump_script_table_find(&code);
    s->merged[s->n_merged++] = (struct pdump_walk_frame){
        .module = PDUMP_WALK_SCRIPT,
        .code = (uintptr_t)(script + 1) << 32 | frame->at,
    };
}

/* Returns the native frame from `i` on that has the address on its stack, or
 * -1. */
static int native_find(const struct pdump_walker *w, int i, uintptr_t address)
{
    for (; i + 1 < w->n; i++)
        if (address >= w->frames[i].sp && address < w->frames[i + 1].sp)
            return i;
    return -1;
}

static void natives_append(struct pdump_script_walk *s,
                           const struct pdump_walker *w, int from, int to)
{
    if (to > from)
        memcpy(s->merged + s->n_merged, w->frames + from,
               (size_t)(to - from) * sizeof(*w->frames));
    s->n_merged += to > from ? to - from : 0;
}

/* Frames of which the native one is not found are left out, unless it may be
 * among those that the walk has not reached. */
static void merge(struct pdump_walker *w, struct pdump_script_walk *s,
                  const struct pdump_interpreter *of)
{
    uintptr_t outside = of->outside();
    bool is_cut = false;
    int next = 0, done = 0;

    s->n_merged = 0;
    for (int k = 0; k < s->n && !is_cut; k++) {
        uintptr_t stack = s->list[k].stack;
        int i = native_find(w, next, stack);

        is_cut = stack >= outside && next > 0;
        if (i < 0 || is_cut)
            continue;
        natives_append(s, w, next, i);
        script_append(s, of, &s->list[k]);
        for (; k + 1 < s->n && s->list[k + 1].stack == stack; k++)
            script_append(s, of, &s->list[k + 1]);
        next = i + 1;
        done = k + 1;
    }
    if (!is_cut)
        natives_append(s, w, next, w->n);
    for (int k = done; k < s->n && !w->is_finished && !is_cut; k++)
        script_append(s, of, &s->list[k]);
    memcpy(w->frames, s->merged, (size_t)s->n_merged * sizeof(*w->frames));
    w->n = s->n_merged;
}

void pdump_script_frames_add(struct pdump_walker *w)
{
    const struct pdump_interpreter *of = pdump_interpreter_now();
    struct pdump_script_walk *s = w->script;

    if (of && !s)
        s = w->script = pdump_kernel_memory_get(sizeof(*s));
    if (!of || !s)
        return;
    s->n = of->frames(pdump_safe_read, s->list, PDUMP_WALK_SCRIPTS_MAX);
    if (s->n > 0)
        merge(w, s, of);
}
