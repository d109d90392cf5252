/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares what each region costs to record with what it shows. */
#ifndef PDUMP_SCORE_H
#define PDUMP_SCORE_H

#include "config/filter.h"
#include "dump/dump.h"

enum {
    SCORE_EVENT_BYTES = 8,
    SCORE_VISIT_BYTES = 2 * SCORE_EVENT_BYTES, /* its begin and its end */
    SCORE_VISITS_MIN = 1000, /* regions with fewer cost almost nothing */
};

struct score_sum {
    int64_t visits;
    int64_t most; /* of the process with the most */
    int n_regions;
    double own;   /* ns, without the regions in it */
    double whole; /* ns, with the regions in it */
};

/* `all` as recorded; `left` without what the filter excludes. */
struct score_group {
    const char *name;
    struct score_sum all, left;
};

struct score_region {
    int region;       /* in the dump; sorted by `most`, largest first */
    const char *name; /* borrowed from the dump */
    int group;
    struct score_sum sum;
    bool is_excluded; /* by the filter */
    bool is_costly;   /* recording it costs too much for its time */
};

struct score {
    const struct pdump_dump *dump; /* borrowed */
    struct score_region *regions;  /* those with a visit */
    int n_regions;
    struct score_group *groups;
    int n_groups;
    struct score_group total;
    /* Index of the process with the most visits; -1 if unknown. */
    int process, process_left;
    bool is_bound;   /* `most` is an upper bound, summed over nodes */
    double overhead; /* mean ns per visit; 0: not in the dump */
};

/* `filter` (borrowed) may be NULL.  Regions whose visits take less than
 * `threshold` times the overhead are costly.  On success, end with
 * score_free(). */
int score_make(const struct pdump_dump *dump, const struct pdump_filter *filter,
               double threshold, struct score *out);
void score_free(struct score *score);

/* Returns the bytes of a timeline with that many visits. */
static inline double score_bytes(int64_t visits)
{
    return (double)visits * SCORE_VISIT_BYTES;
}

enum { SCORE_BUFFER_MAX = 1048576, SCORE_MEMORY_MAX = 32767 }; /* of libpdump */

/* Settings with which the ring buffer holds all events. */
struct score_advice {
    int64_t buffer; /* PDUMP_EVENTS_BUFFER, KiB */
    int64_t memory; /* PDUMP_MEMORY_MAX, MiB */
    bool is_possible;
};

/* For a process with that many visits, which may all be of one thread. */
struct score_advice score_advise(const struct score *score, int64_t visits);

/* Writes a filter that excludes the costly regions to a new file.  Returns
 * their number, or an error. */
int score_write_filter(const struct score *score, const char *run,
                       double threshold, const char *path);

#endif
