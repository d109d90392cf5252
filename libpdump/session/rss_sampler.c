/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples memory over time: a thread of libpdump reads /proc. */
#include "session/rss_sampler.h"
#include "probe/call_detail.h"
#include "record/gate.h"
#include "record/thread.h"
#include "source/clock.h"
#include "system/lock.h"
#include "system/log.h"
#include "system/own_signals.h"
#include "system/private_thread.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum {
    RARELY = 10, /* samples between those that cost more */
    TRIES = 3,   /* to read the memory while no region begins or ends */
    CHILDREN_MAX = 256,
    PATH_DEPTH = 32, /* innermost regions in a label */
    PATH_LEN = 400,
    NAP = 100000000, /* ns between two checks, at most */
};

enum { RSS, PSS, CHILDREN };

static const struct pdump_detail_field fields[] = {
    { "rss", "B", PDUMP_FIELD_MAX, 1, false },
    { "pss", "B", PDUMP_FIELD_MAX, 1, false },
    { "children", "B", PDUMP_FIELD_MAX, 1, false },
};

/* The data of the thread.  It is not on its stack, so that a child of fork()
 * can still find and free it. */
static struct {
    struct pdump_recorder recorder;
    struct pdump_recording recording;
    struct pdump_sources none;
    struct pdump_head *head;
    unsigned session;
    int64_t interval; /* ns */
    int64_t start;
    uint64_t n_looks;
    uint32_t node; /* that was open when the memory was read, or 0 */
    int64_t children[CHILDREN_MAX];
    int n_children;
} sampler;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake;
static pthread_t thread;
static _Atomic bool is_running;
static bool is_stopping;
static bool is_held; /* by the thread that forks */

/* The lock also protects the recorder, so that it is idle during a fork.
 * Memory may be allocated under this lock. */

uint64_t pdump_rss_sampler_row(uint64_t look)
{
    uint64_t row = PDUMP_RSS_SAMPLER_FINE, per_row = 2;

    if (look < row)
        return look;
    for (look -= row; look >= PDUMP_RSS_SAMPLER_COARSE * per_row;
         per_row *= 2) {
        look -= PDUMP_RSS_SAMPLER_COARSE * per_row;
        row += PDUMP_RSS_SAMPLER_COARSE;
    }
    row += look / per_row;
    return row < PDUMP_RSS_SAMPLER_ROWS ? row : PDUMP_RSS_SAMPLER_ROWS - 1;
}

/*
 * Reads the open regions of another thread without stopping it.  Frames are
 * reused, never freed, and nodes and regions never change: at worst the result
 * is slightly old, or still zeroes, which mean no name.
 */
#define RACY __attribute__((no_sanitize("thread")))

/* Returns the open node of the first thread, or 0. */
RACY static uint32_t open_node(void)
{
    char *base = sampler.recorder.base;
    const struct pdump_thread_record *first = NULL;
    const volatile struct pdump_frame *frame;

    for (uint32_t ref = atomic_load(&sampler.head->threads); ref;
         ref = first->next)
        first = pdump_store_at(base, ref);
    if (!first || first->is_helper)
        return 0;
    for (uint32_t ref = atomic_load_explicit(&first->top, memory_order_acquire);
         ref; ref = frame->up) {
        frame = pdump_store_at(base, ref);
        if (!(frame->flags & PDUMP_FRAME_SKIPPED))
            return frame->node;
    }
    return 0;
}

/* Functions of compiled code have no name before a dump is made. */
RACY static const char *name_of(const struct pdump_node *node)
{
    const struct pdump_region_record *region =
        pdump_store_at(sampler.recorder.base, node->region);

    return !node->region || region->group == PDUMP_GROUP_FUNCTION
               ? NULL
               : region->name;
}

/* Writes "main/solve", with the innermost regions only. */
RACY static void put_path(char *buf, size_t len)
{
    const char *names[PATH_DEPTH];
    const struct pdump_node *node;
    size_t used = 0;
    int n = 0;

    for (uint32_t ref = sampler.node; ref && n < PATH_DEPTH;
         ref = node->parent) {
        node = pdump_store_at(sampler.recorder.base, ref);
        names[n] = name_of(node);
        n += names[n] != NULL;
    }
    while (n > 0) {
        n--;
        if (used > 0 && used + 1 < len)
            buf[used++] = '/';
        for (const char *c = names[n]; *c && used + 1 < len; c++)
            buf[used++] = *c;
    }
    buf[used] = '\0';
}

