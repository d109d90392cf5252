/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a store contains.
 *
 * Records refer to each other by refs (store.h), lists grow at their head:
 * first the new record is complete, then one aligned word makes it visible.
 * Whoever looks, a dump in this process or a reader after a crash, finds whole
 * records only.
 */
#ifndef PDUMP_STORE_LAYOUT_H
#define PDUMP_STORE_LAYOUT_H

#include "config/region_group.h"
#include "source/clock.h"
#include "source/source.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { PDUMP_STORE_VERSION = 4 };

/* What becomes of events. */
enum pdump_timeline_mode {
    PDUMP_TIMELINE_NONE,
    PDUMP_TIMELINE_FLUSH,
    PDUMP_TIMELINE_RING,
};

/* Bytes of a chunk, at most: what a reader of a damaged store can bear. */
enum { PDUMP_EVENT_CHUNK_MAX = 32 << 20 };

/* Ref 0.  What stands before `checksum` is covered by it and does not change
 * once the session has started. */
struct pdump_head {
    char magic[8];    /* PDUMP_STORE_MAGIC */
    uint32_t version; /* PDUMP_STORE_VERSION */
    uint32_t layout;  /* pdump_store_layout() */
    char run[40];     /* the same for all processes of a run */
    int64_t pid;
    int64_t parent; /* pid of the process that forked it, or 0 */
    int64_t root;   /* pid of the one that collects its records, or 0 */
    struct pdump_moment start;
    struct pdump_moment settled; /* a later one: the rate of the clock */
    int64_t start_realtime;      /* ns since 1970 */
    uint32_t is_subtracted;      /* in dumps: PDUMP_OVERHEAD */
    uint32_t times_calls;        /* as struct pdump_recording has it */
    uint32_t n_metrics;          /* of every node, with time */
    uint32_t metrics;            /* array of n_metrics struct pdump_metric */
    uint64_t checksum;

    _Atomic uint64_t size;       /* bytes of the file that may be in use */
    _Atomic int32_t rank;        /* in its job, 0 without one */
    _Atomic int32_t n_ranks;     /* of the job, 0 if unknown */
    uint32_t warnings;           /* struct pdump_warnings */
    _Atomic uint32_t is_ended;   /* nothing more will be recorded */
    _Atomic uint32_t is_closing; /* children's stores are being collected */
    _Atomic uint32_t signal;     /* that came, if PDUMP_SIGNALS asked */
    _Atomic uint32_t counters;   /* list of struct pdump_counter_record */
    _Atomic uint32_t regions;    /* list of struct pdump_region_record */
    _Atomic uint32_t threads;    /* list of struct pdump_thread_record */
    _Atomic uint32_t facts;      /* list of struct pdump_fact_record */
    _Atomic uint32_t tables;     /* list of struct pdump_table_record */
    _Atomic uint32_t throttled;  /* list of struct pdump_throttle_record */
    _Atomic uint32_t is_void;    /* it was a step on the way to exec only */
    _Atomic int64_t ended;       /* when it was gone, CLOCK_MONOTONIC, or 0 */

    _Atomic uint32_t event_chunks; /* list of struct pdump_event_chunk */
    _Atomic uint32_t event_file;   /* text: name of timeline.h's file, or 0 */
    uint32_t events_mode;          /* enum pdump_timeline_mode */
};

struct pdump_region_record {
    uint32_t next;
    uint32_t id; /* 1, 2, ... */
    uint32_t group;
    uint32_t file; /* text, or 0 */
    int32_t line;
    uint32_t length;
    uint64_t hash;
    uint32_t is_excluded;      /* by the filter: not to be recorded */
    _Atomic uint32_t throttle; /* struct pdump_throttle_record, or 0 */
    char name[];               /* with a final NUL */
};

/* A user metric. */
struct pdump_counter_record {
    uint32_t next;
    uint32_t id; /* 0, 1, ... */
    char name[];
};

/* What PDUMP_THROTTLE knows of a region. */
struct pdump_throttle_record {
    uint32_t next;
    uint32_t region;
    _Atomic uint32_t is_out; /* its visits are only counted */
    uint32_t pad;
    _Atomic int64_t visits; /* and their time, since it was judged last; */
    _Atomic int64_t ticks;  /* of several threads about right */
    _Atomic int64_t before; /* visits until then */
    _Atomic int64_t mean;   /* that put it out, in ticks */
    _Atomic uint64_t lost;  /* visits since */
};

