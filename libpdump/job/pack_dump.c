/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs the tables and rows of a dump. */
#include "job/pack_dump.h"

#include <stdlib.h>

static int broken(void)
{
    return pdump_fail(PDUMP_EFORMAT, "a message of another rank is damaged");
}

void pdump_pack_tree(struct pdump_pack *p, const struct pdump_dump *dump)
{
    pdump_pack_int(p, dump->n_metrics);
    for (int i = 0; i < dump->n_metrics; i++) {
        pdump_pack_text(p, dump->metrics[i].name);
        pdump_pack_text(p, dump->metrics[i].unit);
        pdump_pack_text(p, dump->metrics[i].source);
        pdump_pack_text(p, dump->metrics[i].about);
        pdump_pack_int(p, dump->metrics[i].kind);
    }
    pdump_pack_int(p, dump->n_regions);
    for (int i = 0; i < dump->n_regions; i++) {
        pdump_pack_text(p, dump->regions[i].name);
        pdump_pack_text(p, dump->regions[i].group);
        pdump_pack_text(p, dump->regions[i].file);
        pdump_pack_int(p, dump->regions[i].line);
    }
    pdump_pack_int(p, dump->n_nodes);
    for (int i = 0; i < dump->n_nodes; i++) {
        pdump_pack_int(p, dump->nodes[i].parent);
        pdump_pack_int(p, dump->nodes[i].region);
    }
}

static int unpack_metrics(struct pdump_unpack *u, struct pdump_builder *b)
{
    int64_t n = pdump_unpack_int(u);
    int err = PDUMP_OK;

    for (int64_t i = 0; err >= 0 && !u->is_bad && i < n; i++) {
        struct pdump_dump_metric metric;

        metric.name = pdump_unpack_text(u);
        metric.unit = pdump_unpack_text(u);
        metric.source = pdump_unpack_text(u);
        metric.about = pdump_unpack_text(u);
        metric.kind = (enum pdump_metric_kind)pdump_unpack_int(u);
        err = pdump_builder_metric(b, &metric);
    }
    return err < 0 ? err : PDUMP_OK;
}

/* Unpacks regions.  *number, their numbers in the builder, is given. */
static int unpack_regions(struct pdump_unpack *u, struct pdump_builder *b,
                          int **number, int64_t *n)
{
    int err = PDUMP_OK;

    *n = pdump_unpack_int(u);
    if (u->is_bad || *n < 0 || *n > u->end - u->at)
        return broken();
    *number = malloc(((size_t)*n + 1) * sizeof(**number));
    if (!*number)
        return pdump_no_memory();
    for (int64_t i = 0; err >= 0 && !u->is_bad && i < *n; i++) {
        struct pdump_dump_region region;

        region.name = pdump_unpack_text(u);
        region.group = pdump_unpack_text(u);
        region.file = pdump_unpack_text(u);
        region.line = (int)pdump_unpack_int(u);
        err = pdump_builder_region(b, &region);
        (*number)[i] = err;
    }
    return err < 0 ? err : PDUMP_OK;
}

static int unpack_nodes(struct pdump_unpack *u, struct pdump_builder *b,
                        const int *region, int64_t n_regions)
{
    int64_t n = pdump_unpack_int(u);
    int *number, err = PDUMP_OK;

    if (u->is_bad || n < 0 || n > u->end - u->at)
        return broken();
    number = malloc(((size_t)n + 1) * sizeof(*number));
    if (!number)
        return pdump_no_memory();
    for (int64_t i = 0; err >= 0 && i < n; i++) {
        int64_t parent = pdump_unpack_int(u), own = pdump_unpack_int(u);

        if (u->is_bad || parent >= i || own < 0 || own >= n_regions)
            err = broken();
        else
            err = number[i] = pdump_builder_node(
                b, parent < 0 ? -1 : number[parent], region[own]);
    }
    free(number);
    return err < 0 ? err : PDUMP_OK;
}

int pdump_unpack_tree(struct pdump_unpack *u, struct pdump_builder *b)
{
    int *regions = NULL;
    int64_t n;
    int err = unpack_metrics(u, b);

    if (err >= 0)
        err = unpack_regions(u, b, &regions, &n);
    if (err >= 0)
        err = unpack_nodes(u, b, regions, n);
    free(regions);
    return u->is_bad ? broken() : err;
}

