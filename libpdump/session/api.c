/* SPDX-License-Identifier: BSD-3-Clause */
/* The public functions: session and regions. */
#include "probe/program_region.h"
#include "record/gate.h"
#include "record/recorder_hot.h"
#include "record/thread.h"
#include "session/session.h"
#include "session/session_load.h"

#include <string.h>

#define NUL_TERMINATED SIZE_MAX

const char *pdump_version(void)
{
    return PDUMP_VERSION;
}

int pdump_abi_version(void)
{
    return 1;
}

int pdump_set(const char *name, const char *value)
{
    bool is_alone = pdump_program_is_alone();
    int err;

    if (pdump_session_phase() == PDUMP_PHASE_ACTIVE && !is_alone)
        return pdump_fail(PDUMP_ESTATE,
                          "%s cannot be set during a session; set it before "
                          "pdump_init() or the first region",
                          name ? name : "NULL");
    err = pdump_settings_choose(name, value);
    if (err >= 0 && is_alone)
        pdump_program_restart(); /* pdump_init() reports the result */
    return err;
}

/* While the gate is INSIDE, a signal handler cannot use this thread's
 * recorder. */
static int call_guarded(int (*call)(void))
{
    struct pdump_recorder *r = pdump_thread_self();
    unsigned gate = r->gate;
    struct pdump_error_kept kept;
    int err;

    if (gate == PDUMP_GATE_INSIDE)
        return pdump_fail(PDUMP_ESTATE,
                          "called from a signal handler inside libpdump");
    pdump_error_keep(&kept);
    r->gate = PDUMP_GATE_INSIDE;
    err = pdump_error_settle(&kept, call());
    if (r->gate == PDUMP_GATE_INSIDE)
        r->gate = gate;
    return err;
}

/* The gate is INSIDE, so that what libpdump itself reads and writes here is not
 * recorded. */
int pdump_init(void)
{
    int err = pdump_program_refresh();

    return err < 0 ? err : call_guarded(pdump_session_start);
}

int pdump_finalize(void)
{
    if (pdump_session_is_idle() ||
        pdump_session_phase() == PDUMP_PHASE_JOB_ENDED)
        return PDUMP_OK;
    return call_guarded(pdump_session_end);
}

int pdump_flush(void)
{
    if (pdump_session_is_idle())
        return PDUMP_OK;
    return call_guarded(pdump_session_flush);
}

int pdump_is_active(void)
{
    return pdump_session_phase() == PDUMP_PHASE_ACTIVE;
}

static inline int api_leave(struct pdump_recorder *r, int err)
{
    pdump_thread_back(r, r->number);
    return err;
}

static int no_name(void)
{
    return pdump_fail(PDUMP_EINVAL, "a region needs a name, not NULL");
}

/* The gate is shut.  Returns true if the only reason is that recording is
 * switched off: then regions cost next to nothing, because they are only
 * balanced. */
static inline int is_off(const struct pdump_recorder *r)
{
    return (r->gate & ~PDUMP_GATE_OFF) == pdump_gate_number();
}

/* The slow paths of begin and end: first use, bad names, and recording that is
 * switched off at the begin but not at the end. */
static __attribute__((noinline)) int begin_slow(struct pdump_recorder *r,
                                                const char *name, size_t len)
{
    int ready, err = PDUMP_OK;

    if (!name)
        return no_name();
    if (len == NUL_TERMINATED)
        len = strlen(name);
    ready = pdump_thread_ready(r);
    if (ready == PDUMP_SKIP)
        pdump_hot_skip(r);
    else if (ready == PDUMP_READY)
        err = pdump_recorder_begin_n(r, name, len);
    else
        return ready < 0 ? ready : PDUMP_OK;
    pdump_thread_done(r);
    return err;
}

static __attribute__((noinline)) int end_slow(struct pdump_recorder *r,
                                              const char *name, size_t len)
{
    int ready = pdump_thread_ready(r), err = PDUMP_OK;

    if (ready != PDUMP_SKIP && ready != PDUMP_READY)
        return ready < 0 ? ready : PDUMP_OK;
    if (!pdump_hot_unskip(r))
        err = name && len != NUL_TERMINATED ? pdump_recorder_end_n(r, name, len)
                                            : pdump_recorder_end(r, name);
    pdump_thread_done(r);
    return err;
}

/* Not inlined: otherwise regions would save these functions' registers even if
 * recording is off, and those for counters even if only time is measured. */
#define APART static __attribute__((noinline))

APART int begin_timed(struct pdump_recorder *r, const char *name)
{
    pdump_thread_enter(r);
    return api_leave(r, pdump_hot_begin(r, name, 0));
}

