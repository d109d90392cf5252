/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the events of one thread: from its pieces to the builder. */
#include "base/array.h"
#include "snapshot/snapshot_private.h"

enum { KNOWN_BITS = 10 };

/* More events than a thread can have: a larger number means a damaged store. */
#define MANY (UINT64_C(1) << 48)

/* A range of event numbers that do not count as recorded. */
struct gap {
    uint64_t from, to;
};

/* The state of the conversion. */
struct lane {
    struct pdump_snapshot *s;
    const struct pdump_thread_record *thread;
    int index;
    const struct pdump_snapshot_place *places;
    int n_places;
    struct {
        uint32_t ref;
        int node;
    } known[1 << KNOWN_BITS];
    uint64_t next;  /* number of the next event */
    int64_t time;   /* of the last event */
    uint32_t ref;   /* node of the thread, in the store */
    int node;       /* node of the builder's lane; -1: none */
    uint64_t n_gap; /* missing events so far */
    struct gap *voids;
    int n_voids;
    int void_at; /* index of the first that has not been passed */
    bool is_off; /* after the begin of void events */
};

static struct pdump_node *node_at(const struct lane *l, uint32_t ref)
{
    return pdump_store_at(l->s->base, ref);
}

/* Returns true for a rewind region that the filter excludes: only the regions
 * inside it are shown. */
static bool is_hidden(const struct lane *l, uint32_t ref)
{
    const struct pdump_node *node = node_at(l, ref);
    const struct pdump_region_record *region =
        pdump_store_at(l->s->base, node->region);

    return node->flags & PDUMP_NODE_REWIND && region->is_excluded;
}

/* Finds the builder's node, -1 for the root. */
static int find_node(struct lane *l, uint32_t ref, int *out)
{
    uint32_t at = (ref * UINT32_C(0x9e3779b1)) >> (32 - KNOWN_BITS);
    uint32_t shown = ref;
    int node = -1;

    if (l->known[at].ref == ref && ref) {
        *out = l->known[at].node;
        return PDUMP_OK;
    }
    while (shown && is_hidden(l, shown)) {
        if (!pdump_snapshot_step(l->s))
            return PDUMP_EFORMAT;
        shown = node_at(l, shown)->parent;
    }
    if (shown && shown != l->thread->root) {
        node = pdump_snapshot_node(l->s, l->places, l->n_places, shown);
        if (node < 0)
            return node;
    }
    l->known[at].ref = ref;
    l->known[at].node = node;
    *out = node;
    return PDUMP_OK;
}

static int event_put(struct lane *l, struct pdump_event *event)
{
    struct pdump_snapshot *s = l->s;
    int64_t since = pdump_snapshot_minus(event->time, s->head->start.ticks);

    event->time = since > 0 ? pdump_snapshot_scaled(s->scale[0], since) : 0;
    if (event->time < 0 || event->time > PDUMP_EVENT_LAST)
        return pdump_fail(PDUMP_EFORMAT, "an event's time is wrong");
    s->events->n_events++;
    return pdump_builder_event(s->builder, l->index, event);
}

/* Moves the builder's lane to the node where the thread is. */
static int put_at(struct lane *l, int64_t time)
{
    struct pdump_event at = { .time = time, .kind = PDUMP_EVENT_AT };
    int node, err = find_node(l, l->ref, &node);

    if (err < 0 || node == l->node)
        return err;
    at.node = l->node = node;
    return event_put(l, &at);
}

static int put_lost(struct lane *l, int64_t time, uint64_t n)
{
    struct pdump_event lost = { .time = time,
                                .kind = PDUMP_EVENT_LOST,
                                .node = l->node,
                                .value = (int64_t)n };

    l->s->events->n_lost += (int64_t)n;
    return event_put(l, &lost);
}

/* Converts the numbers that the event names to those of the builder. */
static int event_translate(struct lane *l, struct pdump_event *event)
{
    struct pdump_snapshot *s = l->s;
    int err;

    event->node = l->node;
    if (event->kind == PDUMP_EVENT_MARKER || event->kind == PDUMP_EVENT_IO) {
        err = pdump_snapshot_region(s, (uint32_t)event->what);
        event->what = err;
        return err < 0 ? err : PDUMP_OK;
    }
    if (event->kind == PDUMP_EVENT_COUNTER) {
        if (event->what < 0 || event->what >= s->n_metrics)
            return pdump_fail(PDUMP_EFORMAT, "an event's metric is wrong");
        event->value =
            pdump_snapshot_scaled(s->scale[event->what], event->value);
        event->what = s->metric[event->what];
    }
    return PDUMP_OK;
}

