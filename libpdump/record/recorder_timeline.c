/* SPDX-License-Identifier: BSD-3-Clause */
/* The timeline: writes events into chunks, without the hot path. */
#include "record/gate.h"
#include "record/recorder_hot.h"
#include "record/thread.h"
#include "record/timeline.h"

enum {
    CHUNK_MIN = 4 * 1024,
    PARTS = 8, /* the largest chunk is this part of a thread's buffer */
};

/* For all sessions of the process. */
static _Atomic enum { UNKNOWN, UNWANTED, WANTED } wish;

static struct pdump_event_chunk *chunk_at(const struct pdump_recorder *r,
                                          uint32_t ref)
{
    return pdump_store_at(r->base, ref);
}

static uint64_t size_of(const struct pdump_event_chunk *chunk)
{
    return sizeof(*chunk) + chunk->room;
}

void pdump_timeline_open(struct pdump_recorder *r, uint32_t thread)
{
    if (!r->shared->events || r->shared->is_helper)
        return;
    r->trace.thread = thread;
    r->trace.has_counters = r->shared->events->has_counters;
    r->way |= PDUMP_WAY_TRACED;
    r->call_way |= PDUMP_WAY_TRACED;
}

/* Small chunks first, because there may be many threads with few events. */
static uint64_t next_size(const struct pdump_recorder *r)
{
    uint64_t most = r->shared->events->buffer / PARTS, size = CHUNK_MIN;

    if (most > PDUMP_EVENT_CHUNK_MAX)
        most = PDUMP_EVENT_CHUNK_MAX;
    for (uint64_t i = 0; i < r->trace.sequence && size < most; i++)
        size *= 2;
    return size < most ? size : most;
}

static uint32_t chunk_make(struct pdump_recorder *r, uint64_t has)
{
    struct pdump_timeline *e = r->shared->events;
    struct pdump_head *head = r->shared->head;
    uint64_t size = next_size(r);
    struct pdump_event_chunk *chunk;
    uint32_t ref = 0, first;

    if (has + size > e->buffer)
        return 0;
    if (atomic_fetch_add(&e->used, size) + size <= e->limit)
        ref = pdump_store_alloc(r->shared->store, size);
    if (!ref) {
        atomic_fetch_sub(&e->used, size);
        return 0;
    }
    chunk = chunk_at(r, ref);
    chunk->room = (uint32_t)(size - sizeof(*chunk));
    chunk->state = PDUMP_CHUNK_USED;
    first = atomic_load(&head->event_chunks);
    do
        chunk->next = first;
    while (!atomic_compare_exchange_weak(&head->event_chunks, &first, ref));
    atomic_fetch_add(&r->record->event_bytes, size);
    return ref;
}

/* Returns a chunk that has been written to the file, whichever thread used it.
 */
static uint32_t chunk_find_free(struct pdump_recorder *r, uint64_t has)
{
    const struct pdump_timeline *e = r->shared->events;
    struct pdump_event_chunk *chunk;

    for (uint32_t ref = atomic_load(&r->shared->head->event_chunks); ref;
         ref = chunk->next) {
        uint32_t state = PDUMP_CHUNK_FREE;

        chunk = chunk_at(r, ref);
        if (atomic_load_explicit(&chunk->state, memory_order_relaxed) ==
                PDUMP_CHUNK_FREE &&
            has + size_of(chunk) <= e->buffer &&
            atomic_compare_exchange_strong(&chunk->state, &state,
                                           PDUMP_CHUNK_USED)) {
            atomic_fetch_add(&r->record->event_bytes, size_of(chunk));
            return ref;
        }
    }
    return 0;
}

/* Take a free or new chunk.  If there was none, try again only after a chunk
 * has been freed. */
static uint32_t chunk_take(struct pdump_recorder *r)
{
    struct pdump_timeline *e = r->shared->events;
    struct pdump_trace *t = &r->trace;
    unsigned freed = atomic_load_explicit(&e->freed, memory_order_acquire);
    uint64_t has = atomic_load(&r->record->event_bytes);
    uint32_t ref;

    if (t->has_none && t->freed == freed)
        return 0;
    ref = chunk_find_free(r, has);
    if (!ref)
        ref = chunk_make(r, has);
    t->has_none = !ref;
    t->freed = freed;
    return ref;
}