APART int begin_counted(struct pdump_recorder *r, const char *name)
{
    pdump_thread_enter(r);
    return api_leave(r, pdump_hot_begin(r, name, PDUMP_WAY_COUNTED));
}

/* Without sources, no counters are read, whatever the flag says. */
APART int begin_traced(struct pdump_recorder *r, const char *name)
{
    pdump_thread_enter(r);
    return api_leave(
        r, pdump_hot_begin(r, name, PDUMP_WAY_COUNTED | PDUMP_WAY_TRACED));
}

APART int end_timed(struct pdump_recorder *r, const char *name)
{
    pdump_thread_enter(r);
    return api_leave(r, pdump_hot_end(r, name, 0));
}

APART int end_counted(struct pdump_recorder *r, const char *name)
{
    pdump_thread_enter(r);
    return api_leave(r, pdump_hot_end(r, name, PDUMP_WAY_COUNTED));
}

APART int end_traced(struct pdump_recorder *r, const char *name)
{
    pdump_thread_enter(r);
    return api_leave(
        r, pdump_hot_end(r, name, PDUMP_WAY_COUNTED | PDUMP_WAY_TRACED));
}

static inline bool is_traced(const struct pdump_recorder *r)
{
    return r->way & PDUMP_WAY_TRACED;
}

/*
 * If recording is off, most of the cost of these two functions are jumps.  So
 * that case is the straight path, and the open gate jumps, which it has to do
 * anyway.
 */
int pdump_region_begin(const char *name)
{
    struct pdump_recorder *r = pdump_thread_self();
    unsigned gate = pdump_gate_now(), differs = r->gate ^ gate;

    if (unlikely(!name))
        return begin_slow(r, name, NUL_TERMINATED);
    if (unlikely(!differs))
        return likely(!r->way) ? begin_timed(r, name)
               : is_traced(r)  ? begin_traced(r, name)
                               : begin_counted(r, name);
    if (likely(differs == PDUMP_GATE_OFF) || is_off(r)) {
        pdump_hot_skip(r);
        return PDUMP_OK;
    }
    return gate == PDUMP_GATE_IDLE ? PDUMP_OK
                                   : begin_slow(r, name, NUL_TERMINATED);
}

int pdump_region_begin_n(const char *name, size_t len)
{
    struct pdump_recorder *r = pdump_thread_self();

    if (unlikely(r->gate != pdump_gate_now() || !name))
        return begin_slow(r, name, len);
    pdump_thread_enter(r);
    return api_leave(r, pdump_hot_begin_n(r, name, len, r->way));
}

int pdump_region_end(const char *name)
{
    struct pdump_recorder *r = pdump_thread_self();
    unsigned gate = pdump_gate_now(), differs = r->gate ^ gate;

    if (unlikely(!differs))
        return likely(!r->way) ? end_timed(r, name)
               : is_traced(r)  ? end_traced(r, name)
                               : end_counted(r, name);
    if (likely((likely(differs == PDUMP_GATE_OFF) || is_off(r)) &&
               pdump_hot_unskip(r)))
        return PDUMP_OK;
    return gate == PDUMP_GATE_IDLE ? PDUMP_OK
                                   : end_slow(r, name, NUL_TERMINATED);
}

int pdump_region_end_n(const char *name, size_t len)
{
    struct pdump_recorder *r = pdump_thread_self();

    if (unlikely(r->gate != pdump_gate_now()))
        return end_slow(r, name, len);
    pdump_thread_enter(r);
    return api_leave(r, pdump_recorder_end_n(r, name, len));
}

int pdump_region_id(const char *name, const char *file, int line)
{
    struct pdump_recorder *r = pdump_thread_self();
    const struct pdump_region_record *record;
    uint32_t ref;
    int ready, err;

    if (!name)
        return no_name();
    ready = pdump_thread_ready(r);
    if (ready != PDUMP_READY && ready != PDUMP_SKIP)
        return ready < 0 ? ready : 0;
    err = pdump_regions_add(r->tree.regions, name, strlen(name),
                            PDUMP_GROUP_USER, file, line, &ref);
    if (err >= 0) {
        record = pdump_store_at(r->base, ref);
        err = (int)record->id;
    }
    pdump_thread_done(r);
    return err;
}