/* Enters or leaves a node; hidden nodes have no events. */
static int event_move(struct lane *l, const struct pdump_event *event,
                      bool is_void)
{
    bool is_enter = event->kind == PDUMP_EVENT_ENTER;
    uint32_t ref = is_enter ? (uint32_t)event->node : l->ref;
    bool is_silent = is_void || is_hidden(l, ref);
    struct pdump_event out = { .time = event->time, .kind = event->kind };
    int node = -1, err = PDUMP_OK;

    if (!ref || !node_at(l, ref)->region)
        return pdump_fail(PDUMP_EFORMAT, "an event's node is wrong");
    if (!is_silent) {
        err = put_at(l, event->time);
        if (err >= 0)
            err = find_node(l, ref, &node);
        out.node = node;
        if (err >= 0)
            err = event_put(l, &out);
        l->node = node;
    }
    l->ref = is_enter ? ref : node_at(l, ref)->parent;
    if (!is_silent && !is_enter && err >= 0)
        err = find_node(l, l->ref, &l->node);
    return err;
}

static int add_event(struct lane *l, struct pdump_event *event, bool is_void)
{
    int err;

    switch (event->kind) {
    case PDUMP_EVENT_ENTER:
    case PDUMP_EVENT_LEAVE:
        return event_move(l, event, is_void);
    case PDUMP_EVENT_AT:
        l->ref = (uint32_t)event->node;
        return is_void ? PDUMP_OK : put_at(l, event->time);
    case PDUMP_EVENT_LOST:
        return PDUMP_OK; /* void events were found by each_void() */
    default:
        break;
    }
    if (is_void)
        return PDUMP_OK;
    err = put_at(l, event->time);
    if (err >= 0)
        err = event_translate(l, event);
    return err < 0 ? err : event_put(l, event);
}

static bool is_void(struct lane *l, uint64_t number)
{
    while (l->void_at < l->n_voids && l->voids[l->void_at].to <= number)
        l->void_at++;
    return l->void_at < l->n_voids && l->voids[l->void_at].from <= number;
}

/* Counts the events that are missing between the last piece and this one.
 * Returns 1 if they may still arrive; then the lane ends here. */
static int add_gap(struct lane *l, const struct pdump_event_piece *piece)
{
    struct pdump_snapshot_events *e = l->s->events;
    bool is_ring = l->s->head->events_mode == PDUMP_TIMELINE_RING;
    uint64_t n = piece->first - l->next;

    if (n == 0)
        return PDUMP_OK;
    if (e->is_moving && l->n_gap + n > pdump_snapshot_losses(l->thread))
        return 1;
    l->n_gap += n;
    l->next = piece->first;
    if (!is_ring)
        return put_lost(l, piece->start, n);
    e->n_dropped += (int64_t)n;
    return PDUMP_OK;
}

typedef int pdump_each_event(struct lane *l, struct pdump_event *event);

static int each_event(struct lane *l, struct pdump_snapshot_piece *piece,
                      pdump_each_event *each)
{
    const unsigned char *bytes = pdump_snapshot_piece_load(l->s->events, piece);
    struct pdump_event_reader reader = { .at = bytes,
                                         .time = piece->head.start };
    struct pdump_event event;
    int err = 1;

    if (!bytes)
        return pdump_fail(PDUMP_EFORMAT, "events cannot be read");
    reader.end = bytes + piece->head.n;
    while (err > 0) {
        err = pdump_event_read(&reader, &event);
        if (err > 0) {
            int64_t time = event.time; /* each() may convert event.time */
            int bad = each(l, &event);

            l->next++;
            l->time = time;
            err = bad < 0 ? bad : 1;
        }
    }
    return err;
}

