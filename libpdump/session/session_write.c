/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the last dumps of sessions that have ended, and drops the sessions. */
#include "session/session_write.h"
#include "session/session_output.h"
#include "store/store_event_file.h"
#include "store/store_file.h"
#include "system/lock.h"
#include "system/log.h"

#include <stdio.h>
#include <unistd.h>

static struct pdump_session *first_waiting;

void pdump_session_write_tell_loss(struct pdump_session *s)
{
    const char *path = pdump_store_path(s->store);
    bool is_whole = pdump_store_is_whole(s->store);
    char stores[PATH_MAX];

    if (!path) {
        pdump_warn("dump", "the measurement is lost: %s", pdump_last_error());
        return;
    }
    if (s->settings.follow)
        pdump_store_file_pattern(path, s->origin.run, stores, sizeof(stores));
    else
        snprintf(stores, sizeof(stores), "%s", path);
    pdump_warn("dump", "%s; the records%s are kept: pdump recover %s",
               pdump_last_error(),
               is_whole ? "" : " that the store had room for", stores);
}

/* Another thread may still flush the session, from the same reserve. */
static void remove_files(struct pdump_session *s)
{
    bool is_alone = pdump_turn_take(&s->lock) >= 0;

    pdump_fd_reserve_use(&s->reserve);
    pdump_store_event_file_remove(s->beside, (char *)s->head);
    pdump_fd_reserve_back(&s->reserve);
    if (is_alone)
        pdump_turn_end(&s->lock);
    pdump_store_remove(s->store);
}

/* Returns true if nothing is lost when the store is removed. */
static bool is_empty(const struct pdump_session *s)
{
    const struct pdump_dump *dump = s->last;

    return dump && dump->n_rows == 0 && dump->n_samples == 0 &&
           dump->n_details == 0 && s->children.n == 0;
}

static int write_one(struct pdump_session *s,
                     const struct pdump_session_output_order *order)
{
    int err = s->last ? pdump_session_output_write(s, order) : PDUMP_ENOMEM;

    pdump_run_children_done(&s->children, err >= 0);
    if (err < 0 && is_empty(s))
        pdump_warn("dump", "%s; nothing was recorded", pdump_last_error());
    if (err >= 0 || is_empty(s))
        remove_files(s);
    else
        pdump_session_write_tell_loss(s);
    return err;
}

int pdump_session_write(struct pdump_session *s, const char *name)
{
    const struct pdump_session_output_order alone = { .name = name };
    int err = write_one(s, &alone);

    pdump_session_let_go(s);
    return err;
}

void pdump_session_write_later(struct pdump_session *s)
{
    struct pdump_session **last = &first_waiting;

    while (*last)
        last = &(*last)->waiting;
    *last = s;
}

/* Lower than all errors: the ranks agree on the smallest of their numbers. */
enum { NO_ERROR = -1000 };

/* Returns the largest number of dumps that a rank has to write, or a
 * pdump_error. */
static int count_rounds(const struct pdump_session *s)
{
    int n = 0, err = s->comm->enter(NULL, s->settings.mpi_timeout);

    for (const struct pdump_session *w = s; w; w = w->waiting)
        n++;
    if (err < 0)
        return err;
    err = s->comm->agree(NO_ERROR - n);
    s->comm->leave();
    return err <= NO_ERROR ? NO_ERROR - err : err;
}

/* Writes the waiting sessions, dump by dump, together with the other ranks.  A
 * rank with fewer dumps takes part with an empty one. */
static void write_rounds(int n_rounds)
{
    struct pdump_session_output_order order = { .is_together = n_rounds > 0,
                                                .is_told = n_rounds < 0 };
    for (int round = 0; first_waiting; round++) {
        struct pdump_session *s = first_waiting;

        order.what = 2 + (uint64_t)round;
        write_one(s, &order);
        while (!s->waiting && ++round < n_rounds) {
            order.what = 2 + (uint64_t)round;
            pdump_session_output_attend(s, &order);
        }
        first_waiting = s->waiting;
        pdump_session_let_go(s);
    }
}

void pdump_session_write_waiting(bool is_together)
{
    int n = 0;

    if (!first_waiting)
        return;
    if (is_together)
        n = count_rounds(first_waiting);
    if (n < 0)
        pdump_session_output_tell_alone();
    write_rounds(n);
}

void pdump_session_write_forget(void (*each)(struct pdump_session *s))
{
    for (; first_waiting; first_waiting = first_waiting->waiting)
        each(first_waiting);
}
