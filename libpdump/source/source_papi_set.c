/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs and ends PAPI event sets, and explains PAPI's errors. */
#include "source/source_papi.h"

#include <errno.h>
#include <fcntl.h>
#include "source/source_papi_calls.h"
#include <stdio.h>
#include <unistd.h>

void pdump_papi_set_end(int id)
{
    pdump_papi.stop(id, NULL);
    pdump_papi.cleanup_eventset(id);
    pdump_papi.destroy_eventset(&id);
}

static int set_fill(int id, const struct pdump_papi_set *set)
{
    int code = pdump_papi.assign_eventset_component(id, set->component);

    if (code == PAPI_OK && set->is_multiplexed)
        code = pdump_papi.set_multiplex(id);
    for (int i = 0; i < set->n && code == PAPI_OK; i++)
        code = pdump_papi.add_event(id, set->code[i]);
    return code;
}

int pdump_papi_set_run(const struct pdump_papi_set *set, int *id)
{
    long long values[PDUMP_METRICS_MAX];
    int code, new = PAPI_NULL;

    code = pdump_papi.create_eventset(&new);
    if (code != PAPI_OK)
        return code;
    code = set_fill(new, set);
    if (code == PAPI_OK)
        code = pdump_papi.start(new);
    if (code == PAPI_OK)
        code = pdump_papi.read(new, values);
    if (code == PAPI_OK)
        *id = new;
    else
        pdump_papi_set_end(new);
    return code;
}

static bool is_out_of_fds(void)
{
    int fd = open("/", O_PATH | O_CLOEXEC);

    if (fd >= 0)
        close(fd);
    return fd < 0 && (errno == EMFILE || errno == ENFILE);
}

/* Returns the value of perf_event_paranoid; -100 if the kernel has no perf. */
static int perf_paranoia(void)
{
    FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
    int level = -100;

    if (f && fscanf(f, "%d", &level) != 1)
        level = -100;
    if (f)
        fclose(f);
    return level;
}

static const char *strerror_papi(int code)
{
    const char *text = pdump_papi.strerror(code);

    return text ? text : "unknown PAPI error";
}

void pdump_papi_reason(int code, char *why, size_t len)
{
    if (is_out_of_fds())
        snprintf(why, len, "no file descriptor left: raise `ulimit -n` (%s)",
                 strerror_papi(code));
    else if (code == PAPI_EPERM)
        snprintf(why, len,
                 "forbidden: perf_event_paranoid is %d (lower it), "
                 "or a container blocks perf_event_open (%s)",
                 perf_paranoia(), strerror_papi(code));
    else if (code == PAPI_ESYS)
        snprintf(why, len,
                 "perf_event_open fails: no perf in this kernel, or the "
                 "container forbids it (%s)",
                 strerror_papi(code));
    else if (code == PAPI_ENOEVNT)
        snprintf(why, len,
                 "this machine cannot count it; virtual machines often have "
                 "no hardware counters (%s)",
                 strerror_papi(code));
    else if (code == PAPI_EISRUN)
        snprintf(why, len, "the program counts by PAPI in this thread (%s)",
                 strerror_papi(code));
    else
        snprintf(why, len, "PAPI: %s (%d)", strerror_papi(code), code);
}
