/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread of libpdump that writes full chunks of events to a file. */
#include "session/timeline_writer.h"
#include "record/gate.h"
#include "record/thread.h"
#include "session/rss_sampler.h"
#include "store/store_event_file.h"
#include "system/folder.h"
#include "system/log.h"
#include "system/own_signals.h"
#include "system/private_thread.h"
#include "system/sem_wait.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Not on the thread's stack, so that a child of fork() can still find what it
 * inherits. */
static struct {
    struct pdump_session *session;
    char path[PATH_MAX];
    bool is_torn; /* the end of the file is damaged: nothing can be added */
} writer;

static pthread_t thread;
static sem_t full;
static _Atomic bool is_running;
static _Atomic bool is_stopping;

/* The file of events is beside the store, which contains its name.  Without a
 * store no other process looks for it. */
static void choose_folder(struct pdump_session *s)
{
    const char *store = pdump_store_path(s->store);

    if (store)
        s->beside = strdup(store);
    else if (asprintf(&s->beside, "%s/", s->settings.dir) < 0)
        s->beside = NULL;
}

void pdump_timeline_writer_prepare(struct pdump_session *s)
{
    const struct pdump_settings *set = &s->settings;
    bool is_ring = strcmp(set->events_mode, "ring") == 0;

    pdump_timeline_wish(set->records_events);
    if (!set->records_events)
        return;
    s->events.mode = is_ring ? PDUMP_TIMELINE_RING : PDUMP_TIMELINE_FLUSH;
    s->events.buffer = (uint64_t)set->events_buffer << 10;
    s->events.limit = ((uint64_t)set->memory_max << 20) / 2;
    s->events.has_counters = set->events_counters;
    s->head->events_mode = s->events.mode;
    s->recording.events = &s->events;
    choose_folder(s);
}

/* Makes the file when it is first needed, and notes its name in the store. */
static bool has_file(void)
{
    struct pdump_session *s = writer.session;

    if (writer.is_torn)
        pdump_fail(PDUMP_EIO, "%s: its end is damaged", writer.path);
    if (*writer.path)
        return !writer.is_torn;
    if (!s->beside ||
        (!pdump_store_path(s->store) &&
         pdump_folder_make(s->settings.dir) < 0) ||
        pdump_store_event_file_make(s->store, s->beside, s->head, writer.path,
                                    sizeof(writer.path)) < 0) {
        *writer.path = '\0';
        return false;
    }
    return true;
}

/* Returns the number of events in a chunk. */
static uint64_t chunk_count(const struct pdump_event_piece *piece,
                            const unsigned char *bytes)
{
    struct pdump_event_reader reader = { .at = bytes, .end = bytes + piece->n };
    struct pdump_event event;
    uint64_t n = 0;

    while (pdump_event_read(&reader, &event) > 0)
        n++;
    return n;
}

static bool add_piece(const struct pdump_event_piece *piece,
                      const unsigned char *bytes)
{
    int err;

    if (!has_file())
        return false;
    err = pdump_store_event_file_add(writer.path, piece, bytes);
    writer.is_torn = err == PDUMP_EFORMAT;
    return err >= 0;
}

static void write_chunk(struct pdump_event_chunk *chunk)
{
    struct pdump_session *s = writer.session;
    struct pdump_thread_record *owner =
        pdump_store_at((char *)s->head, chunk->thread);
    struct pdump_event_piece piece = { .sequence = chunk->sequence,
                                       .first = chunk->first,
                                       .start = chunk->start,
                                       .thread = chunk->number,
                                       .node = chunk->node,
                                       .n = chunk->n };

    if (!add_piece(&piece, chunk->bytes)) {
        pdump_warn("events", "events are lost: %s", pdump_last_error());
        atomic_fetch_add(&owner->unwritten_events,
                         chunk_count(&piece, chunk->bytes));
    }
    atomic_fetch_sub(&owner->event_bytes, sizeof(*chunk) + chunk->room);
    atomic_store_explicit(&chunk->sequence, 0, memory_order_relaxed);
    atomic_store_explicit(&chunk->state, PDUMP_CHUNK_FREE,
                          memory_order_release);
    atomic_fetch_add(&s->events.freed, 1);
}

static void write_full(void)
{
    struct pdump_session *s = writer.session;
    struct pdump_event_chunk *chunk;

    for (uint32_t ref = atomic_load(&s->head->event_chunks); ref;
         ref = chunk->next) {
        chunk = pdump_store_at((char *)s->head, ref);
        if (atomic_load_explicit(&chunk->state, memory_order_acquire) ==
            PDUMP_CHUNK_FULL)
            write_chunk(chunk);
    }
}

static void *write_on(void *unused)
{
    prctl(PR_SET_NAME, "pdump-events");
    /* Nothing that this thread calls is recorded. */
    pdump_self.gate = PDUMP_GATE_INSIDE;
    /* When all other threads have ended, this one ends too, and so does the
     * process. */
    do {
        pdump_sem_wait(&full);
        write_full();
    } while (!is_stopping && !pdump_rss_sampler_is_alone());
    pdump_self.gate = PDUMP_GATE_UNKNOWN;
    return unused;
}

void pdump_timeline_writer_start(struct pdump_session *s)
{
    sigset_t all, before;

    if (s->events.mode != PDUMP_TIMELINE_FLUSH || is_running)
        return;
    writer.session = s;
    writer.path[0] = '\0';
    writer.is_torn = false;
    is_stopping = false;
    if (sem_init(&full, 0, 0) != 0)
        return;
    /* This thread must not receive the program's signals. */
    sigfillset(&all);
    pdump_own_signals_mask(SIG_SETMASK, &all, &before);
    is_running = pdump_private_thread_start(&thread, NULL, write_on, NULL) == 0;
    pdump_own_signals_mask(SIG_SETMASK, &before, NULL);
    if (is_running)
        s->events.full = &full;
    else
        pdump_warn("events", "no thread to write events: those that do not "
                             "fit into PDUMP_EVENTS_BUFFER are lost");
}

void pdump_timeline_writer_stop(void)
{
    if (!is_running)
        return;
    is_stopping = true;
    sem_post(&full);
    if (!pthread_equal(thread, pthread_self()))
        pthread_join(thread, NULL);
    is_running = false;
}

void pdump_timeline_writer_forked(void)
{
    is_running = false;
}

bool pdump_timeline_is_writing(void)
{
    return is_running;
}
