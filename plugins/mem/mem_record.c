/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts the program's allocations by region: the table "heap".
 *
 * A block counts in the row of the region and thread that allocated it, until
 * any thread frees it.  So these figures (LIVE, BLOCKS) may be changed by every
 * thread, atomically; the others are changed only by the thread that owns the
 * row.
 */
#include "mem_record.h"
#include "probe/call_detail.h"
#include "probe/call_hot.h"
#include "probe/handshake.h"
#include "system/process_state.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALLOCATIONS, ALLOCATED, FREES, FREED, LIVE, BLOCKS, PEAK };

static const struct pdump_detail_field fields[] = {
    [ALLOCATIONS] = { "allocations", "", PDUMP_FIELD_SUM, 1, false },
    [ALLOCATED] = { "allocated", "B", PDUMP_FIELD_SUM, 1, false },
    [FREES] = { "frees", "", PDUMP_FIELD_SUM, 1, false },
    [FREED] = { "freed", "B", PDUMP_FIELD_SUM, 1, false },
    [LIVE] = { "live", "B", PDUMP_FIELD_SUM, 1, false },
    [BLOCKS] = { "live_blocks", "", PDUMP_FIELD_SUM, 1, false },
    [PEAK] = { "peak", "B", PDUMP_FIELD_SUM, 1, false },
};

enum { OWN, OTHERS };

static void row_label(uint64_t key, char *buf, size_t len)
{
    snprintf(buf, len, "%s",
             key == OTHERS ? "threads without regions" : "malloc");
}

static struct pdump_detail_table table = {
    .name = "heap",
    .about = "memory that was allocated and freed",
    .key = "allocator",
    .fields = fields,
    .n_fields = sizeof(fields) / sizeof(fields[0]),
    .label = row_label,
    .holders = BLOCKS,
};

/* This library is preloaded, never dlopen()ed.  So TLS is accessed without a
 * call, which might itself allocate. */
#define NEAR_TLS __thread __attribute__((tls_model("initial-exec")))

static NEAR_TLS bool is_busy; /* allocations are libpdump's own */

/* True if allocations are counted.  It is on a page that the kernel zeroes in a
 * forked child: the memory of the parent's session is not mapped there until
 * the child is recognised. */
static bool nowhere;
static volatile bool *is_here = &nowhere;
static bool is_emptied; /* false on kernels before 4.14 */

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

/* The session that blocks are counted in.  It is held, so that threads that do
 * not hold it themselves may change its figures: see session_visit(). */
static struct {
    _Atomic unsigned number; /* 0: none */
    struct pdump_session *session;
    char *base;
    int64_t *others; /* figures of threads unknown to the session */
    _Atomic int64_t live;
    _Atomic int64_t peak;
} now;

static _Atomic int visitors;
static _Atomic bool is_changing;

static void before_fork(void)
{
    is_busy = true;
    if (!is_emptied)
        *is_here = false;
}

static void in_parent(void)
{
    *is_here = true;
    is_busy = false;
}

/* In a child: the parent's session is not ours, and its memory is not
 * mapped. */
static void forget_parent(void)
{
    atomic_store(&now.number, 0);
    now.session = NULL;
    atomic_store(&now.live, 0);
    atomic_store(&now.peak, 0);
    atomic_store(&visitors, 0);
    atomic_store(&is_changing, false);
    *is_here = true;
    is_busy = false;
}

static struct pdump_process_hook in_child = { .call = forget_parent };

__attribute__((constructor)) static void mem_start(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *at;

    if (!pdump_probe_is_open())
        return;
    at = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
              -1, 0);
    if (at == MAP_FAILED)
        return;
    is_busy = true;
    is_here = at;
    is_emptied = madvise(at, page, MADV_WIPEONFORK) == 0;
    *is_here = pthread_atfork(before_fork, in_parent, NULL) == 0;
    pdump_process_in_child(&in_child);
    is_busy = false;
}

static inline bool is_counting(void)
{
    return *is_here &&
           (__builtin_expect(is_emptied, 1) || pdump_process_is_own());
}