/* Take the next chunk of the ring.  The oldest follows the newest. */
static uint32_t chunk_turn(struct pdump_recorder *r)
{
    struct pdump_trace *t = &r->trace;
    uint32_t ref = chunk_make(r, atomic_load(&r->record->event_bytes));

    if (!ref)
        return t->chunk ? t->chunk->after : 0;
    if (t->ring) {
        chunk_at(r, ref)->after = chunk_at(r, t->ring)->after;
        chunk_at(r, t->ring)->after = ref;
    } else {
        chunk_at(r, ref)->after = ref;
    }
    t->ring = ref;
    return ref;
}

static void chunk_hand_over(struct pdump_recorder *r)
{
    const struct pdump_timeline *e = r->shared->events;
    struct pdump_trace *t = &r->trace;

    if (!t->chunk || e->mode != PDUMP_TIMELINE_FLUSH)
        return;
    atomic_store_explicit(&t->chunk->state, PDUMP_CHUNK_FULL,
                          memory_order_release);
    t->chunk = NULL;
    t->at = t->end = NULL;
    if (e->full)
        sem_post(e->full);
}

/* Start a chunk.  Readers ignore a chunk whose sequence is 0. */
static void chunk_begin(struct pdump_recorder *r, uint32_t ref, int64_t time,
                        uint32_t node)
{
    struct pdump_event_chunk *chunk = chunk_at(r, ref);
    struct pdump_trace *t = &r->trace;

    if (t->last < time)
        t->last = time;
    atomic_store_explicit(&chunk->sequence, 0, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&chunk->n, 0, memory_order_relaxed);
    chunk->thread = t->thread;
    chunk->number = r->record->number;
    chunk->first = t->n;
    chunk->start = t->last;
    chunk->node = node;
    atomic_store_explicit(&chunk->sequence, ++t->sequence,
                          memory_order_release);
    t->chunk = chunk;
    t->at = chunk->bytes;
    t->end = chunk->bytes + chunk->room - PDUMP_EVENT_MAX;
}

/* Returns the thread's node before the event. */
static uint32_t node_before(const struct pdump_recorder *r,
                            const struct pdump_event *event)
{
    uint32_t node = (uint32_t)event->node;

    return event->kind == PDUMP_EVENT_ENTER ? pdump_hot_node(r, node)->parent
                                            : node;
}

static bool chunk_make_room(struct pdump_recorder *r,
                            const struct pdump_event *event)
{
    bool is_ring = r->shared->events->mode == PDUMP_TIMELINE_RING;
    uint32_t ref;

    chunk_hand_over(r);
    ref = is_ring ? chunk_turn(r) : chunk_take(r);
    if (!ref)
        return false;
    chunk_begin(r, ref, event->time, node_before(r, event));
    return true;
}

void pdump_timeline_add(struct pdump_recorder *r,
                        const struct pdump_event *event)
{
    struct pdump_trace *t = &r->trace;

    if (t->at >= t->end && !chunk_make_room(r, event)) {
        t->n++;
        r->record->lost_events++;
        return;
    }
    t->at = pdump_event_write(t->at, event, &t->last);
    t->n++;
    atomic_store_explicit(&t->chunk->n, (uint32_t)(t->at - t->chunk->bytes),
                          memory_order_release);
}

void pdump_timeline_counters(struct pdump_recorder *r,
                             const struct pdump_frame *frame,
                             const int64_t *values, bool is_start)
{
    uint64_t gauges = r->shared->sources->gauges;

    if (frame->flags & (PDUMP_FRAME_UNREAD | PDUMP_FRAME_UNCOUNTED))
        return;
    for (uint32_t i = 1; i < r->n_metrics; i++)
        if (!(r->record->missing >> i & 1) && !(is_start && gauges >> i & 1))
            pdump_timeline_add(
                r, &(struct pdump_event){ .time = values[0],
                                          .kind = PDUMP_EVENT_COUNTER,
                                          .node = frame->node,
                                          .what = i,
                                          .value = values[i] });
}

