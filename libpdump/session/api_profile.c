/* SPDX-License-Identifier: BSD-3-Clause */
/* The public functions: PyPerfDump's profiles and perf-dump's steps. */
#include "config/step_ranges.h"
#include "record/gate.h"
#include "record/thread.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Both models check the order of calls even while recording is off. */
static int start(struct pdump_recorder **out)
{
    int ready = pdump_thread_ready(&pdump_self);

    *out = &pdump_self;
    if (ready == PDUMP_READY || ready == PDUMP_SKIP)
        return 1;
    return ready < 0 ? ready : PDUMP_OK;
}

static int done(struct pdump_recorder *r, int err)
{
    pdump_thread_done(r);
    return err;
}

static const char *open_name(const struct pdump_recorder *r)
{
    const struct pdump_region_record *region =
        pdump_store_at(r->base, r->region);

    return region->name;
}

/* Enters a node; if recording is off, only pushes a skipped frame. */
static int push(struct pdump_recorder *r, uint32_t region, uint32_t flags,
                bool is_off)
{
    bool is_good;

    if (is_off)
        is_good = pdump_recorder_push_skipped(r, flags);
    else
        is_good = pdump_recorder_push(
            r, pdump_tree_child(&r->tree, r->top->node, region, 0), flags);
    return is_good ? PDUMP_OK : pdump_recorder_too_deep(r);
}

static bool is_off(const struct pdump_recorder *r)
{
    return r->off || r->is_step_off || pdump_gate_is_off();
}

static bool is_excluded(const struct pdump_recorder *r)
{
    const struct pdump_region_record *region =
        pdump_store_at(r->base, r->region);

    return region->is_excluded;
}

static int open_region(struct pdump_recorder *r, const char *name, size_t len)
{
    char unnamed[40];
    int err;

    if (r->region)
        return pdump_recorder_misuse("start_region",
                                     "start_region: region '%.200s' is open; "
                                     "regions of profiles do not nest",
                                     open_name(r));
    if (!name || len == 0) {
        snprintf(unnamed, sizeof(unnamed), "region_%" PRId64, r->n_unnamed + 1);
        name = unnamed;
        len = strlen(unnamed);
    }
    err = pdump_regions_add(r->tree.regions, name, len, PDUMP_GROUP_USER, NULL,
                            0, &r->region);
    if (err < 0)
        return err;
    if (name == unnamed)
        r->n_unnamed++;
    /* A region without a profile is also in the dump. */
    if (!is_off(r) && !is_excluded(r))
        pdump_tree_child(&r->tree, r->top->node, r->region, 0);
    return PDUMP_OK;
}

int pdump_start_region_n(const char *name, size_t len)
{
    struct pdump_recorder *r;
    int go = start(&r);

    return go == 1 ? done(r, open_region(r, name, len)) : go;
}

int pdump_start_region(const char *name)
{
    if (name && !*name)
        return pdump_fail(PDUMP_EINVAL, "a region needs a name, not \"\"");
    return pdump_start_region_n(name, name ? strlen(name) : 0);
}

static int open_profile(struct pdump_recorder *r)
{
    int err;

    if (!r->region)
        return pdump_recorder_misuse("start_profile",
                                     "start_profile: no region is open; call "
                                     "start_region first");
    if (r->is_in_profile)
        return pdump_recorder_misuse("start_profile twice",
                                     "start_profile: a profile of '%.200s' is "
                                     "open; profiles do not nest",
                                     open_name(r));
    err = push(r, r->region, PDUMP_FRAME_PROFILE, is_off(r) || is_excluded(r));
    r->is_in_profile = err >= 0;
    return err;
}

int pdump_start_profile(void)
{
    struct pdump_recorder *r;
    int go = start(&r);

    return go == 1 ? done(r, open_profile(r)) : go;
}

static int close_profile(struct pdump_recorder *r)
{
    if (!r->is_in_profile)
        return pdump_recorder_misuse("end_profile",
                                     "end_profile: no profile is open; call "
                                     "start_profile first");
    if (pdump_recorder_pop(r, PDUMP_FRAME_PROFILE) < 0)
        return pdump_recorder_misuse("end_profile inside",
                                     "end_profile: a region begun in the "
                                     "profile of '%.200s' is still open",
                                     open_name(r));
    r->is_in_profile = false;
    return PDUMP_OK;
}

int pdump_end_profile(void)
{
    struct pdump_recorder *r;
    int go = start(&r);

    return go == 1 ? done(r, close_profile(r)) : go;
}

static int close_region(struct pdump_recorder *r)
{
    if (!r->region)
        return pdump_recorder_misuse("end_region",
                                     "end_region: no region is open; call "
                                     "start_region first");
    if (r->is_in_profile)
        return pdump_recorder_misuse("end_region early",
                                     "end_region: a profile of '%.200s' is "
                                     "open; call end_profile first",
                                     open_name(r));
    r->region = 0;
    return PDUMP_OK;
}

int pdump_end_region(void)
{
    struct pdump_recorder *r;
    int go = start(&r);

    return go == 1 ? done(r, close_region(r)) : go;
}

static int open_step(struct pdump_recorder *r)
{
    static const char name[] = "step";
    bool is_wanted = pdump_step_ranges_has(r->shared->steps, r->step);
    uint32_t region;
    int err;

    if (r->is_in_step)
        return pdump_recorder_misuse("start_step",
                                     "start_step: step %" PRId64
                                     " is open; steps do not nest",
                                     r->step - 1);
    err = pdump_regions_add(r->tree.regions, name, sizeof(name) - 1,
                            PDUMP_GROUP_STEP, NULL, 0, &region);
    if (err < 0)
        return err;
    err = push(r, region, PDUMP_FRAME_STEP, is_off(r) || !is_wanted);
    if (err < 0)
        return err;
    r->step++;
    r->is_in_step = true;
    r->is_step_off = !is_wanted;
    return PDUMP_OK;
}

int pdump_start_step(void)
{
    struct pdump_recorder *r;
    int go = start(&r);

    return go == 1 ? done(r, open_step(r)) : go;
}

static int close_step(struct pdump_recorder *r)
{
    if (!r->is_in_step)
        return pdump_recorder_misuse("end_step",
                                     "end_step: no step is open; call "
                                     "start_step first");
    if (pdump_recorder_pop(r, PDUMP_FRAME_STEP) < 0)
        return pdump_recorder_misuse("end_step inside",
                                     "end_step: a region begun in step %" PRId64
                                     " is still open",
                                     r->step - 1);
    r->is_in_step = false;
    r->is_step_off = false;
    return PDUMP_OK;
}

int pdump_end_step(void)
{
    struct pdump_recorder *r;
    int go = start(&r);

    return go == 1 ? done(r, close_step(r)) : go;
}
