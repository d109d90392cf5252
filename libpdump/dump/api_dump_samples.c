/* SPDX-License-Identifier: BSD-3-Clause */
/* The public functions for the samples of a dump. */
#include "dump/dump.h"

int64_t pdump_dump_n_samples(const struct pdump_dump *dump)
{
    return dump ? dump->n_samples : 0;
}

static int sample_check(const struct pdump_dump *dump, int64_t index,
                        const void *out)
{
    if (!dump || !out)
        return pdump_fail(PDUMP_EINVAL, "no dump or no result");
    if (index < 0 || index >= dump->n_samples)
        return pdump_fail(PDUMP_ENOENT, "no sample %lld", (long long)index);
    return PDUMP_OK;
}

int pdump_dump_sample(const struct pdump_dump *dump, int64_t index,
                      struct pdump_sample_info *out)
{
    int err = sample_check(dump, index, out);
    const struct pdump_dump_sample *sample;
    const struct pdump_dump_thread *thread;

    if (err < 0)
        return err;
    sample = &dump->samples[index];
    thread = &dump->threads[sample->thread];
    return pdump_dump_give(
        out,
        &(struct pdump_sample_info){
            .process = thread->process,
            .rank = dump->processes[thread->process].rank,
            .thread = thread->number,
            .node = sample->node,
            .region = dump->regions[dump->nodes[sample->node].region].name,
            .number = sample->number,
            .start = sample->start,
        },
        sizeof(*out));
}

int pdump_dump_sample_value(const struct pdump_dump *dump, int64_t index,
                            int metric, int64_t *out)
{
    int err = sample_check(dump, index, out);

    if (err < 0)
        return err;
    if (metric < 0 || metric >= dump->n_metrics ||
        dump->sample_values[metric][index] == PDUMP_MISSING)
        return pdump_fail(PDUMP_ENOENT, "sample %lld has no value of metric %d",
                          (long long)index, metric);
    *out = dump->sample_values[metric][index];
    return PDUMP_OK;
}