/* Two rooms for the value, used in turns: one is always whole. */
struct pdump_fact_record {
    uint32_t next;
    _Atomic uint32_t value; /* text */
    uint32_t other;         /* the other room */
    uint32_t room;          /* bytes in each, with a final NUL */
    char key[];
};

struct pdump_stat {
    int64_t sum;
    int64_t min; /* INT64_MAX before the first visit */
    int64_t max; /* INT64_MIN */
    double sumsq;
};

enum {
    PDUMP_DETAIL_WORDS_MAX = 64, /* values in a row */
    PDUMP_DETAIL_FIELDS_MAX = 32,
};

struct pdump_table_field {
    char name[64]; /* of metrics, too */
    char unit[12];
    uint32_t kind; /* enum pdump_field_kind */
    uint32_t width;
    uint32_t is_ticks; /* in the store; ns in a dump */
};

/* A table of details. */
struct pdump_table_record {
    uint32_t next;
    uint32_t n_fields;
    uint32_t n_values;
    uint32_t has_sites; /* the labels are places in code (symbols.h) */
    uint32_t holders;   /* the value that counts who will change it, or 0 */
    char name[24];
    char key[16];
    char about[120];
    struct pdump_table_field fields[];
};

/* A row of a table. */
struct pdump_detail_record {
    uint32_t next;
    uint32_t node;
    uint32_t table;
    uint32_t label; /* text */
    uint64_t key;
    int64_t figures[]; /* n_values */
};

enum {
    PDUMP_NODE_REWIND = 1, /* and all below it: may yet be thrown away */
};

/* A region under a parent on one thread. */
struct pdump_node {
    uint32_t parent;        /* 0 for the root of the thread */
    uint32_t region;        /* 0 for the root */
    _Atomic uint32_t child; /* list, linked by sibling */
    uint32_t sibling;
    _Atomic uint32_t extra; /* list of struct pdump_user_metric: user metrics */
    _Atomic uint32_t details; /* list of struct pdump_detail_record */
    uint32_t flags;
    uint32_t pad;
    uint64_t counted; /* visits that counters were read in, if not in all */
    uint64_t visits;
    struct pdump_stat stat[]; /* n_metrics */
};

/* A user metric of a node; only what was added in the node itself. */
struct pdump_user_metric {
    uint32_t next;
    uint32_t counter;
    struct pdump_stat stat;
};

enum {
    PDUMP_FRAME_SKIPPED =
        1, /* of the special kinds, while nothing is recorded */
    PDUMP_FRAME_PARAMETER = 2, /* ends with the region below it */
    PDUMP_FRAME_PROFILE = 4,
    PDUMP_FRAME_STEP = 8,
    PDUMP_FRAME_REWIND = 16,
    PDUMP_FRAME_UNREAD = 32,   /* the counters could not be read at its begin */
    PDUMP_FRAME_FUNCTION = 64, /* of compiled code: see function_probe.h */
    PDUMP_FRAME_PROGRAM =
        128, /* not begun by the program, see program_region.h */
};

/* An open region.  Allocated once per depth and thread, then used again. */
struct pdump_frame {
    uint32_t up;
    uint32_t down;
    uint32_t node;
    uint32_t flags;
    uint32_t skipped; /* regions open in it that are not recorded */
    union {
        uint32_t events; /* of its thread before it; of rewind regions */
        uint32_t again;  /* its node will do for the function again */
    };
    uint64_t function; /* its address, and where the stack was; of functions */
    uint64_t stack;
    int64_t start[]; /* n_metrics */
};

struct pdump_sample {
    uint32_t node;
    uint32_t pad;
    int64_t number;   /* of the step, or -1 */
    int64_t start;    /* ticks */
    int64_t values[]; /* n_metrics */
};

/* Samples come in chunks; the newest chunk is the head of the list. */
struct pdump_chunk {
    uint32_t next;
    uint32_t room; /* samples */
    _Atomic uint32_t n;
    uint32_t pad;
    int64_t samples[]; /* room times struct pdump_sample */
};

enum pdump_chunk_state {
    PDUMP_CHUNK_FREE,
    PDUMP_CHUNK_USED, /* by its thread, which writes */
    PDUMP_CHUNK_FULL, /* to be written to the file */
};

/*
 * Events of a thread, as event_encoding.h has them; refs and ticks.  A reader
 * takes `n` bytes, which are whole events, and looks at `sequence` before and
 * after: it is 0 while the chunk gets other events.
 */