void pdump_timeline_at(struct pdump_recorder *r)
{
    if (r->way & PDUMP_WAY_TRACED)
        pdump_timeline_add(r, &(struct pdump_event){ .time = r->trace.last,
                                                     .kind = PDUMP_EVENT_AT,
                                                     .node = r->top->node });
}

void pdump_timeline_void(struct pdump_recorder *r, uint32_t n)
{
    if (!(r->way & PDUMP_WAY_TRACED) || n == 0)
        return;
    r->record->void_events++;
    pdump_timeline_add(r, &(struct pdump_event){ .time = r->trace.last,
                                                 .kind = PDUMP_EVENT_LOST,
                                                 .node = r->top->node,
                                                 .value = -(int64_t)n });
}

/* In a ring the chunks stay where they are. */
void pdump_timeline_close(struct pdump_recorder *r)
{
    if (r->way & PDUMP_WAY_TRACED)
        chunk_hand_over(r);
}

void pdump_timeline_message(enum pdump_event_kind kind, int64_t time,
                            int64_t peer, int64_t bytes, int64_t tag)
{
    struct pdump_recorder *r = pdump_thread_self();

    if (!(r->way & PDUMP_WAY_TRACED) || r->gate != pdump_gate_now())
        return;
    r->gate = PDUMP_GATE_INSIDE;
    atomic_signal_fence(memory_order_seq_cst);
    pdump_timeline_add(r, &(struct pdump_event){ .time = time,
                                                 .kind = kind,
                                                 .node = r->top->node,
                                                 .what = peer,
                                                 .value = bytes,
                                                 .tag = tag });
    pdump_thread_done(r);
}

void pdump_timeline_wish(bool is_wanted)
{
    if (wish != WANTED)
        wish = is_wanted ? WANTED : UNWANTED;
}

bool pdump_timeline_may_come(void)
{
    return wish == WANTED ||
           (wish == UNKNOWN && pdump_gate_number() != PDUMP_GATE_IDLE);
}

/* Finds or adds the region for a name of something else.  Returns false if the
 * filter excludes it, or with an error of pdump_fail() in *err. */
static bool find_name(struct pdump_recorder *r, const char *name,
                      uint32_t *region, int *err)
{
    const struct pdump_region_record *record;

    *err = pdump_regions_add(r->tree.regions, name, strlen(name),
                             PDUMP_GROUP_MARKER, NULL, 0, region);
    if (*err < 0)
        return false;
    record = pdump_store_at(r->base, *region);
    return !record->is_excluded;
}

void pdump_timeline_io(int64_t time, const char *name, int64_t value)
{
    struct pdump_recorder *r = pdump_thread_self();
    uint32_t region;
    int err;

    if (!(r->way & PDUMP_WAY_TRACED) || r->gate != pdump_gate_now())
        return;
    r->gate = PDUMP_GATE_INSIDE;
    atomic_signal_fence(memory_order_seq_cst);
    if (find_name(r, name, &region, &err))
        pdump_timeline_add(r, &(struct pdump_event){ .time = time,
                                                     .kind = PDUMP_EVENT_IO,
                                                     .node = r->top->node,
                                                     .what = region,
                                                     .value = value });
    pdump_thread_done(r);
}

int pdump_marker(const char *name)
{
    struct pdump_recorder *r = pdump_thread_self();
    uint32_t region;
    int err;

    if (!name || !*name)
        return pdump_fail(PDUMP_EINVAL, "a marker needs a name");
    err = pdump_thread_go(r);
    if (err != 1)
        return err;
    err = PDUMP_OK;
    if (r->way & PDUMP_WAY_TRACED && find_name(r, name, &region, &err))
        pdump_timeline_add(r, &(struct pdump_event){ .time = pdump_clock_now(),
                                                     .kind = PDUMP_EVENT_MARKER,
                                                     .node = r->top->node,
                                                     .what = region });
    pdump_thread_done(r);
    return err < 0 ? err : PDUMP_OK;
}