/* Marks where a discarded stretch begins and ends. */
static int put_switch(struct lane *l, int64_t time, bool is_on)
{
    const struct pdump_dump_region name = {
        .name = is_on ? "measurement on" : "measurement off",
        .group = "measurement",
        .file = "",
    };
    struct pdump_event mark = { .time = time, .kind = PDUMP_EVENT_MARKER };
    int err = put_at(l, time);
    int region = err < 0 ? err : pdump_builder_region(l->s->builder, &name);

    l->is_off = !is_on;
    mark.node = l->node;
    mark.what = region;
    return region < 0 ? region : event_put(l, &mark);
}

static int each_to_builder(struct lane *l, struct pdump_event *event)
{
    bool is_left_out = is_void(l, l->next);
    int64_t time = event->time;
    int err = PDUMP_OK;

    if (is_left_out && !l->is_off)
        err = put_switch(l, time, false);
    if (err >= 0)
        err = add_event(l, event, is_left_out);
    if (err >= 0 && !is_left_out && l->is_off)
        err = put_switch(l, time, true);
    return err;
}

/* Adds a range of void events, which replaces the ranges inside it. */
static int each_void(struct lane *l, struct pdump_event *event)
{
    uint64_t n = -(uint64_t)event->value;
    uint64_t from = n < l->next ? l->next - n : 0;

    if (event->kind != PDUMP_EVENT_LOST || event->value >= 0)
        return PDUMP_OK;
    while (l->n_voids > 0 && l->voids[l->n_voids - 1].from >= from)
        l->n_voids--;
    if (pdump_array_make(&l->voids, l->n_voids, sizeof(*l->voids)) < 0)
        return PDUMP_ENOMEM;
    l->voids[l->n_voids++] = (struct gap){ from, l->next };
    return PDUMP_OK;
}

static int each_piece(struct lane *l, struct pdump_snapshot_piece *first, int n,
                      bool is_second, pdump_each_event *each)
{
    int err = PDUMP_OK;

    l->next = 0;
    for (int i = 0; i < n && err >= 0; i++) {
        struct pdump_snapshot_piece *piece = &first[i];

        if (i > 0 && piece->head.sequence == piece[-1].head.sequence)
            continue;
        if (piece->head.first < l->next || piece->head.first > MANY ||
            piece->head.start < 0)
            return pdump_fail(PDUMP_EFORMAT, "events are out of order");
        if (is_second) {
            err = add_gap(l, &piece->head);
            if (err > 0)
                return PDUMP_OK;
            l->ref = piece->head.node;
        }
        l->next = piece->head.first;
        if (err >= 0)
            err = each_event(l, piece, each);
        if (is_second || piece->at)
            pdump_snapshot_piece_unload(piece);
    }
    return err;
}

static int add_lane(struct lane *l)
{
    struct pdump_snapshot_events *e = l->s->events;
    uint64_t n_lost = pdump_snapshot_losses(l->thread);
    int n, err = PDUMP_OK;
    struct pdump_snapshot_piece *first =
        pdump_snapshot_pieces(e, l->thread->number, &n);

    if (l->thread->void_events)
        err = each_piece(l, first, n, false, each_void);
    if (err >= 0)
        err = each_piece(l, first, n, true, each_to_builder);
    /* Events that a ring has dropped do not count as lost. */
    if (l->s->head->events_mode != PDUMP_TIMELINE_RING)
        n_lost -= l->n_gap < n_lost ? l->n_gap : n_lost;
    if (err >= 0 && n_lost > MANY)
        return pdump_fail(PDUMP_EFORMAT, "an event's number is wrong");
    return err >= 0 && n_lost > 0 ? put_lost(l, l->time, n_lost) : err;
}

int pdump_snapshot_add_events(struct pdump_snapshot *s,
                              struct pdump_thread_record *thread, int index,
                              const struct pdump_snapshot_place *places,
                              int n_places)
{
    struct lane *l = calloc(1, sizeof(*l));
    int err;

    if (!l)
        return pdump_no_memory();
    l->s = s;
    l->thread = thread;
    l->index = index;
    l->places = places;
    l->n_places = n_places;
    l->ref = thread->root;
    l->node = -1;
    l->time = s->head->start.ticks;
    err = add_lane(l);
    free(l->voids);
    free(l);
    /* Damaged events must not cost the profile: count them and go on. */
    if (err == PDUMP_EFORMAT) {
        s->events->n_damaged++;
        err = PDUMP_OK;
    }
    return err;
}
