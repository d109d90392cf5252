/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs the begins and ends of regions in each lane, and merges all lanes in
 * order of time. */
#include "write/event_intervals.h"

#include "base/array.h"

void pdump_event_interval_open(struct pdump_event_interval *t,
                               const struct pdump_dump *dump, int lane)
{
    *t = (struct pdump_event_interval){ .node = -1, .above = -1 };
    pdump_lane_open(&t->reader, dump, lane);
}

void pdump_event_interval_close(struct pdump_event_interval *t)
{
    free(t->way);
}

static int64_t parent_of(const struct pdump_event_interval *t, int64_t node)
{
    return t->reader.dump->nodes[node].parent;
}

/* Returns the node of the thread before the event. */
static int64_t place_of(const struct pdump_event_interval *t)
{
    return t->event.kind == PDUMP_EVENT_ENTER ? parent_of(t, t->event.node)
                                              : t->event.node;
}

/* Finds the path from the current node to that of the event, through their
 * common ancestor: parents have lower numbers than their children. */
static int find_way(struct pdump_event_interval *t)
{
    int64_t from = t->node, to = place_of(t);

    t->n_way = 0;
    while (from != to) {
        if (from > to) {
            from = parent_of(t, from);
            continue;
        }
        if (t->n_way == t->room) {
            int64_t room = t->room ? 2 * t->room : 16;

            if (pdump_array_set(&t->way, room, sizeof(*t->way)) < 0)
                return PDUMP_ENOMEM;
            t->room = room;
        }
        t->way[t->n_way++] = to;
        to = parent_of(t, to);
    }
    t->above = to;
    return PDUMP_OK;
}

/* Reads the next event.  The end is treated like an event outside all
 * regions. */
static int read_event(struct pdump_event_interval *t)
{
    int got = pdump_lane_next(&t->reader, &t->event);

    if (got < 0)
        return got;
    if (got == 0) {
        t->is_over = true;
        t->event = (struct pdump_event){ .time = t->time,
                                         .kind = PDUMP_EVENT_AT,
                                         .node = -1 };
    }
    t->time = t->event.time;
    t->is_read = true;
    return find_way(t);
}

/* Makes one step on the way to the event. */
static void interval_step(struct pdump_event_interval *t,
                          struct pdump_event *event)
{
    bool is_end = t->node != t->above;

    *event = (struct pdump_event){
        .time = t->time,
        .kind = is_end ? PDUMP_EVENT_LEAVE : PDUMP_EVENT_ENTER,
        .node = is_end ? t->node : t->way[--t->n_way],
    };
    t->node = is_end ? parent_of(t, t->node) : event->node;
    if (!is_end)
        t->above = t->node;
}

int pdump_event_interval_next(struct pdump_event_interval *t,
                              struct pdump_event *event)
{
    for (;;) {
        int err = t->is_read ? PDUMP_OK : read_event(t);

        if (err < 0)
            return err;
        if (t->node != t->above || t->n_way > 0) {
            interval_step(t, event);
            return 1;
        }
        if (t->is_over)
            return 0;
        t->is_read = false;
        if (t->event.kind == PDUMP_EVENT_AT)
            continue;
        *event = t->event;
        if (event->kind == PDUMP_EVENT_ENTER)
            t->node = event->node;
        else if (event->kind == PDUMP_EVENT_LEAVE)
            t->node = parent_of(t, event->node);
        return 1;
    }
}

static bool is_before(const struct pdump_event_intervals *t, int a, int b)
{
    return t->next[a].time < t->next[b].time ||
           (t->next[a].time == t->next[b].time && a < b);
}

/* Restores the heap after the time of the lane at `i` has increased. */
static void sink_down(struct pdump_event_intervals *t, int i)
{
    int lane = t->heap[i];

    for (int k; (k = 2 * i + 1) < t->n; i = k) {
        if (k + 1 < t->n && is_before(t, t->heap[k + 1], t->heap[k]))
            k++;
        if (!is_before(t, t->heap[k], lane))
            break;
        t->heap[i] = t->heap[k];
    }
    t->heap[i] = lane;
}

int pdump_event_intervals_open(struct pdump_event_intervals *t,
                               const struct pdump_dump *dump)
{
    size_t n = (size_t)dump->n_lanes + 1;
    int got = PDUMP_OK;

    *t = (struct pdump_event_intervals){ .dump = dump };
    t->tracks = calloc(n, sizeof(*t->tracks));
    t->next = calloc(n, sizeof(*t->next));
    t->heap = calloc(n, sizeof(*t->heap));
    if (!t->tracks || !t->next || !t->heap)
        got = pdump_no_memory();
    for (int i = 0; got >= 0 && i < dump->n_lanes; i++) {
        pdump_event_interval_open(&t->tracks[i], dump, i);
        got = pdump_event_interval_next(&t->tracks[i], &t->next[i]);
        if (got > 0)
            t->heap[t->n++] = i;
    }
    for (int i = t->n / 2; i-- > 0;)
        sink_down(t, i);
    if (got < 0)
        pdump_event_intervals_close(t);
    return got < 0 ? got : PDUMP_OK;
}

int pdump_event_intervals_next(struct pdump_event_intervals *t,
                               struct pdump_event *event, int *lane)
{
    int got;

    if (t->n == 0)
        return 0;
    *lane = t->heap[0];
    *event = t->next[*lane];
    got = pdump_event_interval_next(&t->tracks[*lane], &t->next[*lane]);
    if (got < 0)
        return got;
    if (got == 0)
        t->heap[0] = t->heap[--t->n];
    if (t->n > 0)
        sink_down(t, 0);
    return 1;
}

void pdump_event_intervals_close(struct pdump_event_intervals *t)
{
    for (int i = 0; t->tracks && i < t->dump->n_lanes; i++)
        pdump_event_interval_close(&t->tracks[i]);
    free(t->tracks);
    free(t->next);
    free(t->heap);
}
