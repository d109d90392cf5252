/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples: visits that are kept individually. */
#include "record/samples.h"

enum { ROOM_MIN = 16, ROOM_MAX = 4096 };

static struct pdump_chunk *newest_chunk(const struct pdump_recorder *r)
{
    return pdump_store_at(r->base, r->record->samples);
}

/* Returns a chunk with room for one more sample, or NULL. */
static struct pdump_chunk *chunk_for(struct pdump_recorder *r)
{
    struct pdump_chunk *chunk = newest_chunk(r);
    uint32_t room = ROOM_MIN, ref;

    if (r->record->samples) {
        if (chunk->n < chunk->room)
            return chunk;
        room = chunk->room < ROOM_MAX ? chunk->room * 2 : ROOM_MAX;
    }
    ref = pdump_arena_alloc(
        &r->arena, sizeof(*chunk) + room * (sizeof(struct pdump_sample) +
                                            r->n_metrics * sizeof(int64_t)));
    if (!ref)
        return NULL;
    chunk = pdump_store_at(r->base, ref);
    chunk->room = room;
    chunk->next = r->record->samples;
    atomic_store_explicit(&r->record->samples, ref, memory_order_release);
    return chunk;
}

void pdump_samples_add(struct pdump_recorder *r,
                       const struct pdump_frame *frame, const int64_t *end)
{
    struct pdump_chunk *chunk = NULL;
    struct pdump_sample *sample;

    if (r->n_samples < r->shared->samples_max)
        chunk = chunk_for(r);
    if (!chunk) {
        r->record->lost_samples++;
        return;
    }
    sample = pdump_sample_at(chunk, chunk->n, r->n_metrics);
    sample->node = frame->node;
    sample->number = (frame->flags & PDUMP_FRAME_STEP) ? r->step - 1 : -1;
    sample->start = frame->start[0];
    for (uint32_t i = 0; i < r->n_metrics; i++)
        sample->values[i] = end[i] - frame->start[i];
    atomic_store_explicit(&chunk->n, chunk->n + 1, memory_order_release);
    r->n_samples++;
}

void pdump_samples_cut(struct pdump_recorder *r, int64_t since)
{
    /* Makes concurrent readers of the samples start again. */
    atomic_fetch_add(&r->record->cuts, 1);
    atomic_thread_fence(memory_order_release);
    while (r->record->samples) {
        struct pdump_chunk *chunk = newest_chunk(r), *older;
        uint32_t n = chunk->n;

        while (n && pdump_sample_at(chunk, n - 1, r->n_metrics)->start >= since)
            n--;
        r->n_samples -= chunk->n - n;
        atomic_store(&chunk->n, n);
        /* An empty chunk is kept for the next samples, unless there is more to
         * cut in the one before it. */
        older = pdump_store_at(r->base, chunk->next);
        if (n || !chunk->next || !older->n ||
            pdump_sample_at(older, older->n - 1, r->n_metrics)->start < since)
            return;
        atomic_store(&r->record->samples, chunk->next);
    }
}
