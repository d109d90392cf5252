/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes parameters: regions "NAME=VALUE" in a dump, events in OTF2. */
#include "archive.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A region that is a parameter, for sorting. */
struct named {
    const char *name; /* up to the '=' */
    size_t len;
    int region;
};

static const char *value_of(const struct archive *a, int region)
{
    return strchr(a->tables->regions[region].name, '=') + 1;
}

static bool is_number(const char *text, bool has_sign)
{
    char *end;

    if (has_sign && *text == '-')
        text++;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    strtoull(text, &end, 10);
    return errno == 0 && !*end;
}

static bool is_int64(const char *text)
{
    errno = 0;
    strtoll(text, NULL, 10);
    return errno == 0 && is_number(text, true);
}

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = memcmp(x->name, y->name, x->len < y->len ? x->len : y->len);

    if (order == 0)
        order = (x->len > y->len) - (x->len < y->len);
    return order ? order : (x->region > y->region) - (x->region < y->region);
}

static bool is_same(const struct named *x, const struct named *y)
{
    return x->len == y->len && memcmp(x->name, y->name, x->len) == 0;
}

/* Finds the type that fits all n values of a parameter. */
static OTF2_ParameterType type_of(const struct archive *a,
                                  const struct named *one, int n)
{
    bool fits_signed = true, fits_unsigned = true;

    for (int i = 0; i < n; i++) {
        const char *value = value_of(a, one[i].region);

        fits_signed = fits_signed && is_int64(value);
        fits_unsigned = fits_unsigned && is_number(value, false);
    }
    return fits_signed     ? OTF2_PARAMETER_TYPE_INT64
           : fits_unsigned ? OTF2_PARAMETER_TYPE_UINT64
                           : OTF2_PARAMETER_TYPE_STRING;
}

/* OTF2 requires numbers without gaps, of regions and of parameters. */
static void number_all(struct archive *a)
{
    uint32_t n_regions = 0, n_parameters = 0;

    for (int i = 0; i < a->tables->n_regions; i++) {
        struct archive_region *r = &a->regions[i];

        if (!r->is_parameter)
            r->number = n_regions++;
        else if (r->first == i)
            r->number = n_parameters++;
        else
            r->number = a->regions[r->first].number;
    }
}

int archive_find_parameters(struct archive *a)
{
    const struct pdump_dump *t = a->tables;
    struct named *all = calloc((size_t)t->n_regions + 1, sizeof(*all));
    int n = 0;

    if (!all)
        return pdump_no_memory();
    for (int i = 0; i < t->n_regions; i++) {
        const char *name = t->regions[i].name;

        if (strcmp(t->regions[i].group, "parameter") == 0 && strchr(name, '='))
            all[n++] = (struct named){ name, strcspn(name, "="), i };
    }
    qsort(all, (size_t)n, sizeof(*all), by_name);
    for (int i = 0, end; i < n; i = end) {
        OTF2_ParameterType type;

        for (end = i + 1; end < n && is_same(&all[i], &all[end]);)
            end++;
        type = type_of(a, &all[i], end - i);
        for (int k = i; k < end; k++)
            a->regions[all[k].region] = (struct archive_region){
                .is_parameter = true,
                .first = all[i].region,
                .type = type,
            };
    }
    free(all);
    number_all(a);
    return PDUMP_OK;
}

void archive_put_parameter(struct archive *a, OTF2_EvtWriter *w,
                           OTF2_TimeStamp time, int region)
{
    const struct archive_region *p = &a->regions[region];
    OTF2_ParameterRef ref = p->number;
    const char *value = value_of(a, region);

    if (p->type == OTF2_PARAMETER_TYPE_INT64)
        archive_keep(a, OTF2_EvtWriter_ParameterInt(w, NULL, time, ref,
                                                    strtoll(value, NULL, 10)));
    else if (p->type == OTF2_PARAMETER_TYPE_UINT64)
        archive_keep(a, OTF2_EvtWriter_ParameterUnsignedInt(
                            w, NULL, time, ref, strtoull(value, NULL, 10)));
    else
        archive_keep(a, OTF2_EvtWriter_ParameterString(w, NULL, time, ref,
                                                       (uint32_t)region));
}

void archive_put_parameter_definition(struct archive *a,
                                      OTF2_GlobalDefWriter *w, int region,
                                      OTF2_StringRef *n_strings)
{
    const struct archive_region *p = &a->regions[region];
    const char *name = a->tables->regions[region].name;
    char *only;

    if (p->type == OTF2_PARAMETER_TYPE_STRING)
        archive_keep(a, OTF2_GlobalDefWriter_WriteString(w, (uint32_t)region,
                                                         value_of(a, region)));
    if (p->first != region)
        return;
    only = strndup(name, strcspn(name, "="));
    if (!only) {
        archive_keep(a, OTF2_ERROR_MEM_ALLOC_FAILED);
        return;
    }
    archive_keep(a, OTF2_GlobalDefWriter_WriteString(w, *n_strings, only));
    archive_keep(a, OTF2_GlobalDefWriter_WriteParameter(
                        w, p->number, (*n_strings)++, p->type));
    free(only);
}
