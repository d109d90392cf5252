/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The layout of a store.
 *
 * Records refer to each other by refs (store.h).  Lists grow at their head: the
 * new record is completed first, then one aligned word makes it visible.  So
 * every reader, a dump in this process or a reader after a crash, finds
 * complete records only.
 */
#ifndef PDUMP_STORE_LAYOUT_H
#define PDUMP_STORE_LAYOUT_H

#include "base/visit_kind.h"
#include "config/region_group.h"
#include "source/clock.h"
#include "source/source.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { PDUMP_STORE_VERSION = 5 };

/* What is done with events. */
enum pdump_timeline_mode {
    PDUMP_TIMELINE_NONE,
    PDUMP_TIMELINE_FLUSH,
    PDUMP_TIMELINE_RING,
};

/* The largest chunk in bytes.  Bounds the memory of a reader of a damaged
 * store. */
enum { PDUMP_EVENT_CHUNK_MAX = 32 << 20 };

/* The cost of a visit of some kind, in ps; 0 if it is not known.  `inside` is
 * the part that is in the figures of the visit itself. */
struct pdump_visit_cost {
    _Atomic int64_t all;
    _Atomic int64_t inside;
};

/* The head, at ref 0.  The members before `checksum` are covered by it and do
 * not change once the session has started. */
struct pdump_head {
    char magic[8];    /* PDUMP_STORE_MAGIC */
    uint32_t version; /* PDUMP_STORE_VERSION */
    uint32_t layout;  /* pdump_store_layout() */
    char run[40];     /* the same for all processes of a run */
    int64_t pid;
    int64_t parent; /* pid of the process that forked it, or 0 */
    int64_t root;   /* pid of the process that collects its records, or 0 */
    struct pdump_moment start;
    struct pdump_moment settled; /* a later moment, for the clock rate */
    int64_t start_realtime;      /* ns since 1970 */
    uint32_t is_subtracted;      /* overhead, in dumps: PDUMP_OVERHEAD */
    uint32_t times_calls;        /* as in struct pdump_recording */
    uint32_t n_metrics;          /* of every node, including time */
    uint32_t metrics;            /* array of n_metrics struct pdump_metric */
    uint64_t folder;             /* checksum of the path of PDUMP_DUMP_DIR */
    uint64_t checksum;

    _Atomic uint64_t size;       /* bytes of the file that may be in use */
    _Atomic int32_t rank;        /* in its job, 0 without one */
    _Atomic int32_t n_ranks;     /* in the job, 0 if unknown */
    uint32_t warnings;           /* struct pdump_warnings */
    _Atomic uint32_t is_ended;   /* nothing more will be recorded */
    _Atomic uint32_t is_closing; /* children's stores are being collected */
    _Atomic uint32_t signal;     /* received, if PDUMP_SIGNALS asked */
    _Atomic uint32_t counters;   /* list of struct pdump_counter_record */
    _Atomic uint32_t regions;    /* list of struct pdump_region_record */
    _Atomic uint32_t threads;    /* list of struct pdump_thread_record */
    _Atomic uint32_t facts;      /* list of struct pdump_fact_record */
    _Atomic uint32_t tables;     /* list of struct pdump_table_record */
    _Atomic uint32_t throttled;  /* list of struct pdump_throttle_record */
    _Atomic uint32_t stacks;     /* list of struct pdump_stack_record */
    _Atomic uint32_t modules;    /* list of struct pdump_module_record */
    _Atomic uint32_t is_void;    /* the process was forked only to exec */
    _Atomic int64_t ended; /* when the process ended, CLOCK_MONOTONIC, or 0 */

    _Atomic uint32_t event_chunks; /* list of struct pdump_event_chunk */
    _Atomic uint32_t event_file;   /* text: name of the event file, or 0 */
    uint32_t events_mode;          /* enum pdump_timeline_mode */

    struct pdump_visit_cost visit_cost[PDUMP_VISIT_KINDS];
};

struct pdump_region_record {
    uint32_t next;
    uint32_t id; /* 1, 2, ... */
    uint32_t group;
    uint32_t file; /* text, or 0 */
    int32_t line;
    uint32_t length;
    uint64_t hash;
    uint32_t is_excluded;      /* by the filter: not recorded */
    _Atomic uint32_t throttle; /* struct pdump_throttle_record, or 0 */
    char name[];               /* with a final NUL */
};

/* A user metric. */
struct pdump_counter_record {
    uint32_t next;
    uint32_t id; /* 0, 1, ... */
    char name[];
};

/* The state of a region under PDUMP_THROTTLE. */
struct pdump_throttle_record {
    uint32_t next;
    uint32_t region;
    _Atomic uint32_t is_out; /* throttled: visits are only counted */
    uint32_t pad;
    _Atomic int64_t visits; /* since the last decision; inexact with threads */
    _Atomic int64_t ticks;  /* time of these visits */
    _Atomic int64_t before; /* visits before that decision */
    _Atomic int64_t mean;   /* that caused throttling, in ticks */
    _Atomic uint64_t lost;  /* visits since it was throttled */
};

