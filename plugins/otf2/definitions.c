/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what events refer to: regions, threads, ranks, metrics, the clock. */
#include "archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct definitions {
    struct archive *a;
    const struct pdump_dump *dump;
    OTF2_GlobalDefWriter *w;
    OTF2_StringRef n_strings;
    OTF2_GroupRef n_groups;
    uint64_t *members; /* of the current group */
};

static OTF2_StringRef string_put(struct definitions *d, const char *text)
{
    archive_keep(d->a,
                 OTF2_GlobalDefWriter_WriteString(d->w, d->n_strings, text));
    return d->n_strings++;
}

static const struct {
    const char *group;
    OTF2_RegionRole role;
    OTF2_Paradigm paradigm;
} kinds[] = {
    { "mpi", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI },
    { "io", OTF2_REGION_ROLE_FILE_IO, OTF2_PARADIGM_USER },
    { "function", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER },
    { "", OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER }, /* all others */
};

static void put_region(struct definitions *d, int index)
{
    const struct pdump_dump_region *r = &d->dump->regions[index];
    OTF2_StringRef name = string_put(d, r->name[0] ? r->name : "(no name)");
    OTF2_StringRef file =
        r->file[0] ? string_put(d, r->file) : OTF2_UNDEFINED_STRING;
    uint32_t line = r->line > 0 ? (uint32_t)r->line : 0;
    size_t k = 0;

    while (kinds[k].group[0] && strcmp(kinds[k].group, r->group) != 0)
        k++;
    archive_keep(d->a,
                 OTF2_GlobalDefWriter_WriteRegion(
                     d->w, d->a->regions[index].number, name, name,
                     OTF2_UNDEFINED_STRING, kinds[k].role, kinds[k].paradigm,
                     OTF2_REGION_FLAG_NONE, file, line, 0));
}

/* Writes the group of region `first`, if that is its first region. */
static void put_group(struct definitions *d, int first)
{
    const struct pdump_dump_region *regions = d->dump->regions;
    const char *name = regions[first].group;
    uint32_t n = 0;

    for (int i = 0; i < first; i++)
        if (strcmp(regions[i].group, name) == 0)
            return;
    for (int i = first; i < d->dump->n_regions; i++)
        if (strcmp(regions[i].group, name) == 0)
            d->members[n++] = d->a->regions[i].number;
    archive_keep(d->a, OTF2_GlobalDefWriter_WriteGroup(
                           d->w, d->n_groups++, string_put(d, name),
                           OTF2_GROUP_TYPE_REGIONS, OTF2_PARADIGM_UNKNOWN,
                           OTF2_GROUP_FLAG_NONE, n, d->members));
}

static void put_regions(struct definitions *d)
{
    for (int i = 0; i < d->dump->n_regions; i++)
        if (d->a->regions[i].is_parameter)
            archive_put_parameter_definition(d->a, d->w, i, &d->n_strings);
        else
            put_region(d, i);
    for (int i = 0; i < d->dump->n_regions; i++)
        if (d->dump->regions[i].group[0] && !d->a->regions[i].is_parameter)
            put_group(d, i);
}

/* Uses the node of an earlier process on the same host, or a new one. */
static void put_process(struct definitions *d, int index, int *host)
{
    const struct pdump_dump_process *p = &d->dump->processes[index];
    char name[64];
    int k = index - 1;

    while (k >= 0 && strcmp(d->dump->processes[k].host, p->host) != 0)
        k--;
    host[index] = k >= 0 ? host[k] : index + 1;
    if (k < 0)
        archive_keep(d->a,
                     OTF2_GlobalDefWriter_WriteSystemTreeNode(
                         d->w, (OTF2_SystemTreeNodeRef)host[index],
                         string_put(d, p->host), string_put(d, "node"), 0));
    if (d->a->is_job && p->rank >= 0)
        snprintf(name, sizeof(name), "MPI Rank %d", p->rank);
    else
        snprintf(name, sizeof(name), "process %lld", (long long)p->pid);
    archive_keep(d->a,
                 OTF2_GlobalDefWriter_WriteLocationGroup(
                     d->w, (OTF2_LocationGroupRef)index, string_put(d, name),
                     OTF2_LOCATION_GROUP_TYPE_PROCESS,
                     (OTF2_SystemTreeNodeRef)host[index],
                     OTF2_UNDEFINED_LOCATION_GROUP));
}

