/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the clocks of ranks against each other. */
#include "job/clock_sync.h"
#include "job/collectives.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Round trips to each rank: rank 0 stops after TRIPS without a shorter one, or
 * after TRIPS_MAX.  A rank waits PATIENCE deadlines for its turn. */
enum { TRIPS = 10, TRIPS_MAX = 100, PATIENCE = 30 };

/* No rank waits longer than this when the job starts: ranks that do not measure
 * do not come. */
enum { START_SECONDS = 5 };

/* The purpose of the meeting, as `what` of pdump_aggregate_open(). */
static const uint64_t for_clocks = UINT64_C(0x636c6f636b73);

static int64_t clock_now(const struct pdump_clock_sync *align)
{
    return align->clock ? align->clock() - align->origin : 0;
}

/* Receives a message of a known size. */
static int clock_receive(const struct pdump_comm *comm, int from, void *out,
                         size_t size)
{
    void *bytes;
    size_t len;
    int err = comm->receive(from, 1, &bytes, &len);

    if (err < 0)
        return err;
    if (len == size)
        memcpy(out, bytes, size);
    else
        err = pdump_fail(PDUMP_EPEER, "a message of another rank is damaged");
    free(bytes);
    return err;
}

/* On rank 0: measures the clock of another rank.  The last message is the
 * result, which is longer than a question. */
static int clock_ask(const struct pdump_comm *comm,
                     const struct pdump_clock_sync *align, int rank,
                     struct pdump_clock_sync_point *out)
{
    int64_t shortest = INT64_MAX;
    int err = PDUMP_OK;

    for (int64_t i = 0, best = 0; err >= 0 && i < TRIPS_MAX && i - best < TRIPS;
         i++) {
        int64_t begin = clock_now(align), end, theirs = 0;

        err = comm->send(rank, &i, sizeof(i));
        if (err >= 0)
            err = clock_receive(comm, rank, &theirs, sizeof(theirs));
        end = clock_now(align);
        if (err < 0 || end - begin >= shortest)
            continue;
        best = i;
        shortest = end - begin;
        out->time = theirs;
        out->offset = theirs - (begin + shortest / 2);
    }
    return err < 0 ? err : comm->send(rank, out, sizeof(*out));
}

/* Answers one question immediately.  Sets *is_end if the message is the result
 * instead. */
static int answer_one(const struct pdump_comm *comm,
                      const struct pdump_clock_sync *align, int times,
                      bool *is_end, struct pdump_clock_sync_point *out)
{
    void *bytes;
    size_t len;
    int err = comm->receive(0, times, &bytes, &len);
    int64_t mine = clock_now(align);

    if (err < 0)
        return err;
    *is_end = len == sizeof(*out);
    if (*is_end)
        memcpy(out, bytes, sizeof(*out));
    free(bytes);
    return *is_end ? PDUMP_OK : comm->send(0, &mine, sizeof(mine));
}

static int clock_answer(const struct pdump_comm *comm,
                        const struct pdump_clock_sync *align,
                        struct pdump_clock_sync_point *out)
{
    bool is_end = false;
    int err = answer_one(comm, align, PATIENCE, &is_end, out);

    while (err >= 0 && !is_end)
        err = answer_one(comm, align, 1, &is_end, out);
    return err;
}

/* The machine whose clock a rank reads, and the time on it at the session's
 * start. */
struct place {
    uint64_t machine; /* 0: unknown */
    int64_t origin;
};

static uint64_t add_text(uint64_t sum, const char *text, ssize_t len)
{
    for (ssize_t i = 0; i < len; i++)
        sum = (sum ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return sum;
}

/* Returns a hash that is equal for processes that read the same system clock:
 * they run on one kernel, since the same boot, in one time namespace. */
static uint64_t machine_of(const struct pdump_clock_sync *align)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    int fd = align->is_system
                 ? open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
                 : -1;
    char text[64];
    ssize_t len;

    if (fd < 0)
        return 0;
    len = read(fd, text, sizeof(text));
    close(fd);
    if (len <= 0)
        return 0;
    sum = add_text(sum, text, len);
    /* Kernels before 5.6 have no time namespaces. */
    len = readlink("/proc/self/ns/time", text, sizeof(text));
    return add_text(sum, text, len) | 1;
}