static void figure_add(int64_t *figure, int64_t value)
{
    __atomic_fetch_add(figure, value, __ATOMIC_RELAXED);
}

/* Adds `size`.  Returns by how much the process exceeds its previous peak. */
static int64_t heap_grow(int64_t size)
{
    int64_t live =
        atomic_fetch_add_explicit(&now.live, size, memory_order_relaxed) + size;
    int64_t peak = atomic_load_explicit(&now.peak, memory_order_relaxed);

    while (live > peak)
        if (atomic_compare_exchange_weak(&now.peak, &peak, live))
            return live - peak;
    return 0;
}

/* Lets a thread that does not hold the session use it: until session_leave(),
 * the session is not released.  Returns false if it is not the current one. */
static bool session_visit(unsigned session)
{
    atomic_fetch_add(&visitors, 1);
    if (atomic_load(&now.number) == session)
        return true;
    atomic_fetch_sub(&visitors, 1);
    return false;
}

static void session_leave(void)
{
    atomic_fetch_sub(&visitors, 1);
}

/* Visitors stay only for a moment.  But a thread of higher priority must not
 * wait for them for ever. */
enum { PATIENCE = 100000 };

/* Closes the current session to visitors, then releases it and takes the new
 * one.  Returns false if a visitor is still inside: its data must not
 * change. */
static bool session_replace(struct pdump_call *call)
{
    static bool is_late; /* a wait was in vain: do not repeat it per block */
    int64_t *others;

    atomic_store(&now.number, 0);
    for (int i = 0; atomic_load(&visitors) > 0; i++) {
        if (is_late || i == PATIENCE) {
            is_late = true;
            return false;
        }
        sched_yield();
    }
    is_late = false;
    if (now.session) {
        atomic_store(&now.live, 0);
        atomic_store(&now.peak, 0);
        pdump_call_let_go(now.session);
    }
    now.session = pdump_call_hold();
    now.base = pdump_hot_call_memory(call);
    others = pdump_detail_thread_row(call, &table, OTHERS);
    if (others)
        pdump_detail_done(call);
    now.others = others;
    atomic_store(&now.number, call->session);
    return true;
}

/* Called for the first block of a session.  Returns false if it cannot be
 * counted. */
static __attribute__((noinline)) bool change_session(struct pdump_call *call)
{
    bool is_good;

    for (int i = 0; atomic_exchange(&is_changing, true); i++) {
        if (i == PATIENCE) {
            pdump_hot_call_lost(call);
            return false;
        }
        sched_yield();
    }
    is_good =
        atomic_load(&now.number) == call->session || session_replace(call);
    atomic_store(&is_changing, false);
    if (!is_good)
        pdump_hot_call_lost(call);
    return is_good;
}

static inline bool session_enter(struct pdump_call *call)
{
    unsigned number = atomic_load_explicit(&now.number, memory_order_acquire);

    return __builtin_expect(number == call->session, 1) || change_session(call);
}

static uint32_t ref_of(const char *base, const int64_t *figures)
{
    return (uint32_t)(((const char *)figures - base) / 8);
}

static int64_t *figures_at(char *base, uint32_t ref)
{
    return (int64_t *)(void *)(base + (size_t)ref * 8);
}

static void row_keep(int64_t *row, int64_t size)
{
    figure_add(&row[LIVE], size);
    figure_add(&row[BLOCKS], 1);
}

/* Returns the reference of the row that the block is counted in, or 0. */
static uint32_t block_count_here(struct pdump_call *call, int64_t size)
{
    int64_t *row =
        session_enter(call) ? pdump_detail_row(call, &table, OWN) : NULL;

    if (!row)
        return 0;
    row[ALLOCATIONS]++;
    row[ALLOCATED] += size;
    row[PEAK] += heap_grow(size);
    row_keep(row, size);
    pdump_detail_done(call);
    return ref_of(pdump_hot_call_memory(call), row);
}