static void moment_label(uint64_t key, char *buf, size_t len)
{
    char path[PATH_LEN];
    int64_t us = (pdump_clock_system() - sampler.start) / 1000;

    (void)key;
    put_path(path, sizeof(path));
    /* No floating point: it would use the decimal comma of the program's
     * locale. */
    snprintf(buf, len, "%010" PRId64 ".%03d%s%s", us / 1000, (int)(us % 1000),
             *path ? " " : "", path);
}

static struct pdump_detail_table table = {
    .name = "memory",
    .about = "memory of the process over time",
    .key = "moment",
    .fields = fields,
    .n_fields = sizeof(fields) / sizeof(fields[0]),
    .label = moment_label,
};

static int64_t sum_children(void)
{
    int64_t sum = 0;

    for (int i = 0; i < sampler.n_children; i++) {
        int64_t rss = pdump_rss_sampler_rss(sampler.children[i]);

        sum += rss > 0 ? rss : 0;
    }
    return sum;
}

static void raise_to(int64_t *figure, int64_t value)
{
    if (value >= 0 && value > *figure)
        *figure = value;
}

/* The result of a sample; -1: unknown. */
struct seen {
    bool is_rare;
    int64_t rss, pss, children;
};

static void memory_read(void *data)
{
    struct seen *seen = data;

    seen->rss = pdump_rss_sampler_rss(0);
    if (seen->rss >= 0 && seen->is_rare) {
        seen->pss = pdump_rss_sampler_pss();
        sampler.n_children =
            pdump_rss_sampler_children(sampler.children, CHILDREN_MAX);
    }
    seen->children = sum_children();
}

/* Reads memory and open region.  If the region changes meanwhile, the memory
 * may be that of another one: reads again, but not forever. */
static void memory_read_in_region(struct seen *seen)
{
    for (int i = 0; i < TRIES; i++) {
        sampler.node = open_node();
        pdump_rss_sampler_apart_do(memory_read, seen);
        if (open_node() == sampler.node)
            return;
    }
}

static void sample_take(void)
{
    struct pdump_call call = { .r = &sampler.recorder,
                               .session = sampler.session };
    struct seen seen = { .is_rare = sampler.n_looks % RARELY == 0, .pss = -1 };
    int64_t *row;

    memory_read_in_region(&seen);
    if (seen.rss < 0) {
        pdump_warn("PDUMP_MEMORY",
                   "PDUMP_MEMORY: /proc/thread-self/statm cannot be read: how "
                   "much memory the process has is not known");
        return;
    }
    pdump_turn_await(&lock);
    row = pdump_detail_thread_row(&call, &table,
                                  pdump_rss_sampler_row(sampler.n_looks++));
    if (row) {
        raise_to(&row[RSS], seen.rss);
        raise_to(&row[PSS], seen.pss);
        raise_to(&row[CHILDREN], seen.children);
        pdump_detail_done(&call);
    }
    pdump_turn_end(&lock);
}

static void threads_look(void *data)
{
    *(bool *)data = pdump_rss_sampler_is_alone();
}

static bool is_alone(void)
{
    bool is_so = false;

    pdump_rss_sampler_apart_do(threads_look, &is_so);
    return is_so;
}

/* Returns true if the thread has to stop. */
static bool wait_until(int64_t when)
{
    struct timespec ts = { .tv_sec = when / 1000000000,
                           .tv_nsec = when % 1000000000 };
    bool is_over;

    pdump_turn_await(&lock);
    while (!is_stopping && pthread_cond_timedwait(&wake, &lock, &ts) == 0)
        ;
    is_over = is_stopping;
    pdump_turn_end(&lock);
    return is_over;
}

/* Waits until the program has a thread in the store, because this thread must
 * not be the first one. */
