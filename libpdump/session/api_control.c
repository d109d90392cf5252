/* SPDX-License-Identifier: BSD-3-Clause */
/* The public functions: control and detail. */
#include "record/gate.h"
#include "record/parameter.h"
#include "record/rewind.h"
#include "record/thread.h"
#include "record/user_metric.h"
#include "session/session.h"
#include "store/store_metadata.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int no_name(const char *what)
{
    return pdump_fail(PDUMP_EINVAL, "a %s needs a name", what);
}

int pdump_disable_recording(void)
{
    struct pdump_recorder *r = pdump_thread_self();
    int ready = pdump_thread_ready(r);

    if (ready != PDUMP_READY && ready != PDUMP_SKIP)
        return ready < 0 ? ready : PDUMP_OK;
    r->off++;
    pdump_thread_done(r);
    return PDUMP_OK;
}

int pdump_enable_recording(void)
{
    struct pdump_recorder *r = pdump_thread_self();
    int ready = pdump_thread_ready(r), err = PDUMP_OK;

    if (ready != PDUMP_READY && ready != PDUMP_SKIP)
        return ready < 0 ? ready : PDUMP_OK;
    if (r->off > 0)
        r->off--;
    else
        err = pdump_recorder_misuse("enable", "pdump_enable_recording without "
                                              "pdump_disable_recording");
    pdump_thread_done(r);
    return err;
}

int pdump_disable_recording_all(void)
{
    pdump_gate_switch(1);
    return PDUMP_OK;
}

int pdump_enable_recording_all(void)
{
    if (pdump_gate_switch(-1))
        return PDUMP_OK;
    return pdump_recorder_misuse("enable all",
                                 "pdump_enable_recording_all without "
                                 "pdump_disable_recording_all");
}

static int no_region(const char *what)
{
    return pdump_recorder_misuse(what, "%s: no region is open", what);
}

int pdump_parameter_string(const char *name, const char *value)
{
    struct pdump_recorder *r = pdump_thread_self();
    int go, err = PDUMP_OK;

    if (!name || !*name || strchr(name, '='))
        return pdump_fail(PDUMP_EINVAL,
                          "a parameter needs a name, without '='");
    if (!value)
        return pdump_fail(PDUMP_EINVAL, "parameter %s has no value", name);
    go = pdump_thread_go(r);
    if (go != 1)
        return go;
    if (!pdump_recorder_is_in_region(r))
        err = no_region("pdump_parameter");
    else if (pdump_recorder_is_recorded(r))
        err = pdump_parameter_enter(r, name, value);
    pdump_thread_done(r);
    return err;
}

int pdump_parameter_int(const char *name, int64_t value)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRId64, value);
    return pdump_parameter_string(name, text);
}

int pdump_parameter_uint(const char *name, uint64_t value)
{
    char text[24];

    snprintf(text, sizeof(text), "%" PRIu64, value);
    return pdump_parameter_string(name, text);
}

int pdump_parameter_double(const char *name, double value)
{
    char text[40], *comma;

    snprintf(text, sizeof(text), "%.15g", value);
    comma = strchr(text, ','); /* from the program's locale */
    if (comma)
        *comma = '.';
    return pdump_parameter_string(name, text);
}

int pdump_rewind_begin(const char *name)
{
    struct pdump_recorder *r = pdump_thread_self();
    uint32_t region;
    int ready, err = PDUMP_OK;

    if (!name)
        return no_name("rewind region");
    ready = pdump_thread_ready(r);
    if (ready == PDUMP_SKIP) {
        if (!pdump_recorder_push_skipped(r, PDUMP_FRAME_REWIND))
            err = pdump_recorder_too_deep(r);
    } else if (ready == PDUMP_READY) {
        err = pdump_regions_add(r->tree.regions, name, strlen(name),
                                PDUMP_GROUP_USER, NULL, 0, &region);
        if (err >= 0)
            err = pdump_rewind_enter(r, region);
    } else {
        return ready < 0 ? ready : PDUMP_OK;
    }
    pdump_thread_done(r);
    return err;
}

int pdump_rewind_end(const char *name, int discard)
{
    struct pdump_recorder *r = pdump_thread_self();
    int ready = pdump_thread_ready(r), err;

    if (ready != PDUMP_READY && ready != PDUMP_SKIP)
        return ready < 0 ? ready : PDUMP_OK;
    err = pdump_rewind_leave(r, name, discard != 0);
    pdump_thread_done(r);
    return err;
}

int pdump_counter_add(const char *name, int64_t value)
{
    struct pdump_recorder *r = pdump_thread_self();
    int go, err = PDUMP_OK;

    if (!name || !*name)
        return no_name("counter");
    go = pdump_thread_go(r);
    if (go != 1)
        return go;
    if (!pdump_recorder_is_in_region(r))
        err = no_region("pdump_counter_add");
    else if (pdump_recorder_is_recorded(r))
        err = pdump_user_metric_add(r, r->top->node, name, value);
    pdump_thread_done(r);
    return err;
}

int pdump_metadata(const char *key, const char *value)
{
    struct pdump_session *s;
    int err;

    if (!key || !*key || !value)
        return pdump_fail(PDUMP_EINVAL, "metadata needs a key and a value");
    err = pdump_session_start_first();
    if (err < 0)
        return err;
    s = pdump_session_hold();
    if (!s)
        return pdump_session_phase() == PDUMP_PHASE_ENDED
                   ? pdump_fail(PDUMP_ESTATE, "libpdump was finalized")
                   : PDUMP_OK;
    err = pdump_store_metadata_add(s->store, key, value);
    pdump_session_let_go(s);
    return err;
}

int pdump_thread_name(const char *name)
{
    struct pdump_recorder *r = pdump_thread_self();
    uint32_t ref;
    int ready;

    if (!name)
        return no_name("thread");
    ready = pdump_thread_ready(r);
    if (ready != PDUMP_READY && ready != PDUMP_SKIP)
        return ready < 0 ? ready : PDUMP_OK;
    ref = pdump_store_text(r->shared->store, name, strlen(name));
    if (ref)
        atomic_store_explicit(&r->record->name, ref, memory_order_release);
    pdump_thread_done(r);
    return ref ? PDUMP_OK : pdump_no_memory();
}
