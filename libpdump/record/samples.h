/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples: visits that are kept individually, of profiles, steps, or all
 * regions. */
#ifndef PDUMP_SAMPLES_H
#define PDUMP_SAMPLES_H

#include "record/recorder.h"

/* Keep the visit of `frame` that ends with the values `end`.  A sample beyond
 * PDUMP_SAMPLES_MAX is counted as lost. */
void pdump_samples_add(struct pdump_recorder *r,
                       const struct pdump_frame *frame, const int64_t *end);

/* Drop the newest samples that began at tick `since` or later. */
void pdump_samples_cut(struct pdump_recorder *r, int64_t since);

/* Returns sample `index` of a chunk. */
static inline struct pdump_sample *pdump_sample_at(struct pdump_chunk *chunk,
                                                   uint32_t index,
                                                   uint32_t n_metrics)
{
    return (void *)((char *)chunk->samples +
                    index * (sizeof(struct pdump_sample) +
                             n_metrics * sizeof(int64_t)));
}

#endif
