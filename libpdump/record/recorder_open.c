/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens and closes a recorder: its counters, its record in the store. */
#include "record/gate.h"
#include "record/recorder_hot.h"
#include "system/log.h"

#include <sys/syscall.h>
#include <unistd.h>

static void attach_sources(struct pdump_recorder *r)
{
    const struct pdump_sources *s = r->shared->sources;

    for (int i = 0; i < s->n; i++) {
        int last = i + 1 < s->n ? s->first[i + 1] : s->n_metrics;

        if (s->source[i]->attach(&r->state[i]) >= 0)
            continue;
        r->state[i] = NULL;
        pdump_warn("thread without counters",
                   "a thread cannot count %s events: %s", s->source[i]->name,
                   pdump_last_error());
        for (int m = s->first[i]; m < last; m++)
            r->record->missing |= UINT32_C(1) << m;
    }
    r->n_sources = s->n;
    r->way = s->n > 0 ? PDUMP_WAY_COUNTED : 0;
    r->call_flags =
        r->way && r->shared->times_calls ? PDUMP_FRAME_UNCOUNTED : 0;
    r->call_way = pdump_hot_way(r, r->call_flags);
}

/* Make the record of this thread, which is not yet in the list. */
static uint32_t make_record(struct pdump_recorder *r)
{
    uint32_t words = 1 + pdump_node_words(r->n_metrics);
    uint32_t ref = pdump_arena_alloc(
        &r->arena,
        sizeof(*r->record) +
            (words > PDUMP_DETAIL_WORDS_MAX ? words : PDUMP_DETAIL_WORDS_MAX) *
                sizeof(int64_t));
    uint32_t bottom = pdump_arena_alloc(
        &r->arena, sizeof(*r->top) + r->n_metrics * sizeof(r->top->start[0]));

    if (!ref || !bottom)
        return 0;
    r->top = pdump_hot_frame(r, bottom);
    r->top->node = r->tree.root;
    r->top->flags = PDUMP_FRAME_BOTTOM;
    r->record = pdump_store_at(r->base, ref);
    r->record->tid = syscall(SYS_gettid);
    r->record->is_helper = r->shared->is_helper;
    r->record->root = r->tree.root;
    r->record->top = bottom;
    return ref;
}

int pdump_recorder_open(struct pdump_recorder *r,
                        const struct pdump_recording *shared)
{
    struct pdump_head *head = shared->head;
    uint32_t ref, first;
    int err;

    *r = (struct pdump_recorder){ .gate = PDUMP_GATE_INSIDE };
    r->shared = shared;
    r->base = pdump_store_base(shared->store);
    r->n_metrics = (uint32_t)shared->sources->n_metrics;
    r->is_cycles = pdump_clock_is_cycles;
    pdump_arena_init(&r->arena, shared->store);
    err = pdump_tree_open(&r->tree, &r->arena, shared->regions, r->n_metrics);
    if (err < 0)
        return err;
    ref = make_record(r);
    if (!ref) {
        pdump_tree_close(&r->tree);
        return pdump_no_memory();
    }
    attach_sources(r);

    first = atomic_load(&head->threads);
    do {
        const struct pdump_thread_record *before =
            pdump_store_at(r->base, first);

        r->record->next = first;
        r->record->number = first ? before->number + 1 : 0;
    } while (!atomic_compare_exchange_weak(&head->threads, &first, ref));
    pdump_timeline_open(r, ref);
    if (shared->watch && !shared->is_helper)
        shared->watch->begin(r);
    return PDUMP_OK;
}

void pdump_recorder_close(struct pdump_recorder *r)
{
    const struct pdump_sources *s = r->shared->sources;

    if (r->shared->watch && !r->shared->is_helper)
        r->shared->watch->end(r);
    for (int i = 0; i < r->n_sources; i++)
        if (r->state[i])
            s->source[i]->detach(r->state[i]);
    pdump_timeline_close(r);
    r->record->has_ended = 1;
    pdump_tree_close(&r->tree);
    pdump_detail_index_free(&r->details);
    *r = (struct pdump_recorder){ .gate = PDUMP_GATE_INSIDE };
}
