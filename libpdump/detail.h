/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that somebody else's code makes, and what there is to tell of them.
 *
 * For the libraries that stand in front of MPI, of the C library and so on: a
 * call is a region of a group of its own; what a call site sent, what a file
 * got is a row of a table beside the tree.  None of it may disturb the program:
 * no call here fails, starts what has ended, or speaks of misuse.
 *
 *     static struct pdump_callee send = { "MPI_Send", PDUMP_GROUP_MPI };
 *     struct pdump_call call;
 *     int64_t *row;
 *
 *     if (!pdump_call_begin(&call, &send))
 *         return PMPI_Send(...);
 *     result = PMPI_Send(...);
 *     pdump_call_end(&call);
 *     row = pdump_detail_row(&call, &table, site);
 *     if (row) {
 *         row[CALLS]++;
 *         pdump_detail_done(&call);
 *     }
 */
#ifndef PDUMP_DETAIL_H
#define PDUMP_DETAIL_H

#include "dump.h"
#include "recorder.h"

/* What is called.  Static; `known` is ours. */
struct pdump_callee {
    const char *name;
    enum pdump_group group;
    _Atomic uint64_t known; /* number of the session, and ref of the region */
};

/* A call under way, on one thread. */
struct pdump_call {
    struct pdump_recorder *r;
    unsigned session;
    uint32_t node;
    int64_t start; /* ticks */
    int64_t time;  /* ticks, after its end */
};

/* Enter it.  False: nothing is recorded, and no other function is to be called
 * for it.  Starts the session if there never was one. */
PDUMP_SHARED bool pdump_call_begin(struct pdump_call *call,
                                   struct pdump_callee *callee);
PDUMP_SHARED void pdump_call_end(struct pdump_call *call);

/* As pdump_call_begin() and _end() in one, for a visit that just happened and
 * is too short to be measured: no time, only a place for details.  False also
 * in a region that is left out (PDUMP_THROTTLE, a filter). */
PDUMP_SHARED bool pdump_call_here(struct pdump_call *call);

/* Where somebody's code is, for calls that may come from anywhere, as malloc():
 * no session starts for them, no thread joins one, and no lock is taken. */
enum pdump_where {
    PDUMP_NOWHERE,  /* nothing is recorded, or it is libpdump's own code */
    PDUMP_HERE,     /* as after pdump_call_here() */
    PDUMP_STRANGER, /* on a thread that has had no region in the session, which
                       is in call->session; nothing else is there */
};
PDUMP_SHARED enum pdump_where pdump_call_where(struct pdump_call *call);

/* After PDUMP_HERE: keep the memory of the session, also when it has ended,
 * until pdump_call_let_go(). */
struct pdump_session;
PDUMP_SHARED struct pdump_session *pdump_call_hold(void);
PDUMP_SHARED void pdump_call_let_go(struct pdump_session *session);

/* All metrics of the call's thread now, call->r->n_metrics of them, the time in
 * ticks first.  False: they cannot be read, or the session is over. */
PDUMP_SHARED bool pdump_call_read(struct pdump_call *call, int64_t *values);

/* Now, in ticks. */
PDUMP_SHARED int64_t pdump_call_now(void);

struct pdump_detail_field {
    const char *name;
    const char *unit;
    enum pdump_field_kind kind;
    int width;
    bool is_ticks; /* values are ticks here, ns (or their squares) in a dump */
};

/* A table.  Static; `known` is ours.  Texts are cut to what layout.h has. */
struct pdump_detail_table {
    const char *name;
    const char *about;
    const char *key; /* what labels are */
    const struct pdump_detail_field *fields;
    int n_fields;   /* of PDUMP_DETAIL_WORDS_MAX values at most, all together */
    bool has_sites; /* labels are places in code, as symbols.h makes them */
    /* The value that counts those who keep the address of a row, to change it
     * later; 0: nobody does. */
    int holders;
    /* The label of a key, asked for when its row is new. */
    void (*label)(uint64_t key, char *buf, size_t len);
    _Atomic uint64_t known;
};

/* The figures of `key` in the call's node, to be changed until
 * pdump_detail_done(), without any other call of libpdump in between.  New ones
 * are 0, or the least or largest number.  NULL: there is no room (which is
 * counted) or the session is over. */
PDUMP_SHARED int64_t *pdump_detail_row(struct pdump_call *call,
                                       struct pdump_detail_table *table,
                                       uint64_t key);
/* The same, where no more will change than the first PDUMP_DETAIL_FIRST figures
 * and, of all others, those two (-1: none): for tables that are wider. */
enum { PDUMP_DETAIL_FIRST = 14 };
PDUMP_SHARED int64_t *pdump_detail_row_partly(
    struct pdump_call *call, struct pdump_detail_table *table, uint64_t key,
    const int others[PDUMP_OTHERS_MAX]);
/* The same for the thread as a whole. */
PDUMP_SHARED int64_t *pdump_detail_thread_row(struct pdump_call *call,
                                              struct pdump_detail_table *table,
                                              uint64_t key);
PDUMP_SHARED void pdump_detail_done(struct pdump_call *call);
/* pdump_detail_done(), and then pdump_detail_thread_row(). */
PDUMP_SHARED int64_t *pdump_detail_thread_next(struct pdump_call *call,
                                               struct pdump_detail_table *table,
                                               uint64_t key);

/* Add all details of node `from` to node `to` (0: nowhere), and empty `from`.
 */
void pdump_detail_move(struct pdump_recorder *r, uint32_t from, uint32_t to);

#endif