int pdump_is_excluded(const char *name, const char *file)
{
    struct pdump_recorder *r = pdump_thread_self();
    int ready, is_excluded;

    if (!name)
        return no_name();
    ready = pdump_thread_ready(r);
    if (ready != PDUMP_READY && ready != PDUMP_SKIP)
        return ready < 0 ? ready : 0;
    is_excluded = pdump_filter_excludes(r->tree.regions->filter, name, file,
                                        PDUMP_GROUP_USER);
    pdump_thread_done(r);
    return is_excluded;
}

static int no_id(int id)
{
    return pdump_fail(PDUMP_EINVAL, "%d is not the number of a region", id);
}

/* Like begin_slow() and end_slow(), by number. */
APART int number_slow(struct pdump_recorder *r, int id, bool is_enter)
{
    int ready = pdump_thread_ready(r), err = PDUMP_OK;
    uint32_t region;

    if (ready != PDUMP_READY && ready != PDUMP_SKIP)
        return ready < 0 ? ready : PDUMP_OK;
    region = pdump_regions_at(r->tree.regions, (unsigned)id);
    if (is_enter && ready == PDUMP_SKIP)
        pdump_hot_skip(r);
    else if (!is_enter && pdump_hot_unskip(r))
        err = PDUMP_OK;
    else if (!region)
        err = no_id(id);
    else
        err = is_enter ? pdump_recorder_enter(r, region)
                       : pdump_recorder_leave(r, region);
    pdump_thread_done(r);
    return err;
}

/* Called with the gate INSIDE, for the rare cases: counters, events, new nodes,
 * odd frames. */
APART int enter_other(struct pdump_recorder *r, uint32_t region)
{
    return api_leave(r,
                     pdump_hot_enter(r, region, 0, PDUMP_WAY_COUNTED | r->way));
}

APART int leave_counted(struct pdump_recorder *r, uint32_t region)
{
    return api_leave(r, pdump_hot_leave(r, region, PDUMP_WAY_COUNTED | r->way));
}

APART int leave_odd(struct pdump_recorder *r, uint32_t region, int64_t now)
{
    return api_leave(r, pdump_recorder_end_slow(
                            r, (struct pdump_ending){ .region = region }, now));
}

int pdump_region_enter(int id)
{
    struct pdump_recorder *r;
    uint32_t region, node;

    if (unlikely(id <= 0))
        return PDUMP_OK;
    r = pdump_thread_self();
    if (unlikely(r->gate != pdump_gate_now())) {
        if (!is_off(r))
            return number_slow(r, id, true);
        pdump_hot_skip(r);
        return PDUMP_OK;
    }
    region = pdump_regions_at(r->tree.regions, (unsigned)id);
    if (unlikely(!region))
        return no_id(id);
    pdump_thread_enter(r);
    node = pdump_hot_seen(r, region, r->way);
    if (unlikely(!node))
        return enter_other(r, region);
    pdump_hot_push(r, node, 0, 0);
    return api_leave(r, PDUMP_OK);
}

int pdump_region_leave(int id)
{
    struct pdump_recorder *r;
    struct pdump_frame *frame;
    uint32_t region;
    int64_t now;

    if (unlikely(id <= 0))
        return PDUMP_OK;
    r = pdump_thread_self();
    if (unlikely(r->gate != pdump_gate_now()))
        return is_off(r) && pdump_hot_unskip(r) ? PDUMP_OK
                                                : number_slow(r, id, false);
    region = pdump_regions_at(r->tree.regions, (unsigned)id);
    if (unlikely(!region))
        return no_id(id);
    pdump_thread_enter(r);
    if (unlikely(r->way || !pdump_clock_is_cycles))
        return leave_counted(r, region);
    now = pdump_clock_cycles();
    frame = r->top;
    if (unlikely(frame->flags | frame->skipped ||
                 pdump_hot_node(r, frame->node)->region != region))
        return leave_odd(r, region, now);
    pdump_hot_finish(r, frame, &now, 1);
    return api_leave(r, PDUMP_OK);
}

struct pdump_scope pdump_scope_begin(const char *name)
{
    struct pdump_recorder *r = pdump_thread_self();
    struct pdump_scope scope = { .id = pdump_region_begin(name), .once = 1 };

    if (scope.id == PDUMP_OK && r->top && pdump_recorder_is_recorded(r)) {
        const struct pdump_node *node = pdump_store_at(r->base, r->top->node);
        const struct pdump_region_record *region =
            pdump_store_at(r->base, node->region);

        scope.id = (int)region->id;
    }
    return scope;
}

void pdump_scope_end(struct pdump_scope *scope)
{
    if (scope->id > 0)
        pdump_region_leave(scope->id);
    else if (scope->id == 0)
        pdump_region_end(NULL); /* begun while nothing was recorded */
}