/* A fact about the run.  It has two buffers for the value, which are used
 * alternately, so that one is always complete. */
struct pdump_fact_record {
    uint32_t next;
    _Atomic uint32_t value; /* text */
    uint32_t other;         /* the other buffer */
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
    char name[64]; /* may be the name of a metric */
    char unit[12];
    uint32_t kind; /* enum pdump_field_kind */
    uint32_t width;
    uint32_t is_ticks; /* ticks in the store, ns in a dump */
};

/* A detail table. */
struct pdump_table_record {
    uint32_t next;
    uint32_t n_fields;
    uint32_t n_values;
    uint32_t has_sites; /* the labels are places in code (symbols.h) */
    uint32_t holders;   /* index of the count of holders, or 0 */
    char name[24];
    char key[16];
    char about[120];
    struct pdump_table_field fields[];
};

/* A row of a detail table. */
struct pdump_detail_record {
    uint32_t next;
    uint32_t node;
    uint32_t table;
    uint32_t label; /* text */
    uint64_t key;
    int64_t figures[]; /* n_values */
};

enum {
    PDUMP_NODE_REWIND = 1, /* the subtree may still be discarded */
};

/* A region under a parent on one thread. */
struct pdump_node {
    uint32_t parent;        /* 0 for the root of the thread */
    uint32_t region;        /* 0 for the root */
    _Atomic uint32_t child; /* list, linked by sibling */
    uint32_t sibling;
    _Atomic uint32_t extra;   /* list of struct pdump_user_metric */
    _Atomic uint32_t details; /* list of struct pdump_detail_record */
    uint32_t flags;
    uint32_t pad;
    uint64_t counted; /* visits in which counters were read, if not all */
    uint64_t visits;
    struct pdump_stat stat[]; /* n_metrics */
};

/* A user metric of a node, without the nodes below it. */
struct pdump_user_metric {
    uint32_t next;
    uint32_t counter;
    struct pdump_stat stat;
};

enum {
    PDUMP_FRAME_SKIPPED =
        1, /* of a special kind, begun while nothing is recorded */
    PDUMP_FRAME_PARAMETER = 2, /* ends with its region, the frame below */
    PDUMP_FRAME_PROFILE = 4,
    PDUMP_FRAME_STEP = 8,
    PDUMP_FRAME_REWIND = 16,
    PDUMP_FRAME_UNREAD = 32,   /* the counters could not be read at its begin */
    PDUMP_FRAME_FUNCTION = 64, /* of compiled code: see function_probe.h */
    PDUMP_FRAME_PROGRAM =
        128, /* begun by libpdump itself: see program_region.h */
};

/* An open region.  Frames are allocated once per depth and thread, and reused.
 */
