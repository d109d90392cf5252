/* SPDX-License-Identifier: BSD-3-Clause */
/* The public functions: PyPerfDump's profiles and perf-dump's steps. */
#include "session/api_profile.h"
#include "config/step_ranges.h"
#include "probe/call_detail_hot.h"
#include "record/frame_reorder.h"
#include "record/gate.h"
#include "record/recorder_hot.h"
#include "record/thread.h"
#include "system/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Printed each time, because each call out of order makes the records differ
 * from what the program meant. */
#define misuse(...) pdump_recorder_misuse_by(pdump_warn_misuse, __VA_ARGS__)

/* Both models check the order of calls even while recording is off. */
static int api_enter(struct pdump_recorder **out)
{
    int ready = pdump_thread_ready(&pdump_self);

    *out = &pdump_self;
    if (ready == PDUMP_READY || ready == PDUMP_SKIP)
        return 1;
    return ready < 0 ? ready : PDUMP_OK;
}

static int api_leave(struct pdump_recorder *r, int err)
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
static int frame_push(struct pdump_recorder *r, uint32_t region, uint32_t flags,
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

/* Leaves the innermost frame, which has this flag; counts the profiles of the
 * open region that were kept. */
static int frame_pop(struct pdump_recorder *r, uint32_t flag)
{
    int64_t n_samples = r->n_samples;
    int err = pdump_recorder_pop(r, flag);

    if (flag == PDUMP_FRAME_PROFILE)
        r->n_profiles += r->n_samples - n_samples;
    return err;
}

/* Ends the open profile or step, and the regions that are still open in it. */
static int end_with_all(struct pdump_recorder *r, uint32_t flag)
{
    for (;;) {
        struct pdump_frame *frame;

        pdump_frame_reorder_region(r);
        frame = pdump_recorder_frame(r);
        r->top->skipped = 0;
        if (frame->flags & flag)
            return frame_pop(r, flag);
        if (frame->flags & (PDUMP_FRAME_BOTTOM | PDUMP_FRAME_OTHERS))
            return PDUMP_ESTATE;
        pdump_recorder_pop_to(r, pdump_hot_frame(r, frame->up));
    }
}

static void write_number(uint64_t key, char *buf, size_t len)
{
    snprintf(buf, len, "%" PRIu64, key);
}

static const struct pdump_detail_field fields[] = {
    { "ends", "1", PDUMP_FIELD_SUM, 1, false },
    { "profiles", "1", PDUMP_FIELD_SUM, 1, false },
};

/* PyPerfDump writes a block of lines for each end_region(), so a dump needs the
 * order of these calls, and the samples of each.  (A row of zeros would not be
 * in the dump.) */
static struct pdump_detail_table ended = {
    .name = "profiles",
    .about = "pairs of start_region and end_region in order",
    .key = "number",
    .fields = fields,
    .n_fields = 2,
    .label = write_number,
};

static void note_region(struct pdump_recorder *r)
{
    uint32_t node = pdump_tree_child(&r->tree, r->top->node, r->region, 0);
    int64_t *figures = pdump_hot_detail_of(
        r, node, &ended, (uint64_t)r->n_ended, (uint32_t)ended.n_fields);

    if (!figures)
        return;
    figures[0] = 1;
    figures[1] = r->n_profiles;
    pdump_hot_changed(r);
    r->n_ended++;
}

/* Ends the open region, and its profile if that is open; of that the caller has
 * warned. */
static int finish_region(struct pdump_recorder *r)
{
    if (r->is_in_profile && end_with_all(r, PDUMP_FRAME_PROFILE) < 0)
        return misuse("profile across a step",
                      "the profile of '%.200s' cannot end: a step or a rewind "
                      "region that was begun in it is still open",
                      open_name(r));
    r->is_in_profile = false;
    if (r->n_profiles || !(is_off(r) || is_excluded(r)))
        note_region(r);
    r->region = 0;
    return PDUMP_OK;
}

/* Warns that `call` ends the open region, and ends it. */
static int end_forgotten(struct pdump_recorder *r, const char *call)
{
    pdump_warn_misuse(call,
                      "%s: region '%.200s' is still open%s, and ends here; "
                      "end_region was not called",
                      call, open_name(r),
                      r->is_in_profile ? " with a profile" : "");
    return finish_region(r);
}

static int open_region(struct pdump_recorder *r, const char *name, size_t len)
{
    char unnamed[40];
    uint32_t region;
    int err;

    if (!name || len == 0) {
        snprintf(unnamed, sizeof(unnamed), "region_%" PRId64, r->n_unnamed + 1);
        name = unnamed;
        len = strlen(unnamed);
    }
    err = pdump_regions_add(r->tree.regions, name, len, PDUMP_GROUP_USER, NULL,
                            0, &region);
    if (err >= 0 && r->region)
        err = end_forgotten(r, "start_region");
    if (err < 0)
        return err;
    r->region = region;
    r->n_profiles = 0;
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
    int go = api_enter(&r);

    return go == 1 ? api_leave(r, open_region(r, name, len)) : go;
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
        return misuse("start_profile", "start_profile: no region is open; call "
                                       "start_region first");
    if (r->is_in_profile)
        return misuse("start_profile twice",
                      "start_profile: a profile of '%.200s' is "
                      "open; profiles do not nest",
                      open_name(r));
    err = frame_push(r, r->region, PDUMP_FRAME_PROFILE,
                     is_off(r) || is_excluded(r));
    r->is_in_profile = err >= 0;
    return err;
}

int pdump_start_profile(void)
{
    struct pdump_recorder *r;
    int go = api_enter(&r);

    return go == 1 ? api_leave(r, open_profile(r)) : go;
}

static int close_profile(struct pdump_recorder *r)
{
    if (!r->is_in_profile)
        return misuse("end_profile", "end_profile: no profile is open; call "
                                     "start_profile first");
    if (frame_pop(r, PDUMP_FRAME_PROFILE) < 0)
        return misuse("end_profile inside",
                      "end_profile: a region begun in the "
                      "profile of '%.200s' is still open",
                      open_name(r));
    r->is_in_profile = false;
    return PDUMP_OK;
}

int pdump_end_profile(void)
{
    struct pdump_recorder *r;
    int go = api_enter(&r);

    return go == 1 ? api_leave(r, close_profile(r)) : go;
}

static int close_region(struct pdump_recorder *r)
{
    if (!r->region)
        return misuse("end_region",
                      "end_region: no region is open; call start_region first");
    if (r->is_in_profile)
        pdump_warn_misuse("end_region early",
                          "end_region: a profile of '%.200s' is still open, "
                          "and ends here; end_profile was not called",
                          open_name(r));
    return finish_region(r);
}

int pdump_end_region(void)
{
    struct pdump_recorder *r;
    int go = api_enter(&r);

    return go == 1 ? api_leave(r, close_region(r)) : go;
}

static void leave_step(struct pdump_recorder *r)
{
    r->is_in_step = false;
    r->is_step_off = false;
    r->is_in_pcontrol = false;
}

/* Warns that `call` ends the open step, and ends it. */
static int end_forgotten_step(struct pdump_recorder *r, const char *call)
{
    pdump_warn_misuse(call,
                      "%s: step %" PRId64
                      " is still open, and ends here; end_step was not called",
                      call, r->step - 1);
    if (end_with_all(r, PDUMP_FRAME_STEP) < 0)
        return misuse("step across a profile",
                      "step %" PRId64 " cannot end: a profile or a rewind "
                      "region that was begun in it is still open",
                      r->step - 1);
    leave_step(r);
    return PDUMP_OK;
}

static int open_step(struct pdump_recorder *r)
{
    static const char name[] = "step";
    bool is_wanted = pdump_step_ranges_has(r->shared->steps, r->step);
    uint32_t region;
    int err;

    err = pdump_regions_add(r->tree.regions, name, sizeof(name) - 1,
                            PDUMP_GROUP_STEP, NULL, 0, &region);
    if (err >= 0 && r->is_in_step)
        err = end_forgotten_step(r, "start_step");
    if (err >= 0)
        err = frame_push(r, region, PDUMP_FRAME_STEP, is_off(r) || !is_wanted);
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
    int go = api_enter(&r);

    return go == 1 ? api_leave(r, open_step(r)) : go;
}

static int close_step(struct pdump_recorder *r)
{
    if (!r->is_in_step)
        return misuse("end_step", "end_step: no step is open; call "
                                  "start_step first");
    if (pdump_recorder_pop(r, PDUMP_FRAME_STEP) < 0)
        return misuse("end_step inside",
                      "end_step: a region begun in step %" PRId64
                      " is still open",
                      r->step - 1);
    leave_step(r);
    return PDUMP_OK;
}

int pdump_end_step(void)
{
    struct pdump_recorder *r;
    int go = api_enter(&r);

    return go == 1 ? api_leave(r, close_step(r)) : go;
}

void pdump_profile_finish(struct pdump_recorder *r, const char *call)
{
    /* Regions that are open in it have no end in the session either. */
    if (r->is_in_step && r->is_in_pcontrol &&
        end_with_all(r, PDUMP_FRAME_STEP) >= 0)
        leave_step(r);
    if (call && r->region)
        end_forgotten(r, call);
    if (call && r->is_in_step)
        end_forgotten_step(r, call);
}
