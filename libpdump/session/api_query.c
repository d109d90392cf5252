/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets a running program read its own figures. */
#include "dump/builder.h"
#include "session/session.h"
#include "session/session_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int make_empty(struct pdump_dump **out)
{
    struct pdump_builder *b;
    int err = pdump_builder_new(&b);

    return err < 0 ? err : pdump_builder_close(b, PDUMP_OK, out);
}

int pdump_snapshot(struct pdump_dump **out)
{
    if (!out)
        return pdump_fail(PDUMP_EINVAL, "nowhere to put the snapshot");
    return pdump_session_is_disabled() ? make_empty(out)
                                       : pdump_session_dump(true, out);
}

/* Returns true if the next segment of an escaped path equals `name`, and moves
 * past it. */
static bool path_takes(const char **path, const char *name)
{
    const char *p = *path;

    for (; *p && *p != '/'; p++, name++) {
        if (*p == '\\' && p[1])
            p++;
        if (*p != *name)
            return false;
    }
    if (*name)
        return false;
    *path = *p ? p + 1 : p;
    return true;
}

enum meaning {
    OTHER,
    MEANT,
    INNER, /* meant, and within another one that is meant: a recursion */
};

/* Finds the nodes that `path` names: "/a/b" is the node with that path, "b" is
 * every node of that region. */
static int find_nodes(const struct pdump_dump *dump, const char *path,
                      enum meaning *meaning)
{
    const char **rest = calloc((size_t)dump->n_nodes + 1, sizeof(*rest));
    bool is_absolute = path[0] == '/', is_found = false;

    if (!rest)
        return pdump_no_memory();
    for (int i = 0; i < dump->n_nodes; i++) {
        const struct pdump_dump_node *node = &dump->nodes[i];
        const char *name = dump->regions[node->region].name;
        const char *from = node->parent < 0 ? path + 1 : rest[node->parent];
        bool is_inside = node->parent >= 0 && rest[node->parent] == path;

        if (!is_absolute) {
            if (strcmp(name, path) == 0)
                meaning[i] = is_inside ? INNER : MEANT;
            rest[i] = meaning[i] || is_inside ? path : NULL;
        } else if (from && *from && path_takes(&from, name)) {
            rest[i] = from;
            meaning[i] = *from ? OTHER : MEANT;
        }
        is_found |= meaning[i] != OTHER;
    }
    free(rest);
    return is_found ? PDUMP_OK
                    : pdump_fail(PDUMP_ENOENT, "no region '%s'", path);
}

struct total {
    struct pdump_stats stats;
    double each, sumsq; /* sums over all visits, those of a recursion too */
    bool has_range;     /* min and max are set; an open region has none */
};

static void total_add(const struct pdump_dump *dump, int64_t row, int metric,
                      bool is_inner, struct total *t)
{
    const struct pdump_dump_column *c = &dump->columns[metric];

    t->stats.visits += dump->rows[row].visits;
    if (c->sum[row] == PDUMP_MISSING)
        return;
    t->stats.sum += is_inner ? 0 : c->sum[row];
    t->each += (double)c->sum[row];
    if (c->exclusive[row] != PDUMP_MISSING)
        t->stats.exclusive += c->exclusive[row];
    if (c->min[row] != PDUMP_MISSING) {
        if (!t->has_range || c->min[row] < t->stats.min)
            t->stats.min = c->min[row];
        if (!t->has_range || c->max[row] > t->stats.max)
            t->stats.max = c->max[row];
        t->sumsq += c->sumsq[row];
        t->has_range = true;
    }
    t->stats.has_value = 1;
}

static void total_derive(struct total *t)
{
    double n = (double)t->stats.visits, variance;

    if (!t->stats.has_value || t->stats.visits == 0)
        return;
    t->stats.mean = (double)t->stats.sum / n;
    variance = t->sumsq / n - t->each / n * (t->each / n);
    t->stats.stddev = variance > 0 ? sqrt(variance) : 0;
}

static int total_sum(const struct pdump_dump *dump, const char *path,
                     const char *metric, struct total *t)
{
    int m = pdump_dump_find_metric(dump, metric), err;
    enum meaning *meaning;

    if (m < 0)
        return pdump_fail(PDUMP_ENOENT, "metric '%s' is not recorded", metric);
    meaning = calloc((size_t)dump->n_nodes + 1, sizeof(*meaning));
    if (!meaning)
        return pdump_no_memory();
    err = find_nodes(dump, path, meaning);
    for (int64_t i = 0; err >= 0 && i < dump->n_rows; i++)
        if (meaning[dump->rows[i].node])
            total_add(dump, i, m, meaning[dump->rows[i].node] == INNER, t);
    free(meaning);
    total_derive(t);
    return err;
}

/* Queries the session, if there may be one. */
static int session_query(const char *path, const char *metric, struct total *t)
{
    struct pdump_dump *dump;
    int err;

    if (pdump_session_is_disabled())
        return PDUMP_OK;
    err = pdump_session_dump(false, &dump);
    if (err < 0)
        return err;
    err = total_sum(dump, path, metric, t);
    pdump_dump_free(dump);
    return err;
}

int pdump_query(const char *path, const char *metric, struct pdump_stats *out)
{
    struct total t = { 0 };
    size_t size;
    int err;

    if (!path || !*path || !out || out->size < sizeof(size_t))
        return pdump_fail(PDUMP_EINVAL, "pdump_query() needs a path, and stats "
                                        "with their size set");
    err = session_query(path, metric ? metric : "time", &t);
    if (err < 0)
        return err;
    size = out->size < sizeof(t.stats) ? out->size : sizeof(t.stats);
    t.stats.size = out->size;
    memcpy(out, &t.stats, size);
    return PDUMP_OK;
}