/* Sends the result to a rank that reads the same clock: nothing to measure. */
static int tell_same(const struct pdump_comm *comm,
                     const struct pdump_clock_sync *align, int rank,
                     const struct place *theirs)
{
    struct pdump_clock_sync_point point = { .offset = align->origin -
                                                      theirs->origin };

    point.time = clock_now(align) + point.offset;
    return comm->send(rank, &point, sizeof(point));
}

int pdump_clock_sync_measure(const struct pdump_comm *comm,
                             const struct pdump_clock_sync *align,
                             struct pdump_clock_sync_point *out)
{
    const struct place mine = { machine_of(align), align->origin };
    struct place *all = NULL;
    int err = pdump_collectives_all(comm, &mine, sizeof(mine), (void **)&all);

    if (err >= 0 && comm->rank() > 0)
        return clock_answer(comm, align, out);
    for (int i = 1; err >= 0 && i < comm->size(); i++)
        err = mine.machine && all[i].machine == mine.machine
                  ? tell_same(comm, align, i, &all[i])
                  : clock_ask(comm, align, i,
                              &(struct pdump_clock_sync_point){ 0 });
    *out = (struct pdump_clock_sync_point){ .time = clock_now(align) };
    free(all);
    return err;
}

void pdump_clock_sync_start(const struct pdump_comm *comm, int64_t seconds,
                            struct pdump_clock_sync *align)
{
    if (align->is_tried)
        return;
    align->is_tried = true;
    if (comm->enter(NULL, seconds < START_SECONDS ? seconds : START_SECONDS) <
        0)
        return;
    if (comm->same(for_clocks) > 0)
        align->has_first =
            pdump_clock_sync_measure(comm, align, &align->first) >= 0;
    comm->leave();
}

/* What rank 0 sends to all. */
struct word {
    int64_t has_first;
    int64_t offset; /* of rank 0, relative to rank 0 at the start */
};

/* Finds the shift, the same for all ranks, that puts the first begin of any
 * rank at 0. */
static int find_shift(const struct pdump_comm *comm,
                      struct pdump_clock_sync_line *line)
{
    int64_t ahead = pdump_clock_sync_offset(line, 0), *all;
    int err = pdump_collectives_all(comm, &ahead, sizeof(ahead), (void **)&all);

    for (int i = 0; err >= 0 && all && i < comm->size(); i++)
        ahead = all[i] > ahead ? all[i] : ahead;
    if (err >= 0) {
        free(all);
        err = pdump_collectives_same(comm, &ahead, sizeof(ahead));
    }
    line->shift = ahead > 0 ? ahead : 0;
    return err;
}

int pdump_clock_sync_finish(const struct pdump_comm *comm,
                            const struct pdump_clock_sync *align,
                            struct pdump_clock_sync_line *out)
{
    struct word word = { align->has_first, align->first.offset };
    int err = pdump_clock_sync_measure(comm, align, &out->last);

    if (err >= 0)
        err = pdump_collectives_same(comm, &word, sizeof(word));
    out->first = out->last;
    if (err >= 0 && align->has_first && word.has_first) {
        out->first = align->first;
        out->first.offset -= word.offset;
    }
    return err < 0 ? err : find_shift(comm, out);
}

int64_t pdump_clock_sync_offset(const struct pdump_clock_sync_line *line,
                                int64_t time)
{
    const struct pdump_clock_sync_point *a = &line->first, *b = &line->last;

    if (time <= a->time)
        return a->offset;
    if (time >= b->time)
        return b->offset;
    return a->offset +
           (int64_t)((double)(b->offset - a->offset) *
                     ((double)(time - a->time) / (double)(b->time - a->time)));
}

int64_t pdump_clock_sync_time(const void *data, int64_t time)
{
    const struct pdump_clock_sync_line *line = data;
    int64_t moved = time - pdump_clock_sync_offset(line, time) + line->shift;

    return moved > 0 ? moved : 0;
}

double pdump_clock_sync_drift(const struct pdump_clock_sync_line *line)
{
    int64_t time = line->last.time - line->first.time;
    int64_t offset = line->last.offset - line->first.offset;

    return time > 0 ? 1e6 * (double)offset / (double)time : 0;
}
