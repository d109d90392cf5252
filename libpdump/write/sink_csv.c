/* SPDX-License-Identifier: BSD-3-Clause */
/* The CSV format: profile, samples, events, statistics, details, and a file for
 * all other tables. */
#include "write/sink_csv.h"
#include "base/csv.h"
#include "dump/rank_stat.h"
#include "read/csv_layout.h"
#include "write/sink.h"

#include <math.h>
#include <string.h>

enum { PATH_LEN = 4096 };

static const struct pdump_dump_process *process_of(
    const struct pdump_dump *dump, int thread)
{
    return &dump->processes[dump->threads[thread].process];
}

static const struct pdump_dump_region *region_of(const struct pdump_dump *dump,
                                                 int node)
{
    return &dump->regions[dump->nodes[node].region];
}

/* Returns true if the path is short enough to be written in full. */
static bool is_short(const struct pdump_dump *dump, int node)
{
    size_t len = 0;

    if (dump->nodes[node].depth > PATH_LEN / 2)
        return false;
    for (; node >= 0 && len <= PATH_LEN + 1; node = dump->nodes[node].parent)
        len += strnlen(region_of(dump, node)->name, PATH_LEN + 1) + 1;
    return len <= PATH_LEN + 1;
}

/* Writes "...9990 levels.../name": otherwise a deep recursion would write text
 * that grows with the square of its depth.  If the name itself is too long, it
 * is cut between characters. */
static void put_short_path(FILE *f, const struct pdump_dump *dump, int node)
{
    const char *name = region_of(dump, node)->name;
    int depth = dump->nodes[node].depth;
    char path[PATH_LEN + 64];
    size_t n = 0;

    if (depth > 0)
        n = (size_t)snprintf(path, sizeof(path), "...%d levels.../", depth);
    for (; *name && n < PATH_LEN; name++) {
        if (*name == '/' || *name == '\\')
            path[n++] = '\\';
        path[n++] = *name;
    }
    if (*name) {
        while (n > 0 && ((unsigned char)*name & 0xc0) == 0x80) {
            name--;
            n--;
        }
        memcpy(path + n, "...", 3);
        n += 3;
    }
    path[n] = '\0';
    next_text(f, path);
}

void pdump_csv_next_path(FILE *f, const struct pdump_dump *dump, int node)
{
    char path[PATH_LEN + 1];

    if (is_short(dump, node) &&
        pdump_dump_node_path(dump, node, path, sizeof(path)) <= PATH_LEN)
        next_text(f, path);
    else
        put_short_path(f, dump, node);
}

/* "time.sum [ns]" */
static void next_heading(FILE *f, const struct pdump_dump_metric *metric,
                         const char *what)
{
    const char *pieces[PDUMP_CSV_PIECES];
    int n = pdump_csv_heading(metric, what, pieces);

    putc_unlocked(',', f);
    pdump_csv_put_pieces(f, pieces, n);
}

static void put_profile_header(FILE *f, const struct pdump_dump *dump)
{
    fputs("process,rank,pid,thread,thread_name,node,parent,depth,path,region,"
          "group,file,line,open,visits",
          f);
    for (int m = 0; m < dump->n_metrics; m++) {
        next_heading(f, &dump->metrics[m], ".sum");
        next_heading(f, &dump->metrics[m], ".exclusive");
        next_heading(f, &dump->metrics[m], ".min");
        next_heading(f, &dump->metrics[m], ".max");
        next_heading(f, &dump->metrics[m], ".sumsq");
    }
    putc_unlocked('\n', f);
}

static void put_row(FILE *f, const struct pdump_dump *dump, int64_t i)
{
    const struct pdump_dump_row *row = &dump->rows[i];
    const struct pdump_dump_thread *thread = &dump->threads[row->thread];
    const struct pdump_dump_process *process = process_of(dump, row->thread);
    const struct pdump_dump_node *node = &dump->nodes[row->node];
    const struct pdump_dump_region *region = region_of(dump, row->node);

    pdump_csv_put_int(f, thread->process);
    next_int(f, process->rank);
    next_int(f, process->pid);
    next_int(f, thread->number);
    next_text(f, thread->name);
    next_int(f, row->node);
    next_int(f, node->parent < 0 ? PDUMP_MISSING : node->parent);
    next_int(f, node->depth);
    pdump_csv_next_path(f, dump, row->node);
    next_text(f, region->name);
    next_text(f, region->group);
    next_text(f, region->file);
    next_int(f, region->line == 0 ? PDUMP_MISSING : region->line);
    next_int(f, row->is_open);
    next_int(f, row->visits);
    for (int m = 0; m < dump->n_metrics; m++) {
        const struct pdump_dump_column *column = &dump->columns[m];

        next_int(f, column->sum[i]);
        next_int(f, column->exclusive[i]);
        next_int(f, column->min[i]);
        next_int(f, column->max[i]);
        next_real(f, column->sumsq[i]);
    }
    putc_unlocked('\n', f);
}

static int put_profile(FILE *f, void *data)
{
    struct pdump_stream *in = data;
    int err = PDUMP_OK;

    put_profile_header(f, in->tables);
    for (int i = 0; err >= 0 && i < in->n_pieces; i++) {
        const struct pdump_dump *piece;

        err = in->piece(in, i, &piece);
        for (int64_t row = 0; err >= 0 && row < piece->n_rows; row++)
            put_row(f, piece, row);
    }
    return err;
}