struct pdump_event_chunk {
    uint32_t next;
    uint32_t room;             /* bytes */
    _Atomic uint32_t state;    /* enum pdump_chunk_state */
    uint32_t thread;           /* ref of its record */
    uint32_t after;            /* in a ring: the one to use after it */
    _Atomic uint32_t n;        /* bytes in use */
    _Atomic uint64_t sequence; /* which chunk of its thread: 1, 2 ... */
    uint64_t first;            /* events of the thread before it, kept or not */
    int64_t start;             /* time of the first event */
    uint32_t node;             /* where the thread was before it */
    uint32_t number;           /* of the thread */
    unsigned char bytes[];
};

/* Set in undo_words: so are the words in undo_others. */
#define PDUMP_UNDO_OTHERS UINT32_C(0x80000000)

enum { PDUMP_OTHERS_MAX = 2 };

/*
 * A thread.  `sequence` is odd while figures are being changed; `undo` then
 * holds the words from undo_ref on as they were, so that whoever reads, also
 * after the process was killed, never sees half a change.
 */
struct pdump_thread_record {
    uint32_t next;
    uint32_t number; /* 0, 1, ... in order of first use */
    int64_t tid;
    _Atomic uint32_t root;    /* node */
    _Atomic uint32_t top;     /* frame */
    _Atomic uint32_t name;    /* text, or 0 */
    _Atomic uint32_t samples; /* newest chunk */
    _Atomic uint32_t cuts;    /* how often samples were thrown away */
    uint32_t missing;         /* bit i: metric i could not be opened */
    uint32_t has_ended;
    uint32_t is_helper; /* ours: its details are those of the first thread */
    _Atomic uint64_t sequence;
    int64_t last;          /* tick of the last end */
    uint64_t too_deep;     /* visits beyond PDUMP_DEPTH_MAX */
    uint64_t overflow;     /* visits without a node of their own */
    uint64_t read_errors;  /* visits without counter values */
    uint64_t lost_samples; /* beyond PDUMP_SAMPLES_MAX */
    uint64_t lost_details; /* calls that no row of a table knows of */
    uint64_t reentered;    /* calls from signal handlers inside ours */
    struct {
        int64_t at; /* words from undo_ref on */
        int64_t value;
    } undo_others[PDUMP_OTHERS_MAX]; /* of wide tables, beyond undo_words */

    uint64_t lost_events; /* that found no room */
    uint64_t void_events; /* events that say that others are void */
    _Atomic uint64_t unwritten_events; /* that the file had no room for */
    _Atomic uint64_t event_bytes;      /* of the chunks that it has */

    uint32_t undo_ref;
    uint32_t undo_words;
    int64_t undo[]; /* as many words as a node or a detail's figures have */
};

/* A node's figures: its visits and stats, as a span of words. */
_Static_assert(offsetof(struct pdump_node, visits) % 8 == 0, "refs are words");

static inline uint32_t pdump_node_figures(uint32_t node)
{
    return node + (uint32_t)offsetof(struct pdump_node, visits) / 8;
}

static inline uint32_t pdump_node_words(uint32_t n_metrics)
{
    return 1 + n_metrics * (uint32_t)sizeof(struct pdump_stat) / 8;
}

/* The same with the number of counted visits before them. */
_Static_assert(offsetof(struct pdump_node, visits) ==
                   offsetof(struct pdump_node, counted) + 8,
               "one span");

static inline uint32_t pdump_node_counted(uint32_t node)
{
    return pdump_node_figures(node) - 1;
}

/* Text does not have these bytes. */
#define PDUMP_STORE_MAGIC "pdump\1\377\n"

/* What a reader must agree on besides the version. */
static inline uint32_t pdump_store_layout(void)
{
    uint32_t sizes[] = {
        sizeof(struct pdump_head),
        sizeof(struct pdump_node),
        sizeof(struct pdump_frame),
        sizeof(struct pdump_region_record),
        sizeof(struct pdump_sample),
        sizeof(struct pdump_thread_record),
        sizeof(struct pdump_user_metric),
        sizeof(struct pdump_chunk),
        sizeof(struct pdump_table_record),
        sizeof(struct pdump_table_field),
        sizeof(struct pdump_detail_record),
        sizeof(struct pdump_throttle_record),
        sizeof(struct pdump_event_chunk),
        sizeof(struct pdump_metric),
    };
    uint32_t sum = 0x01020304;

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        sum = sum * 31 + sizes[i];
    return sum;
}

static inline uint64_t pdump_head_checksum(const struct pdump_head *head)
{
    const unsigned char *byte = (const void *)head;
    uint64_t sum = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < offsetof(struct pdump_head, checksum); i++)
        sum = (sum ^ byte[i]) * UINT64_C(0x100000001b3);
    return sum;
}

#endif
