/* SPDX-License-Identifier: BSD-3-Clause */
/* The costs of visits, measured with a recorder that takes the place of the
 * thread's own. */
#include "probe/visit_cost.h"
#include "probe/function_table.h"
#include "record/recorder_hot.h"
#include "record/session_link.h"
#include "record/thread.h"
#include "system/kernel_memory.h"

#include <errno.h>
#include <time.h>

enum { MEMORY = 1024 * 1024, REGIONS = 64, ROUNDS = 16, VISITS = 64 };

struct scratch {
    struct pdump_recorder own; /* the thread's */
    struct pdump_recording recording;
    struct pdump_sources sources;
    struct pdump_regions regions;
    struct pdump_function_table functions;
};

static struct scratch *scratch;
static atomic_bool is_busy;
static struct pdump_visit_cost known[PDUMP_VISIT_KINDS];

static bool scratch_open(struct scratch *s, const struct pdump_recording *like)
{
    struct pdump_recording *made = &s->recording;

    *made = *like;
    made->wants_samples = false;
    made->throttle = NULL;
    made->events = NULL;
    made->look = NULL;
    made->watch = NULL;
    made->functions = &s->functions;
    made->regions = &s->regions;
    s->sources = *like->sources;
    made->sources = &s->sources;
    if (pdump_store_open(&made->store, MEMORY, sizeof(struct pdump_head)) < 0)
        return false;
    made->head = (void *)pdump_store_base(made->store);
    if (pdump_regions_open(&s->regions, made->store, &made->head->regions,
                           REGIONS) < 0) {
        pdump_store_close(made->store);
        return false;
    }
    pdump_function_table_open(&s->functions, made->store, &s->regions, false);
    return true;
}

static void scratch_close(struct scratch *s)
{
    pdump_function_table_close(&s->functions);
    pdump_regions_close(&s->regions);
    pdump_store_close(s->recording.store);
}

/* The counters stay those of the thread: some can be open only once. */
static bool recorder_replace(struct pdump_recorder *r, struct scratch *s)
{
    int n = s->sources.n;

    s->own = *r;
    s->sources.n = 0;
    if (pdump_recorder_open(r, &s->recording) < 0) {
        *r = s->own;
        return false;
    }
    s->sources.n = n;
    r->number = s->own.number;
    r->known_by = s->own.number | PDUMP_GATE_OFF; /* no session has it */
    r->n_sources = s->own.n_sources;
    memcpy(r->state, s->own.state, sizeof(r->state));
    r->way = s->own.way & ~(unsigned)PDUMP_WAY_TRACED;
    r->call_flags = s->own.call_flags;
    r->call_way = pdump_hot_way(r, r->call_flags);
    r->record->missing = s->own.record->missing;
    return true;
}

static bool begin_inside(struct pdump_recorder *r)
{
    struct scratch *s = pdump_kernel_memory_get(sizeof(*s));

    if (s && scratch_open(s, r->shared)) {
        if (recorder_replace(r, s)) {
            scratch = s;
            return true;
        }
        scratch_close(s);
    }
    pdump_kernel_memory_free(s, sizeof(*s));
    return false;
}

bool pdump_visit_cost_begin(void)
{
    struct pdump_recorder *r = pdump_thread_self();
    bool is_begun = false;
    int ready;

    if (r->gate == PDUMP_GATE_INSIDE || pdump_session_is_dumping() ||
        pdump_session_phase() != PDUMP_PHASE_ACTIVE ||
        atomic_exchange(&is_busy, true))
        return false;
    ready = pdump_thread_ready(r);
    if (ready == PDUMP_READY)
        is_begun = begin_inside(r);
    if (ready == PDUMP_READY || ready == PDUMP_SKIP)
        pdump_thread_done(r);
    is_busy = is_begun;
    return is_begun;
}

/* Returns the shortest visit of the newest node in ticks. */
static int64_t visit_shortest(const struct pdump_recorder *r)
{
    const struct pdump_node *node = pdump_tree_at(&r->tree, r->tree.root);

    node = pdump_tree_at(&r->tree, node->child);
    if (node->visits == 0)
        return 0;
    return node->stat[0].min > 0 ? node->stat[0].min : 1;
}

double pdump_visit_cost_end(void)
{
    struct pdump_recorder *r = pdump_thread_self();
    struct scratch *s = scratch;
    const struct pdump_head *head = s->own.shared->head;
    double inside = 0;

    scratch = NULL;
    /* Otherwise the session has ended meanwhile, and the thread records into
     * another one, which stays as it is. */
    if (r->shared == &s->recording && r->number == s->own.number) {
        pdump_thread_enter(r);
        inside = (double)visit_shortest(r) *
                 pdump_clock_scale(head->start, head->settled);
        r->n_sources = 0;
        pdump_recorder_close(r);
        *r = s->own;
        pdump_thread_done(r);
        scratch_close(s);
        pdump_kernel_memory_free(s, sizeof(*s));
    }
    is_busy = false;
    return inside;
}

static void cost_put(struct pdump_head *head, enum pdump_visit_kind kind)
{
    head->visit_cost[kind].inside = known[kind].inside;
    head->visit_cost[kind].all = known[kind].all;
}

void pdump_visit_cost_keep(enum pdump_visit_kind kind, double ns, double inside)
{
    struct pdump_session *s = pdump_session_hold();

    if (inside < 0)
        inside = 0;
    known[kind].inside = (int64_t)(1000 * (inside < ns ? inside : ns));
    known[kind].all = (int64_t)(1000 * ns);
    if (s) {
        cost_put(pdump_session_recording(s)->head, kind);
        pdump_session_let_go(s);
    }
}

bool pdump_visit_cost_is_known(enum pdump_visit_kind kind)
{
    return known[kind].all > 0;
}

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Returns what a visit takes in the best round; the others were disturbed. */
static double visit_time(void (*visits)(int n))
{
    double best = 0;

    visits(VISITS);
    for (int i = 0; i < ROUNDS; i++) {
        double took, began = now_ns();

        visits(VISITS);
        took = now_ns() - began;
        if (i == 0 || took < best)
            best = took;
    }
    return best / VISITS;
}

bool pdump_visit_cost_measure(enum pdump_visit_kind kind, void (*visits)(int n),
                              void (*bare)(int n))
{
    int error = errno;
    double ns, without = 0, inside;

    if (!pdump_visit_cost_begin())
        return false;
    ns = visit_time(visits);
    inside = pdump_visit_cost_end();
    if (bare)
        without = visit_time(bare);
    if (inside > 0 && ns > without)
        pdump_visit_cost_keep(kind, ns - without, inside - without);
    errno = error;
    return true;
}

void pdump_visit_cost_tell(struct pdump_head *head)
{
    for (int kind = 0; kind < PDUMP_VISIT_KINDS; kind++)
        cost_put(head, kind);
}