struct pdump_frame {
    uint32_t up;
    uint32_t down;
    uint32_t node;
    uint32_t flags;
    uint32_t skipped; /* open regions inside that are not recorded */
    union {
        uint32_t events; /* events of the thread before it, in rewind regions */
        uint32_t again;  /* the node can be reused for the same function */
    };
    uint64_t function; /* its address and stack pointer; of functions */
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

/* Samples are stored in chunks; the newest chunk is the head of the list. */
struct pdump_chunk {
    uint32_t next;
    uint32_t room; /* samples */
    _Atomic uint32_t n;
    uint32_t pad;
    int64_t samples[]; /* `room` times struct pdump_sample */
};

enum pdump_chunk_state {
    PDUMP_CHUNK_FREE,
    PDUMP_CHUNK_USED, /* its thread writes to it */
    PDUMP_CHUNK_FULL, /* to be written to the file */
};

/*
 * Events of a thread, encoded as in event_encoding.h, with refs and ticks.  A
 * reader reads `n` bytes, which are whole events, and compares `sequence`
 * before and after: it is 0 while the chunk is reused.
 */
struct pdump_event_chunk {
    uint32_t next;
    uint32_t room;             /* bytes */
    _Atomic uint32_t state;    /* enum pdump_chunk_state */
    uint32_t thread;           /* ref of its record */
    uint32_t after;            /* in a ring: the next chunk to use */
    _Atomic uint32_t n;        /* bytes in use */
    _Atomic uint64_t sequence; /* number of the chunk in its thread: 1, 2 ... */
    uint64_t first;  /* events of the thread before it, kept or lost */
    int64_t start;   /* time of the first event */
    uint32_t node;   /* the thread's node before it */
    uint32_t number; /* of the thread */
    unsigned char bytes[];
};

enum { PDUMP_BUILD_ID_MAX = 20 };

/* A file with code that is in stacks. */
struct pdump_module_record {
    uint32_t next;
    uint32_t n_id;
    unsigned char id[PDUMP_BUILD_ID_MAX]; /* build ID, n_id bytes, or none */
    char path[];
};

enum pdump_stack_kind {
    PDUMP_STACK_CODE = 1,
    PDUMP_STACK_UNFINISHED, /* callers that were not found */
    PDUMP_STACK_SCRIPT,     /* code of an interpreter */
};

/* Code of an interpreter that is in stacks. */
struct pdump_script_record {
    uint32_t line_table; /* enum pdump_line_table (interpreter.h) */
    int32_t first_line;
    uint32_t n_file; /* bytes, with a NUL */
    uint32_t n_name; /* the same */
    uint32_t n_lines;
    char bytes[]; /* file, name, table of lines */
};

/*
 * A frame of stacks below another frame, or below a node.  Count and time are
 * those of stacks that end here.
 */
struct pdump_stack_node {
    uint32_t parent;  /* struct pdump_stack_node, or 0 */
    uint32_t node;    /* without a parent: the node that was open, or 0 */
    uint32_t kind;    /* enum pdump_stack_kind */
    uint32_t module;  /* struct pdump_module_record, or 0; of an interpreter:
                         struct pdump_script_record */
    uint64_t address; /* in the file; without a module: in memory.  Of callers:
                         in the call, not behind it.  Of an interpreter: in
                         units of its table of lines */
    uint64_t count;
    int64_t ns; /* CPU time */
};

struct pdump_stack_chunk {
    uint32_t next;
    uint32_t room;
    _Atomic uint32_t n; /* nodes; each has its parent before it */
    uint32_t pad;
    struct pdump_stack_node nodes[];
};

/*
 * The stacks of a thread.  They are written by a signal handler, which may
 * interrupt a change of the thread's other records, and have a sequence of
 * their own: while it is odd, `undo` has the previous count and time of the
 * node at undo_ref.
 */
struct pdump_stack_record {
    uint32_t next;
    _Atomic uint32_t thread; /* struct pdump_thread_record, or 0 */
    int64_t tid;
    _Atomic uint32_t chunks; /* list of struct pdump_stack_chunk */
    uint32_t undo_ref;
    _Atomic uint64_t sequence;
    int64_t undo[2];
    uint64_t lost;   /* stacks without room */
    int64_t lost_ns; /* CPU time that they stand for */
};

/* Set in undo_words if undo_others has saved words, too. */
#define PDUMP_UNDO_OTHERS UINT32_C(0x80000000)

enum { PDUMP_OTHERS_MAX = 2 };

/*
 * A thread.  `sequence` is odd while figures are being changed; then `undo`
 * contains the previous values of the words from undo_ref on.  So a reader,
 * also after the process was killed, never sees half a change.
 */
struct pdump_thread_record {
    uint32_t next;
    uint32_t number; /* 0, 1, ... in order of first use */
    int64_t tid;
    _Atomic uint32_t root;    /* node */
    _Atomic uint32_t top;     /* frame */
    _Atomic uint32_t name;    /* text, or 0 */
    _Atomic uint32_t samples; /* newest chunk */
    _Atomic uint32_t cuts;    /* how often samples were discarded */
    uint32_t missing;         /* bit i: metric i could not be opened */
    uint32_t has_ended;
    uint32_t is_helper; /* of libpdump; its details go to the first thread */
    _Atomic uint64_t sequence;
    int64_t last;          /* tick of the last end */
    uint64_t too_deep;     /* visits beyond PDUMP_DEPTH_MAX */
    uint64_t overflow;     /* visits without a node of their own */
    uint64_t read_errors;  /* visits without counter values */
    uint64_t lost_samples; /* beyond PDUMP_SAMPLES_MAX */
    uint64_t lost_details; /* calls that are in no row of a table */
    uint64_t reentered;    /* calls from signal handlers inside libpdump */
    struct {
        int64_t at; /* words from undo_ref on */
        int64_t value;
    } undo_others[PDUMP_OTHERS_MAX]; /* for wide tables, beyond undo_words */

    uint64_t lost_events;              /* for lack of room */
    uint64_t void_events;              /* events that make earlier ones void */
    _Atomic uint64_t unwritten_events; /* that did not fit into the file */
    _Atomic uint64_t event_bytes;      /* of the thread's chunks */

    uint32_t undo_ref;
    uint32_t undo_words;
    int64_t undo[]; /* as large as the figures of a node or of a detail row */
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

/* Bytes that do not occur in text. */
#define PDUMP_STORE_MAGIC "pdump\1\377\n"

/* Returns a checksum of the sizes of all records, which a reader compares in
 * addition to the version. */
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
        sizeof(struct pdump_module_record),
        sizeof(struct pdump_script_record),
        sizeof(struct pdump_stack_node),
        sizeof(struct pdump_stack_chunk),
        sizeof(struct pdump_stack_record),
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
