/* SPDX-License-Identifier: BSD-3-Clause */
/* Units, descriptions and names of PAPI's events. */
#include "source/source_papi.h"

#include "source/source_papi_calls.h"
#include <stdio.h>
#include <string.h>

/* perf's clocks count nanoseconds, which PAPI does not say. */
static const char *unit_of(const char *name, const PAPI_event_info_t *info)
{
    if (strncmp(name, "perf::", 6) == 0 && strstr(name, "CLOCK"))
        return "ns";
    return *info->units ? info->units : "1";
}

bool pdump_papi_describe(int code, const char *name, struct pdump_metric *m,
                         char *why, size_t len)
{
    PAPI_event_info_t info;
    int err;

    memset(&info, 0, sizeof(info));
    err = pdump_papi.get_event_info(code, &info);
    if (err != PAPI_OK) {
        pdump_papi_reason(err, why, len);
        return false;
    }
    if (info.data_type == PAPI_DATATYPE_FP64) {
        snprintf(why, len, "its values are not integers");
        return false;
    }
    memset(m, 0, sizeof(*m));
    snprintf(m->name, sizeof(m->name), "%.127s", *name ? name : info.symbol);
    snprintf(m->unit, sizeof(m->unit), "%.15s", unit_of(m->name, &info));
    snprintf(m->source, sizeof(m->source), "papi");
    snprintf(m->about, sizeof(m->about), "%.199s", info.long_descr);
    m->kind = info.value_type == PAPI_VALUETYPE_ABSOLUTE ? PDUMP_GAUGE
                                                         : PDUMP_COUNTER;
    m->scale = 1.0;
    return true;
}

static int event_tell(int code, pdump_each_name *each, void *data)
{
    PAPI_event_info_t info;

    memset(&info, 0, sizeof(info));
    if (pdump_papi.get_event_info(code, &info) != PAPI_OK)
        return 0;
    return each(info.symbol, info.long_descr, data);
}

/* Call each() for every event from `code` on that PAPI lists in this order. */
static int events_tell(int code, int modifier, int component,
                       pdump_each_name *each, void *data)
{
    int stop = 0;

    if (pdump_papi.enum_cmp_event(&code, PAPI_ENUM_FIRST, component) != PAPI_OK)
        return 0;
    do
        stop = event_tell(code, each, data);
    while (!stop &&
           pdump_papi.enum_cmp_event(&code, modifier, component) == PAPI_OK);
    return stop;
}

int pdump_papi_names(pdump_each_name *each, void *data)
{
    int stop = pdump_papi_load();

    if (stop < 0)
        return stop;
    stop = pdump_papi_lock();
    if (stop < 0)
        return stop;
    stop = pdump_papi_start();
    for (int i = 0; i < pdump_papi.num_components() && stop == 0; i++) {
        const PAPI_component_info_t *info = pdump_papi.get_component_info(i);

        if (!info || info->disabled)
            continue;
        stop = events_tell((int)PAPI_PRESET_MASK, PAPI_PRESET_ENUM_AVAIL, i,
                           each, data);
        if (!stop)
            stop = events_tell((int)PAPI_NATIVE_MASK, PAPI_ENUM_EVENTS, i, each,
                               data);
    }
    pdump_papi_unlock();
    return stop;
}