static void put_sample(FILE *f, const struct pdump_dump *dump, int64_t i)
{
    const struct pdump_dump_sample *sample = &dump->samples[i];

    pdump_csv_put_int(f, dump->threads[sample->thread].process);
    next_int(f, process_of(dump, sample->thread)->rank);
    next_int(f, process_of(dump, sample->thread)->pid);
    next_int(f, dump->threads[sample->thread].number);
    next_int(f, sample->node);
    next_text(f, region_of(dump, sample->node)->name);
    next_int(f, sample->number);
    next_int(f, sample->start);
    for (int m = 0; m < dump->n_metrics; m++)
        next_int(f, dump->sample_values[m][i]);
    putc_unlocked('\n', f);
}

static int put_samples(FILE *f, void *data)
{
    struct pdump_stream *in = data;
    int err = PDUMP_OK;

    fputs("process,rank,pid,thread,node,region,number,start [ns]", f);
    for (int m = 0; m < in->tables->n_metrics; m++)
        next_heading(f, &in->tables->metrics[m], "");
    putc_unlocked('\n', f);
    for (int i = 0; err >= 0 && i < in->n_pieces; i++) {
        const struct pdump_dump *piece;

        err = in->piece(in, i, &piece);
        for (int64_t n = 0; err >= 0 && n < piece->n_samples; n++)
            put_sample(f, piece, n);
    }
    return err;
}

/* A line without a value has its node and metric, but no ranks. */
static void put_stat(FILE *f, const struct pdump_dump *dump, int node,
                     int metric)
{
    const struct pdump_dump_rank_stat *stat = &dump->stats[metric][node];
    bool is_visits = metric == dump->n_metrics, is_there = stat->n > 0;
    int parent = dump->nodes[node].parent;

    pdump_csv_put_int(f, node);
    next_int(f, parent < 0 ? PDUMP_MISSING : parent);
    next_int(f, dump->nodes[node].depth);
    pdump_csv_next_path(f, dump, node);
    next_text(f, region_of(dump, node)->name);
    next_text(f, region_of(dump, node)->group);
    next_text(f, is_visits ? PDUMP_CSV_VISITS : dump->metrics[metric].name);
    next_text(f, is_visits ? "1" : dump->metrics[metric].unit);
    next_int(f, is_there ? stat->n : 0);
    next_int(f, is_there ? stat->sum : PDUMP_MISSING);
    next_real(f, pdump_rank_stat_mean(stat));
    next_int(f, is_there ? stat->min : PDUMP_MISSING);
    next_int(f, is_there ? stat->max : PDUMP_MISSING);
    next_real(f, pdump_rank_stat_stddev(stat));
    next_real(f, pdump_rank_stat_imbalance(stat));
    next_real(f, is_there ? stat->sumsq : NAN);
    next_int(f, is_there ? stat->rank_of_min : PDUMP_MISSING);
    next_int(f, is_there ? stat->rank_of_max : PDUMP_MISSING);
    putc_unlocked('\n', f);
}

static int put_stats(FILE *f, void *data)
{
    const struct pdump_stream *in = data;
    const struct pdump_dump *dump = in->tables;

    fputs("node,parent,depth,path,region,group,metric,unit,ranks,sum,mean,min,"
          "max,stddev,imbalance,sumsq,rank_of_min,rank_of_max\n",
          f);
    for (int node = 0; node < dump->n_nodes; node++) {
        if (pdump_csv_n_stats(dump, node) == 0)
            continue;
        put_stat(f, dump, node, dump->n_metrics);
        for (int m = 0; m < dump->n_metrics; m++)
            if (dump->stats[m][node].n > 0)
                put_stat(f, dump, node, m);
    }
    return PDUMP_OK;
}

static int write_profile(struct pdump_stream *in,
                         const struct pdump_new_file *file)
{
    return pdump_sink_print(file, put_profile, in);
}

static bool has_samples(const struct pdump_stream *in)
{
    return in->sample_ptr[in->n_pieces] > 0;
}

static int write_samples(struct pdump_stream *in,
                         const struct pdump_new_file *file)
{
    return pdump_sink_print(file, put_samples, in);
}

static bool has_events(const struct pdump_stream *in)
{
    return in->event_ptr[in->n_pieces] > 0;
}

static int write_events(struct pdump_stream *in,
                        const struct pdump_new_file *file)
{
    return pdump_sink_print(file, pdump_csv_put_events, in);
}

static bool has_stats(const struct pdump_stream *in)
{
    return in->tables->stats != NULL;
}

static int write_stats(struct pdump_stream *in,
                       const struct pdump_new_file *file)
{
    return pdump_sink_print(file, put_stats, in);
}

static bool has_details(const struct pdump_stream *in)
{
    return in->tables->n_details > 0;
}

static int write_details(struct pdump_stream *in,
                         const struct pdump_new_file *file)
{
    return pdump_sink_print(file, pdump_csv_put_details, in);
}

static int write_meta(struct pdump_stream *in,
                      const struct pdump_new_file *file)
{
    return pdump_sink_print(file, pdump_csv_put_meta, in);
}

static const struct pdump_sink_part parts[] = {
    { .suffix = ".csv", .write = write_profile },
    { .suffix = PDUMP_CSV_SAMPLES,
      .is_wanted = has_samples,
      .write = write_samples },
    { .suffix = PDUMP_CSV_EVENTS,
      .is_wanted = has_events,
      .write = write_events },
    { .suffix = PDUMP_CSV_STATS, .is_wanted = has_stats, .write = write_stats },
    { .suffix = PDUMP_CSV_DETAILS,
      .is_wanted = has_details,
      .write = write_details },
    { .suffix = PDUMP_CSV_META, .write = write_meta },
    { .suffix = NULL },
};

const struct pdump_sink pdump_sink_csv = {
    .name = "csv",
    .about = "tables for spreadsheets and data frames; read back by pdump",
    .parts = parts,
    .is_complete = true,
    .has_stacks = true,
};