void pdump_pack_processes(struct pdump_pack *p, const struct pdump_dump *dump)
{
    pdump_pack_int(p, dump->n_processes);
    for (int i = 0; i < dump->n_processes; i++) {
        pdump_pack_int(p, dump->processes[i].rank);
        pdump_pack_int(p, dump->processes[i].pid);
        pdump_pack_int(p, dump->processes[i].parent);
        pdump_pack_text(p, dump->processes[i].host);
        pdump_pack_text(p, dump->processes[i].command);
        pdump_pack_text(p, dump->processes[i].cpu);
        pdump_pack_text(p, dump->processes[i].cores);
    }
    pdump_pack_int(p, dump->n_threads);
    for (int i = 0; i < dump->n_threads; i++) {
        pdump_pack_int(p, dump->threads[i].process);
        pdump_pack_int(p, dump->threads[i].number);
        pdump_pack_int(p, dump->threads[i].tid);
        pdump_pack_text(p, dump->threads[i].name);
    }
    pdump_pack_int(p, dump->n_metadata);
    for (int i = 0; i < dump->n_metadata; i++) {
        pdump_pack_text(p, dump->metadata[i].key);
        pdump_pack_text(p, dump->metadata[i].value);
    }
    pdump_pack_int(p, dump->n_warnings);
    for (int i = 0; i < dump->n_warnings; i++) {
        pdump_pack_text(p, dump->warnings[i].text);
        pdump_pack_int(p, dump->warnings[i].count);
    }
}

/* Returns the number of the first process in the builder. */
static int unpack_process_list(struct pdump_unpack *u, struct pdump_builder *b)
{
    int64_t n = pdump_unpack_int(u);
    int first = 0;

    for (int64_t i = 0; !u->is_bad && i < n; i++) {
        struct pdump_dump_process process;
        int at;

        process.rank = (int)pdump_unpack_int(u);
        process.pid = pdump_unpack_int(u);
        process.parent = pdump_unpack_int(u);
        process.host = pdump_unpack_text(u);
        process.command = pdump_unpack_text(u);
        process.cpu = pdump_unpack_text(u);
        process.cores = pdump_unpack_text(u);
        at = pdump_builder_process(b, &process);
        if (at < 0)
            return at;
        if (i == 0)
            first = at;
    }
    return first;
}

static int unpack_threads(struct pdump_unpack *u, struct pdump_builder *b,
                          int first_process)
{
    int64_t n = pdump_unpack_int(u);
    int err = PDUMP_OK;

    for (int64_t i = 0; err >= 0 && !u->is_bad && i < n; i++) {
        struct pdump_dump_thread thread;

        thread.process = first_process + (int)pdump_unpack_int(u);
        thread.number = (int)pdump_unpack_int(u);
        thread.tid = pdump_unpack_int(u);
        thread.name = pdump_unpack_text(u);
        err = pdump_builder_thread(b, &thread);
    }
    return err < 0 ? err : PDUMP_OK;
}

static int unpack_notes(struct pdump_unpack *u, struct pdump_builder *b)
{
    int64_t n = pdump_unpack_int(u);
    int err = PDUMP_OK;

    for (int64_t i = 0; err >= 0 && !u->is_bad && i < n; i++) {
        const char *key = pdump_unpack_text(u);

        err = pdump_builder_metadata_more(b, key, pdump_unpack_text(u));
    }
    n = pdump_unpack_int(u);
    for (int64_t i = 0; err >= 0 && !u->is_bad && i < n; i++) {
        const char *text = pdump_unpack_text(u);

        err = pdump_builder_warning(b, text, pdump_unpack_int(u));
    }
    return err;
}

int pdump_unpack_processes(struct pdump_unpack *u, struct pdump_builder *b)
{
    int first = unpack_process_list(u, b);
    int err = first < 0 ? first : unpack_threads(u, b, first);

    if (err >= 0)
        err = unpack_notes(u, b);
    return u->is_bad ? broken() : err;
}

