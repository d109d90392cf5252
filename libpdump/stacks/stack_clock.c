/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes stacks of all threads, by a clock of each thread's CPU time. */
#include "stacks/stack_clock.h"
#include "record/gate.h"
#include "stacks/cpu_timer.h"
#include "stacks/module_record.h"
#include "stacks/module_table.h"
#include "stacks/safe_read.h"
#include "stacks/script_frames.h"
#include "stacks/script_table.h"
#include "stacks/stack_signal.h"
#include "stacks/stack_thread.h"
#include "stacks/thread_list.h"
#include "system/kernel_memory.h"
#include "system/log.h"
#include "system/own_signals.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LOOK_EVERY = 64 /* stacks of the process between two looks */ };

static struct {
    _Atomic bool is_running;
    /* Why memory cannot be read, or 0.  Not known before the first stack: short
     * processes do not try. */
    _Atomic int blind;
    int number;     /* of the signal */
    int64_t period; /* ns */
    struct pdump_store *store;
    _Atomic int64_t left; /* bytes of the store */
    _Atomic unsigned taken;
    _Atomic unsigned looks;
    atomic_flag is_looking;
} clock_of_stacks = { .is_looking = ATOMIC_FLAG_INIT };

#define CLOCK (&clock_of_stacks)

static __thread struct {
    sigset_t mask;
    bool is_blocked;
} around_fork;

/* Returns a period with some jitter, so that the stacks do not follow a rhythm
 * of the program. */
static int64_t next_period(struct pdump_stack_thread *t)
{
    int64_t half = CLOCK->period / 2;

    t->random ^= t->random << 13;
    t->random ^= t->random >> 7;
    t->random ^= t->random << 17;
    return CLOCK->period - half / 2 +
           (int64_t)(t->random >> 11) % (half > 0 ? half : 1);
}

/* The moments do not depend on how late a signal comes, so the rate is right on
 * average.  A moment in the past would send the next signal at once. */
static void timer_renew(struct pdump_stack_thread *t, int64_t now)
{
    t->next += next_period(t);
    if (t->next <= now)
        t->next = now + CLOCK->period / 4;
    pdump_cpu_timer_set(t->timer, t->next);
}

/* The program has switched recording off. */
static bool is_off(const struct pdump_stack_thread *t)
{
    const struct pdump_recorder *r = t->recorder;

    return pdump_gate_is_off() || (r && (r->off || r->is_step_off));
}

/* Returns the node of the innermost region that is open, as records show it:
 * the recorder may be the one of a calibration. */
static uint32_t open_node(const struct pdump_stack_thread *t)
{
    struct pdump_thread_record *rec = t->record;
    char *base = pdump_store_base(CLOCK->store);
    const struct pdump_frame *frame;

    if (!rec)
        return 0;
    frame = pdump_store_at(
        base, atomic_load_explicit(&rec->top, memory_order_relaxed));
    return frame->node;
}

/* Makes the memory for the first stack of a thread. */
static bool thread_prepare(struct pdump_stack_thread *t)
{
    struct pdump_thread_record *rec = t->record;

    if (!t->walker) {
        if (!pdump_safe_read_works())
            CLOCK->blind = errno;
        else
            t->walker = pdump_kernel_memory_get(sizeof(*t->walker));
    }
    if (!t->walker)
        return false;
    if (!t->has_tree) {
        t->walker->low = t->walker->high = 0; /* maybe another thread's */
        t->has_tree =
            pdump_stack_tree_open(&t->tree, CLOCK->store, &CLOCK->left, t->tid);
    }
    if (t->has_tree && rec && !t->tree.record->thread)
        t->tree.record->thread = (uint32_t)(((char *)rec - t->tree.base) / 8);
    return t->has_tree;
}

static void thread_found(pid_t tid, void *data)
{
    struct pdump_stack_thread *t = pdump_stack_thread_find(tid);

    if (!t && pdump_thread_list_may_signal(tid, CLOCK->number))
        t = pdump_stack_thread_add(tid, CLOCK->number, CLOCK->period);
    if (t)
        t->seen = *(const unsigned *)data;
}

/* Looks for threads that do not record: often at first, then rarely. */
static void threads_look(void)
{
    unsigned n = ++CLOCK->taken, look;

    if ((n % LOOK_EVERY != 0 && (n > LOOK_EVERY || n & (n - 1))) ||
        atomic_flag_test_and_set(&CLOCK->is_looking))
        return;
    look = ++CLOCK->looks; /* from 1 on */
    if (pdump_thread_list_read(thread_found, &look))
        pdump_stack_thread_sweep(look);
    atomic_flag_clear(&CLOCK->is_looking);
}

static void stack_take(struct pdump_stack_thread *t, const ucontext_t *context)
{
    int64_t now = pdump_cpu_timer_now(t->tid);
    bool takes = !is_off(t);

    timer_renew(t, now);
    if (takes && !thread_prepare(t))
        return; /* the next stack stands for this time, too */
    if (takes) {
        pdump_walk(t->walker, context);
        pdump_script_frames_add(t->walker);
        pdump_stack_tree_add(&t->tree, t->walker, open_node(t), now - t->last);
        threads_look();
    }
    t->last = now;
}