static uint32_t block_count_stranger(unsigned session, int64_t size)
{
    int64_t *row;
    uint32_t ref = 0;

    if (!session_visit(session))
        return 0;
    row = now.others;
    if (row) {
        figure_add(&row[ALLOCATIONS], 1);
        figure_add(&row[ALLOCATED], size);
        figure_add(&row[PEAK], heap_grow(size));
        row_keep(row, size);
        ref = ref_of(now.base, row);
    }
    session_leave();
    return ref;
}

bool pdump_mem_forget(void *block, struct pdump_mem_block *out)
{
    struct pdump_mem_block *at = pdump_mem_blocks_at(block, false);

    if (!at || !at->row)
        return false;
    *out = *at;
    at->row = 0;
    return true;
}

void pdump_mem_remember(void *block, const struct pdump_mem_block *known)
{
    *pdump_mem_blocks_at(block, false) = *known;
}

/* Subtracts the block from its row.  A row that was reset because there was no
 * room for another one has nothing to subtract from (detail_row.h). */
static void block_drop(char *base, const struct pdump_mem_block *known)
{
    int64_t *row = figures_at(base, known->row);

    if (__atomic_load_n(&row[LIVE], __ATOMIC_RELAXED) >= (int64_t)known->size &&
        __atomic_load_n(&row[BLOCKS], __ATOMIC_RELAXED) > 0) {
        figure_add(&row[LIVE], -(int64_t)known->size);
        /* Last: it signals that the row is no longer needed. */
        __atomic_fetch_sub(&row[BLOCKS], 1, __ATOMIC_RELEASE);
    }
    atomic_fetch_sub_explicit(&now.live, (int64_t)known->size,
                              memory_order_relaxed);
}

static void block_uncount_here(struct pdump_call *call,
                               const struct pdump_mem_block *known)
{
    int64_t *row = pdump_detail_row(call, &table, OWN);

    if (row) {
        row[FREES]++;
        row[FREED] += (int64_t)known->size;
        pdump_detail_done(call);
    }
    block_drop(pdump_hot_call_memory(call), known);
}

static void block_uncount_away(enum pdump_where where,
                               const struct pdump_mem_block *known)
{
    if (!session_visit(known->session))
        return;
    if (where == PDUMP_STRANGER && now.others) {
        figure_add(&now.others[FREES], 1);
        figure_add(&now.others[FREED], (int64_t)known->size);
    }
    block_drop(now.base, known);
    session_leave();
}

static void block_count(void *block, size_t size)
{
    struct pdump_mem_block *at;
    struct pdump_call call;
    enum pdump_where where = pdump_call_where(&call);
    uint32_t ref;

    if (where == PDUMP_NOWHERE)
        return;
    at = pdump_mem_blocks_at(block, true);
    if (!at) {
        if (where == PDUMP_HERE)
            pdump_hot_call_lost(&call);
        return;
    }
    if (at->row) /* freed without our seeing it */
        block_uncount_away(PDUMP_NOWHERE, at);
    at->row = 0;
    ref = where == PDUMP_HERE
              ? block_count_here(&call, (int64_t)size)
              : block_count_stranger(call.session, (int64_t)size);
    if (ref)
        *at = (struct pdump_mem_block){ size, ref, call.session };
}

void pdump_mem_allocated(void *block, size_t size)
{
    int error;

    if (is_busy || !is_counting())
        return;
    error = errno;
    is_busy = true;
    block_count(block, size);
    is_busy = false;
    errno = error;
}

void pdump_mem_freed(const struct pdump_mem_block *known)
{
    bool was_busy = is_busy;
    struct pdump_call call;
    enum pdump_where where;
    int error = errno;

    if (!is_counting())
        return;
    is_busy = true;
    where = was_busy ? PDUMP_NOWHERE : pdump_call_where(&call);
    if (where == PDUMP_HERE && call.session == known->session)
        block_uncount_here(&call, known);
    else
        block_uncount_away(where, known);
    is_busy = was_busy;
    errno = error;
}