static int put_places(struct definitions *d)
{
    int *host = calloc((size_t)d->dump->n_processes + 1, sizeof(*host));
    char name[256];

    if (!host)
        return pdump_no_memory();
    archive_keep(d->a, OTF2_GlobalDefWriter_WriteSystemTreeNode(
                           d->w, 0, string_put(d, "machine"),
                           string_put(d, "machine"),
                           OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (int i = 0; i < d->dump->n_processes; i++)
        put_process(d, i, host);
    free(host);
    for (int i = 0; i < d->dump->n_threads; i++) {
        const struct pdump_dump_thread *t = &d->dump->threads[i];

        snprintf(name, sizeof(name), "thread %d%s%.200s", t->number,
                 t->name[0] ? ": " : "", t->name);
        archive_keep(d->a, OTF2_GlobalDefWriter_WriteLocation(
                               d->w, (OTF2_LocationRef)i, string_put(d, name),
                               OTF2_LOCATION_TYPE_CPU_THREAD, d->a->n_events[i],
                               (OTF2_LocationGroupRef)t->process));
    }
    return PDUMP_OK;
}

/* Writes the ranks, each represented by its first thread. */
static void put_communicator(struct definitions *d)
{
    struct archive *a = d->a;
    uint32_t n = (uint32_t)a->n_ranks;

    if (n == 0)
        return;
    for (int i = d->dump->n_threads; i-- > 0;) {
        int rank = d->dump->processes[d->dump->threads[i].process].rank;

        if (rank >= 0)
            d->members[archive_member(a, rank)] = (uint64_t)i;
    }
    archive_keep(a, OTF2_GlobalDefWriter_WriteGroup(
                        d->w, d->n_groups++, string_put(d, ""),
                        OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                        OTF2_GROUP_FLAG_NONE, n, d->members));
    for (uint32_t i = 0; i < n; i++)
        d->members[i] = i;
    archive_keep(a, OTF2_GlobalDefWriter_WriteGroup(
                        d->w, d->n_groups++, string_put(d, ""),
                        OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                        OTF2_GROUP_FLAG_NONE, n, d->members));
    archive_keep(a,
                 OTF2_GlobalDefWriter_WriteComm(
                     d->w, 0, string_put(d, "MPI_COMM_WORLD"), d->n_groups - 1,
                     OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    archive_put_communicators(a, d->w, d->members, &d->n_groups, &d->n_strings);
}

static void put_metric(struct definitions *d, int index)
{
    const struct pdump_dump_metric *m = &d->dump->metrics[index];
    OTF2_MetricMemberRef member = (OTF2_MetricMemberRef)index;
    bool is_gauge = m->kind == PDUMP_GAUGE;

    archive_keep(d->a, OTF2_GlobalDefWriter_WriteMetricMember(
                           d->w, member, string_put(d, m->name),
                           string_put(d, m->about), OTF2_METRIC_TYPE_OTHER,
                           is_gauge ? OTF2_METRIC_ABSOLUTE_POINT
                                    : OTF2_METRIC_ACCUMULATED_START,
                           OTF2_TYPE_INT64, OTF2_BASE_DECIMAL, 0,
                           string_put(d, m->unit)));
    archive_keep(d->a, OTF2_GlobalDefWriter_WriteMetricClass(
                           d->w, (OTF2_MetricRef)index, 1, &member,
                           OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU));
}

/* Every thread needs its own, empty file of definitions. */
static void put_local(struct archive *a)
{
    archive_keep(a, OTF2_Archive_OpenDefFiles(a->otf2));
    for (int i = 0; i < a->tables->n_threads; i++)
        archive_keep(a, OTF2_Archive_CloseDefWriter(
                            a->otf2, OTF2_Archive_GetDefWriter(
                                         a->otf2, (OTF2_LocationRef)i)));
    archive_keep(a, OTF2_Archive_CloseDefFiles(a->otf2));
}

int archive_put_definitions(struct archive *a)
{
    struct definitions d = { .a = a,
                             .dump = a->tables,
                             .n_strings = (uint32_t)a->tables->n_regions };
    size_t room = (size_t)(d.dump->n_regions > a->n_ranks ? d.dump->n_regions
                                                          : a->n_ranks);
    int err;

    put_local(a);
    d.w = OTF2_Archive_GetGlobalDefWriter(a->otf2);
    if (!d.w)
        return pdump_fail(PDUMP_EIO, "OTF2: definitions cannot be written");
    d.members = calloc(room + 1, sizeof(*d.members));
    if (!d.members)
        return pdump_no_memory();
    archive_keep(a, OTF2_GlobalDefWriter_WriteClockProperties(
                        d.w, 1000000000, 0, (uint64_t)a->last + 1,
                        OTF2_UNDEFINED_TIMESTAMP));
    put_regions(&d);
    err = put_places(&d);
    put_communicator(&d);
    archive_put_io_definitions(a, d.w, &d.n_strings);
    for (int i = 0; i < d.dump->n_metrics; i++)
        put_metric(&d, i);
    free(d.members);
    return err;
}