static bool is_ready(void)
{
    if (sampler.recorder.number)
        return true;
    if (!atomic_load(&sampler.head->threads))
        return false;
    pdump_turn_await(&lock);
    if (pdump_recorder_open(&sampler.recorder, &sampler.recording) >= 0) {
        sampler.recorder.number = sampler.session;
        sampler.recorder.known_by = sampler.session;
        pdump_thread_done(&sampler.recorder);
    }
    pdump_turn_end(&lock);
    return sampler.recorder.number == sampler.session;
}

static void *sampler_run(void *unused)
{
    int64_t next = pdump_clock_system();
    bool is_over = false;

    prctl(PR_SET_NAME, "pdump-memory");
    /* Nothing that this thread calls is recorded. */
    pdump_self.gate = PDUMP_GATE_INSIDE;
    pdump_rss_sampler_apart_start();
    /* When all other threads have ended, this one ends too, and so does the
     * process. */
    while (!is_alone()) {
        int64_t moment = pdump_clock_system();

        if ((is_over || moment >= next) && !pdump_gate_is_off() && is_ready())
            sample_take();
        if (is_over) /* the last sample has been taken */
            break;
        if (moment >= next)
            next = moment + sampler.interval;
        is_over = wait_until(next < moment + NAP ? next : moment + NAP);
    }
    pdump_rss_sampler_apart_stop();
    pdump_self.gate = PDUMP_GATE_UNKNOWN;
    return unused;
}

static bool start_thread(void)
{
    pthread_condattr_t how;
    sigset_t all, before;
    bool is_good;

    pthread_condattr_init(&how);
    pthread_condattr_setclock(&how, CLOCK_MONOTONIC);
    pthread_cond_init(&wake, &how);
    pthread_condattr_destroy(&how);
    /* This thread must not receive the program's signals. */
    sigfillset(&all);
    pdump_own_signals_mask(SIG_SETMASK, &all, &before);
    is_good = pdump_private_thread_start(&thread, NULL, sampler_run, NULL) == 0;
    pdump_own_signals_mask(SIG_SETMASK, &before, NULL);
    return is_good;
}

void pdump_rss_sampler_start(const struct pdump_session *s)
{
    if (s->settings.memory == 0 || is_running)
        return;
    /* The sampler may grow the store at any time: opening the file then would
     * take a descriptor number from the program for a moment. */
    pdump_store_keep_open(s->store);
    /* After a fork, the child still has the data of its parent's thread. */
    pdump_tree_close(&sampler.recorder.tree);
    pdump_detail_index_free(&sampler.recorder.details);
    memset(&sampler, 0, sizeof(sampler));
    sampler.recording = s->recording;
    sampler.none.n_metrics = s->sources.n_metrics;
    sampler.recording.sources = &sampler.none;
    sampler.recording.is_helper = true;
    sampler.head = s->head;
    sampler.session = s->number;
    sampler.interval = s->settings.memory * 1000000;
    sampler.start = s->head->start.ns;
    is_stopping = false;
    is_running = start_thread();
    if (!is_running)
        pdump_warn("PDUMP_MEMORY",
                   "PDUMP_MEMORY: the thread for samples cannot be started");
}

void pdump_rss_sampler_stop(void)
{
    if (!is_running)
        return;
    pdump_turn_await(&lock);
    is_stopping = true;
    pthread_cond_signal(&wake);
    pdump_turn_end(&lock);
    if (!pthread_equal(thread, pthread_self()))
        pthread_join(thread, NULL);
    pthread_cond_destroy(&wake);
    if (sampler.recorder.number)
        pdump_recorder_close(&sampler.recorder);
    is_running = false;
}

bool pdump_rss_sampler_is_running(void)
{
    return is_running;
}

void pdump_rss_sampler_before_fork(struct timespec until)
{
    is_held = pdump_turn_take_until(&lock, until);
}

void pdump_rss_sampler_in_parent(void)
{
    if (is_held)
        pdump_turn_end(&lock);
}

void pdump_rss_sampler_forked(void)
{
    pdump_lock_renew(&lock);
    pdump_rss_sampler_apart_forked();
    is_running = false;
}
