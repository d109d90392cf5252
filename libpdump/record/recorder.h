/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records the regions of one thread.
 *
 * A recorder belongs to its thread: no locks, no atomic operations that cost
 * anything, no allocation after a node's first visit.  Its results are in the
 * store, where others may read them at any time (snapshot.h).
 *
 * This is the central header of record/, which records the regions, events and
 * details of each thread into the store.
 */
#ifndef PDUMP_RECORDER_H
#define PDUMP_RECORDER_H

#include "record/detail_index.h"
#include "record/throttle.h"
#include "record/timeline.h"
#include "record/tree.h"
#include "source/source.h"
#include "system/log.h"

#include <stdbool.h>

struct pdump_recorder;

/* Called on each thread of the program when it starts recording and before it
 * stops. */
struct pdump_recorder_watch {
    void (*begin)(struct pdump_recorder *r);
    void (*end)(struct pdump_recorder *r);
};

/* What all recorders of a session share.  Immutable except for the store. */
struct pdump_recording {
    struct pdump_store *store;
    struct pdump_head *head;
    struct pdump_regions *regions;
    const struct pdump_sources *sources;
    int64_t depth_max;
    int64_t samples_max;
    bool wants_samples;     /* a sample of every visit */
    bool is_helper;         /* for a thread of libpdump */
    const char *steps;      /* PDUMP_DUMP_STEPS */
    int64_t counters_every; /* read in every n-th visit; 0 and 1: in each */
    bool times_calls;       /* no counters in calls (call.h) and functions */
    struct pdump_throttle *throttle; /* NULL: off */
    struct pdump_function_table
        *functions;                /* of compiled code; NULL in tests */
    struct pdump_timeline *events; /* NULL: only the profile */
    /* Called when a thread has added a node: checks whether MPI has been
     * initialised since.  NULL in tests. */
    void (*look)(const struct pdump_recording *recording);
    const struct pdump_recorder_watch *watch; /* NULL: nobody watches */
};

enum { PDUMP_EXCLUDED_BITS = 5 };

/* What a thread does in addition to measuring the time. */
enum {
    PDUMP_WAY_COUNTED = 1, /* it reads sources */
    PDUMP_WAY_TRACED = 2,  /* it keeps events */
};

struct pdump_recorder {
    unsigned gate; /* see gate.h */
    unsigned number;
    unsigned known_by; /* marks refs in `known` of callees and tables (call.h):
                          number, or another one while costs are measured */
    struct pdump_frame *top; /* innermost open region */
    char *base;              /* of the store */
    struct pdump_thread_record *record;
    struct pdump_tree tree;
    uint32_t n_metrics;
    unsigned way;        /* PDUMP_WAY_ */
    unsigned call_way;   /* the same in calls (call.h) and functions */
    uint32_t call_flags; /* of their frames: PDUMP_FRAME_UNCOUNTED, or 0 */
    int n_sources;
    bool is_cycles; /* pdump_clock_is_cycles, which modules cannot access */
    const struct pdump_recording *shared;
    void *state[PDUMP_SOURCES_MAX];
    struct pdump_arena arena;
    struct pdump_detail_index details;
    struct pdump_trace trace;
    /* A cache by the address of the name: a region that is not recorded, or 0.
     */
    uint32_t excluded[1 << PDUMP_EXCLUDED_BITS];
    int64_t depth;
    int64_t n_samples;
    int off; /* pdump_disable_recording() calls */
    /* The state of PyPerfDump's and perf-dump's calls (api_profile.c). */
    uint32_t region;    /* ref of the open region, or 0 */
    int64_t n_unnamed;  /* regions without a name so far */
    int64_t n_profiles; /* of the open region, that were kept */
    int64_t n_ended;    /* regions with an end_region() so far */
    int64_t step;       /* number of the next step */
    bool is_in_profile;
    bool is_in_step;
    bool is_step_off;    /* the current step is not recorded */
    bool is_in_pcontrol; /* the current step was begun by pdump_pcontrol() */
};

/* Start recording on this thread.  If a source fails, that costs a warning and
 * its metrics. */
int pdump_recorder_open(struct pdump_recorder *r,
                        const struct pdump_recording *shared);

/* Stop recording, on the same thread.  What was recorded stays in the store. */
void pdump_recorder_close(struct pdump_recorder *r);

/* Enter the region `name`, or the region at `ref`.  Names are NUL-terminated
 * or have `len` bytes.  The errors are those of pdump_region_begin(). */
int pdump_recorder_begin(struct pdump_recorder *r, const char *name);
int pdump_recorder_begin_n(struct pdump_recorder *r, const char *name,
                           size_t len);
int pdump_recorder_enter(struct pdump_recorder *r, uint32_t region);

/* Enter a node of the tree, with PDUMP_FRAME_ flags; 0 for a region.  Returns
 * false if the nesting is too deep; a region is then skipped. */
bool pdump_recorder_push(struct pdump_recorder *r, uint32_t node,
                         uint32_t flags);

/* As pdump_recorder_push() with flags, for a frame that is not recorded. */
bool pdump_recorder_push_skipped(struct pdump_recorder *r, uint32_t flags);

/* Leave the innermost region: `name` (NULL: any), or the region at `ref`. */
int pdump_recorder_end(struct pdump_recorder *r, const char *name);
int pdump_recorder_end_n(struct pdump_recorder *r, const char *name,
                         size_t len);
int pdump_recorder_leave(struct pdump_recorder *r, uint32_t region);

/* Leave the innermost frame that is not a parameter.  PDUMP_ESTATE if it does
 * not have all of `flags`; then nothing changes. */
int pdump_recorder_pop(struct pdump_recorder *r, uint32_t flags);

/* Returns the innermost frame that is not a parameter. */
struct pdump_frame *pdump_recorder_frame(const struct pdump_recorder *r);

/* Leave frames until `frame` is the innermost. */
void pdump_recorder_pop_to(struct pdump_recorder *r,
                           const struct pdump_frame *frame);

/* Leave the innermost frames that are calls of MPI or of I/O. */
void pdump_recorder_end_calls(struct pdump_recorder *r);

/* Returns the node of a region under `parent`, made if new.  Visits that get
 * the overflow node or region are counted. */
uint32_t pdump_recorder_child(struct pdump_recorder *r, uint32_t parent,
                              uint32_t region);

/* The first returns true if a region is open, the second if the innermost one
 * is recorded. */
bool pdump_recorder_is_in_region(const struct pdump_recorder *r);
bool pdump_recorder_is_recorded(const struct pdump_recorder *r);

/* Read every metric now; values[n_metrics].  Returns false if a counter cannot
 * be read. */
bool pdump_recorder_read(struct pdump_recorder *r, int64_t *values);

/* Called before and after every change of figures, `words` words from `ref` on:
 * see struct pdump_thread_record. */
void pdump_recorder_change(struct pdump_recorder *r, uint32_t ref,
                           uint32_t words);
void pdump_recorder_changed(struct pdump_recorder *r);

/* Returns the error for a pdump_recorder_push() that has failed. */
int pdump_recorder_too_deep(const struct pdump_recorder *r);

/* Report misuse: warn, and fail with the same text. */
int pdump_recorder_misuse_by(pdump_warner *warn, const char *cause,
                             const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* As usual, with one warning per cause. */
#define pdump_recorder_misuse(...) \
    pdump_recorder_misuse_by(pdump_warn, __VA_ARGS__)

#endif
