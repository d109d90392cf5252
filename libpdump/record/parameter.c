/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parameters: split the current region by a value.
 *
 * A parameter is a frame on top of its region's, which ends with the region.
 * When it gets another value, the parameters that were set after it stay as
 * they are: they end and begin again under the new value.
 */
#include "record/parameter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LATER_MAX = 64 };

static const struct pdump_region_record *region_of(
    const struct pdump_recorder *r, const struct pdump_frame *frame)
{
    const struct pdump_node *node = pdump_store_at(r->base, frame->node);

    return pdump_store_at(r->base, node->region);
}

/* Returns the frame in which parameter `name` is set, or NULL.  `later` gets
 * the regions of the parameters set after it, the last first. */
static struct pdump_frame *parameter_find(const struct pdump_recorder *r,
                                          const char *name, uint32_t *later,
                                          int *n)
{
    struct pdump_frame *frame = r->top;
    size_t len = strlen(name);

    for (*n = 0; frame->flags & PDUMP_FRAME_PARAMETER && *n < LATER_MAX;
         frame = pdump_store_at(r->base, frame->up)) {
        const struct pdump_region_record *region = region_of(r, frame);
        const struct pdump_node *node = pdump_store_at(r->base, frame->node);

        if (strncmp(region->name, name, len) == 0 && region->name[len] == '=')
            return frame;
        later[(*n)++] = node->region;
    }
    return NULL;
}

static void parameter_push(struct pdump_recorder *r, uint32_t region)
{
    uint32_t node = pdump_tree_child(&r->tree, r->top->node, region, 0);

    pdump_recorder_push(r, node, PDUMP_FRAME_PARAMETER);
}

int pdump_parameter_enter(struct pdump_recorder *r, const char *name,
                          const char *value)
{
    size_t len = strlen(name) + 1 + strlen(value);
    char *text;
    uint32_t later[LATER_MAX], region;
    struct pdump_frame *frame;
    int n, err;

    if (r->top->skipped)
        return PDUMP_OK; /* the innermost region is not recorded */
    text = malloc(len + 1);
    if (!text)
        return pdump_no_memory();
    snprintf(text, len + 1, "%s=%s", name, value);
    err = pdump_regions_add(r->tree.regions, text, len, PDUMP_GROUP_PARAMETER,
                            NULL, 0, &region);
    free(text);
    if (err < 0)
        return err;
    if (region == r->tree.regions->overflow) {
        r->record->overflow++; /* the region is not split */
        return PDUMP_OK;
    }

    frame = parameter_find(r, name, later, &n);
    if (!frame) {
        parameter_push(r, region);
        return PDUMP_OK;
    }
    if (region_of(r, frame) == pdump_store_at(r->base, region))
        return PDUMP_OK; /* the value is the same */
    pdump_recorder_pop_to(r, pdump_store_at(r->base, frame->up));
    parameter_push(r, region);
    while (n > 0)
        parameter_push(r, later[--n]);
    return PDUMP_OK;
}
