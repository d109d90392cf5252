/* SPDX-License-Identifier: BSD-3-Clause */
/* The region of a whole program. */
#include "probe/program_region.h"
#include "record/gate.h"
#include "record/recorder_hot.h"
#include "record/session_link.h"
#include "record/thread.h"

#include <stdio.h>
#include <string.h>

extern char **environ;

static char program[256];    /* its name, once it has begun */
static uint64_t environment; /* a hash of its settings at that time */

/* Returns a hash of the PDUMP_ variables, whatever their order. */
static uint64_t hash_settings(void)
{
    uint64_t sum = 0;

    for (char **e = environ; e && *e; e++) {
        uint64_t hash = UINT64_C(0xcbf29ce484222325);

        if (strncmp(*e, "PDUMP_", 6) != 0)
            continue;
        for (const char *c = *e; *c; c++)
            hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
        sum += hash;
    }
    return sum;
}

static int region_begin(struct pdump_recorder *r, const char *name)
{
    uint32_t region, node;
    int err;

    if (!(r->top->flags & PDUMP_FRAME_BOTTOM) || r->top->skipped)
        return pdump_fail(PDUMP_ESTATE, "a region is open");
    err = pdump_regions_add(r->tree.regions, name, strlen(name),
                            PDUMP_GROUP_PROGRAM, NULL, 0, &region);
    if (err < 0)
        return err;
    node = pdump_tree_child(&r->tree, r->top->node, region, 0);
    if (!pdump_recorder_push(r, node, PDUMP_FRAME_PROGRAM))
        return pdump_recorder_too_deep(r);
    atomic_store(&r->shared->head->ended, 0);
    return PDUMP_OK;
}

int pdump_program_begin(const char *name)
{
    struct pdump_recorder *r = pdump_thread_self();
    enum pdump_phase phase = pdump_session_phase();
    int err;

    if (phase != PDUMP_PHASE_NEVER && phase != PDUMP_PHASE_ACTIVE)
        return pdump_fail(PDUMP_ESTATE, "there is no session any more");
    if (!*program) {
        snprintf(program, sizeof(program), "%s", name);
        environment = hash_settings();
    }
    pdump_session_be_quick();
    err = pdump_thread_go(r);
    if (err != 1)
        return err;
    err = region_begin(r, name);
    pdump_thread_done(r);
    return err;
}

/* Returns true if the calling thread is attached to the session, and not inside
 * libpdump. */
static bool is_known(const struct pdump_recorder *r)
{
    return pdump_session_phase() == PDUMP_PHASE_ACTIVE &&
           r->number == pdump_gate_number() && r->gate != PDUMP_GATE_INSIDE;
}

int pdump_program_end(bool is_gone)
{
    struct pdump_recorder *r = pdump_thread_self();
    int err = is_known(r) ? pdump_thread_ready(r) : PDUMP_NOTHING;

    if (err < 0 || err == PDUMP_NOTHING)
        return PDUMP_ESTATE;
    err = pdump_recorder_pop(r, PDUMP_FRAME_PROGRAM);
    if (is_gone)
        atomic_store(&r->shared->head->ended, pdump_clock_system());
    pdump_thread_done(r);
    return err;
}

void pdump_program_close(void)
{
    const struct pdump_recorder *r = pdump_thread_self();

    if (is_known(r))
        pdump_store_trim(r->shared->store);
}

bool pdump_program_stop_looking(void)
{
    return is_known(pdump_thread_self()) && pdump_session_stop_looking();
}

void pdump_program_seal(void)
{
    struct pdump_recorder *r = pdump_thread_self();

    r->gate = PDUMP_GATE_INSIDE; /* do not record libpdump's I/O */
    pdump_session_seal();
    r->gate = PDUMP_GATE_UNKNOWN;
}

void pdump_program_unseal(void)
{
    pdump_session_unseal();
}

bool pdump_program_is_sealed(void)
{
    return pdump_process_is_sealed();
}

void pdump_program_keep_open(void)
{
    struct pdump_session *s = pdump_session_hold();

    if (!s)
        return;
    pdump_store_keep_open(pdump_session_recording(s)->store);
    pdump_session_let_go(s);
}

static void (*at_end)(void);

void pdump_program_at_end(void (*function)(void))
{
    at_end = function;
}

void pdump_program_before_end(void)
{
    if (at_end && pdump_session_phase() == PDUMP_PHASE_ACTIVE)
        at_end();
}

void pdump_program_finish(struct pdump_recorder *r)
{
    if (r->top->flags & PDUMP_FRAME_PROGRAM && !r->top->skipped)
        pdump_recorder_pop(r, PDUMP_FRAME_PROGRAM);
}

/* Returns true if the node is the program's region or the overflow node, with
 * nothing in it. */
static bool is_bare(const struct pdump_recorder *r, uint32_t ref)
{
    const struct pdump_node *node = pdump_hot_node(r, ref);
    uint32_t group = pdump_hot_region(r, ref)->group;

    return !node->child && !node->extra &&
           (group == PDUMP_GROUP_PROGRAM ||
            (group == PDUMP_GROUP_OVERFLOW && !node->visits));
}

/* Returns true if there is only this thread, and it has recorded nothing. */
static bool is_empty(const struct pdump_recorder *r)
{
    const struct pdump_node *root = pdump_hot_node(r, r->record->root);
    uint32_t threads = r->shared->head->threads;

    if (r->record->next || pdump_store_at(r->base, threads) != r->record)
        return false;
    for (uint32_t ref = root->child; ref; ref = pdump_hot_node(r, ref)->sibling)
        if (!is_bare(r, ref))
            return false;
    return true;
}

bool pdump_program_void(void)
{
    struct pdump_recorder *r = pdump_thread_self();

    if (!is_known(r) || !is_empty(r))
        return false;
    atomic_store(&r->shared->head->is_void, 1);
    return true;
}

void pdump_program_keep(void)
{
    struct pdump_recorder *r = pdump_thread_self();

    if (is_known(r))
        atomic_store(&r->shared->head->is_void, 0);
}

bool pdump_program_is_alone(void)
{
    const struct pdump_recorder *r = pdump_thread_self();

    return *program && is_known(r) && r->top->flags & PDUMP_FRAME_PROGRAM &&
           !r->top->skipped && is_empty(r);
}

int pdump_program_drop(void)
{
    return pdump_session_drop(PDUMP_PHASE_ENDED);
}

int pdump_program_restart(void)
{
    int err = pdump_session_drop(PDUMP_PHASE_NEVER);

    if (err < 0)
        return err;
    environment = hash_settings();
    return pdump_program_begin(program);
}

int pdump_program_refresh(void)
{
    if (!pdump_program_is_alone() || hash_settings() == environment)
        return PDUMP_OK;
    return pdump_program_restart();
}