void pdump_pack_rows(struct pdump_pack *p, const struct pdump_dump *dump)
{
    size_t rows = (size_t)dump->n_rows, samples = (size_t)dump->n_samples;

    pdump_pack_int(p, dump->n_rows);
    pdump_pack_int(p, dump->n_samples);
    pdump_pack_bytes(p, dump->rows, rows * sizeof(*dump->rows));
    pdump_pack_bytes(p, dump->samples, samples * sizeof(*dump->samples));
    for (int m = 0; m < dump->n_metrics; m++) {
        const struct pdump_dump_column *c = &dump->columns[m];

        pdump_pack_bytes(p, c->sum, rows * sizeof(*c->sum));
        pdump_pack_bytes(p, c->min, rows * sizeof(*c->min));
        pdump_pack_bytes(p, c->max, rows * sizeof(*c->max));
        pdump_pack_bytes(p, c->sumsq, rows * sizeof(*c->sumsq));
        pdump_pack_bytes(p, c->exclusive, rows * sizeof(*c->exclusive));
        pdump_pack_bytes(p, dump->sample_values[m], samples * sizeof(int64_t));
    }
    pdump_pack_int(p, dump->n_lanes);
    pdump_pack_bytes(p, dump->lanes,
                     (size_t)dump->n_lanes * sizeof(*dump->lanes));
    for (int i = 0; i < dump->n_lanes; i++)
        pdump_pack_bytes(p, dump->lanes[i].bytes,
                         (size_t)dump->lanes[i].n_bytes);
}

/* Numbers in a message are used as indexes: checks that none is out of
 * range. */
static bool renumber(struct pdump_dump *piece, int first_thread)
{
    for (int64_t i = 0; i < piece->n_rows; i++) {
        struct pdump_dump_row *row = &piece->rows[i];

        row->thread += first_thread;
        if (row->thread < first_thread || row->thread >= piece->n_threads ||
            row->node < 0 || row->node >= piece->n_nodes || row->parent >= i)
            return false;
    }
    for (int64_t i = 0; i < piece->n_samples; i++) {
        struct pdump_dump_sample *sample = &piece->samples[i];

        sample->thread += first_thread;
        if (sample->thread < first_thread ||
            sample->thread >= piece->n_threads || sample->node < 0 ||
            sample->node >= piece->n_nodes)
            return false;
    }
    return true;
}

/* The content of events is checked by their reader. */
static bool unpack_lanes(struct pdump_unpack *u, int first_thread,
                         struct pdump_dump *piece)
{
    int64_t n = pdump_unpack_int(u);

    if (n < 0 || n > u->end - u->at)
        return false;
    piece->n_lanes = (int)n;
    piece->lanes =
        (void *)pdump_unpack_bytes(u, (size_t)n * sizeof(*piece->lanes));
    for (int i = 0; !u->is_bad && i < piece->n_lanes; i++) {
        struct pdump_dump_lane *lane = &piece->lanes[i];

        lane->thread += first_thread;
        if (lane->thread < first_thread || lane->thread >= piece->n_threads ||
            lane->n_bytes < 0 || lane->n_bytes > u->end - u->at)
            return false;
        lane->bytes = (void *)pdump_unpack_bytes(u, (size_t)lane->n_bytes);
        lane->room = lane->n_bytes;
    }
    return true;
}

int pdump_unpack_rows(struct pdump_unpack *u, int first_thread,
                      struct pdump_dump *piece)
{
    int64_t n_rows = pdump_unpack_int(u), n_samples = pdump_unpack_int(u);
    size_t rows = (size_t)n_rows, samples = (size_t)n_samples;

    if (n_rows < 0 || n_samples < 0 || n_rows > u->end - u->at ||
        n_samples > u->end - u->at)
        return broken();
    piece->n_rows = n_rows;
    piece->n_samples = n_samples;
    /* The buffer was allocated for this message, so it may be changed. */
    piece->rows = (void *)pdump_unpack_bytes(u, rows * sizeof(*piece->rows));
    piece->samples =
        (void *)pdump_unpack_bytes(u, samples * sizeof(*piece->samples));
    for (int m = 0; m < piece->n_metrics; m++) {
        struct pdump_dump_column *c = &piece->columns[m];

        c->sum = (void *)pdump_unpack_bytes(u, rows * sizeof(*c->sum));
        c->min = (void *)pdump_unpack_bytes(u, rows * sizeof(*c->min));
        c->max = (void *)pdump_unpack_bytes(u, rows * sizeof(*c->max));
        c->sumsq = (void *)pdump_unpack_bytes(u, rows * sizeof(*c->sumsq));
        c->exclusive =
            (void *)pdump_unpack_bytes(u, rows * sizeof(*c->exclusive));
        piece->sample_values[m] =
            (void *)pdump_unpack_bytes(u, samples * sizeof(int64_t));
    }
    return u->is_bad || !renumber(piece, first_thread) ||
                   !unpack_lanes(u, first_thread, piece) || u->is_bad
               ? broken()
               : PDUMP_OK;
}