/* Returns false if the signal is not of a timer here. */
static bool signal_take(const siginfo_t *info, const ucontext_t *context)
{
    struct pdump_stack_thread *t = NULL;

    if (info->si_code == SI_TIMER)
        t = pdump_stack_thread_of(info->si_value.sival_ptr);
    if (t && t->tid == (pid_t)syscall(SYS_gettid)) {
        atomic_store(&t->is_busy, 1);
        if (CLOCK->is_running)
            stack_take(t, context);
        atomic_store(&t->is_busy, 0);
    }
    return t != NULL;
}

static bool is_blocked(void)
{
    sigset_t mask;

    return pdump_own_signals_mask(SIG_BLOCK, NULL, &mask) != 0 ||
           sigismember(&mask, CLOCK->number);
}

/* Adds the calling thread, unless it blocks the signal: it may wait for all
 * signals by sigwait(), and would get ours. */
static struct pdump_stack_thread *thread_add(pid_t tid)
{
    struct pdump_stack_thread *t;

    if (is_blocked())
        return NULL;
    t = pdump_stack_thread_add(tid, CLOCK->number, CLOCK->period);
    if (!t)
        pdump_warn("stacks timer", "no stacks are taken of some threads: %s",
                   strerror(errno));
    return t;
}

static void thread_begin(struct pdump_recorder *r)
{
    struct pdump_stack_thread *t;

    pid_t tid;

    if (!CLOCK->is_running)
        return;
    tid = (pid_t)r->record->tid;
    t = pdump_stack_thread_find(tid);
    if (!t && pdump_stack_signal_keep())
        pdump_stack_thread_wake_all();
    if (!t)
        t = thread_add(tid);
    if (t) {
        t->record = r->record;
        t->recorder = r;
    }
}

static void thread_end(struct pdump_recorder *r)
{
    struct pdump_stack_thread *t =
        pdump_stack_thread_find((pid_t)r->record->tid);

    if (t && t->recorder == r)
        pdump_stack_thread_remove(t);
}

const struct pdump_recorder_watch pdump_stack_clock_watch = {
    .begin = thread_begin,
    .end = thread_end,
};

int pdump_stack_clock_start(const struct pdump_recording *recording,
                            int64_t rate, int64_t memory)
{
    if (!pdump_module_table_open())
        return pdump_fail(PDUMP_ESOURCE,
                          "the C library has no _dl_find_object()");
    CLOCK->number = pdump_stack_signal_open(signal_take);
    if (!CLOCK->number)
        return pdump_fail(PDUMP_ESOURCE, "no signal can be used: %s",
                          strerror(errno));
    pdump_module_record_forget();
    pdump_script_table_forget();
    CLOCK->period = INT64_C(1000000000) / rate;
    CLOCK->store = recording->store;
    CLOCK->left = memory;
    CLOCK->taken = 0;
    CLOCK->is_running = true;
    thread_add((pid_t)syscall(SYS_gettid));
    return PDUMP_OK;
}

void pdump_stack_clock_stop(void)
{
    if (!CLOCK->number)
        return;
    if (CLOCK->is_running && CLOCK->blind)
        pdump_warn("stacks memory",
                   "no stacks are taken: process_vm_readv() does not work: %s",
                   strerror(CLOCK->blind));
    if (CLOCK->is_running && CLOCK->taken && !pdump_stack_signal_is_ours())
        pdump_warn("stacks signal",
                   "stacks are missing: the program has taken signal %d",
                   CLOCK->number);
    CLOCK->is_running = false;
    pdump_stack_thread_remove_all();
}

int pdump_stack_clock_signal(void)
{
    return CLOCK->number;
}

bool pdump_stack_clock_action(int number, const struct sigaction *action,
                              struct sigaction *old)
{
    if (!CLOCK->number || number != CLOCK->number)
        return false;
    pdump_stack_signal_want(action, old);
    return true;
}

void pdump_stack_clock_before_fork(void)
{
    sigset_t ours;

    if (!CLOCK->is_running)
        return;
    sigemptyset(&ours);
    sigaddset(&ours, CLOCK->number);
    around_fork.is_blocked =
        pdump_own_signals_mask(SIG_BLOCK, &ours, &around_fork.mask) == 0;
}

void pdump_stack_clock_in_parent(void)
{
    if (around_fork.is_blocked)
        pdump_own_signals_mask(SIG_SETMASK, &around_fork.mask, NULL);
    around_fork.is_blocked = false;
}

void pdump_stack_clock_forked(void)
{
    CLOCK->is_running = false;
    atomic_flag_clear(&CLOCK->is_looking);
    pdump_module_table_forked();
    pdump_safe_read_forked();
    pdump_stack_thread_forked();
    pdump_stack_clock_in_parent();
}
