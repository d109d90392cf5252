/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts about the machine that determine what can be counted. */
#include "info/machine.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

void machine_host(char *buf, size_t len)
{
    struct utsname name;

    if (uname(&name) == 0)
        snprintf(buf, len, "%s (%s %s)", name.nodename, name.sysname,
                 name.release);
    else
        snprintf(buf, len, "unknown");
}

/* Returns the text after "key : " in a line of /proc/cpuinfo. */
static const char *value_of(char *line, const char *key)
{
    char *colon = strchr(line, ':');

    if (!colon || strncmp(line, key, strlen(key)) != 0)
        return NULL;
    line[strcspn(line, "\n")] = '\0';
    return colon + 1 + strspn(colon + 1, " \t");
}

/* The model is a name on x86, numbers on ARM, and "cpu" on POWER and others. */
void machine_cpu(char *buf, size_t len)
{
    static const char *const keys[] = { "model name", "cpu\t", "CPU part" };
    FILE *f = fopen("/proc/cpuinfo", "re");
    struct utsname name;
    char line[512];
    const char *value = NULL;
    size_t found = 0;

    while (f && !value && fgets(line, sizeof(line), f)) {
        for (found = 0; found < 3 && !value; found++)
            value = value_of(line, keys[found]);
    }
    if (f)
        fclose(f);
    if (uname(&name) != 0)
        name.machine[0] = '\0';
    if (value)
        snprintf(buf, len, "%s%s (%s)", found == 3 ? "part " : "", value,
                 name.machine);
    else
        snprintf(buf, len, "%s", name.machine[0] ? name.machine : "unknown");
}

void machine_cores(char *buf, size_t len)
{
    cpu_set_t set;
    long online = sysconf(_SC_NPROCESSORS_ONLN);

    if (sched_getaffinity(0, sizeof(set), &set) == 0 &&
        CPU_COUNT(&set) != online)
        snprintf(buf, len, "%ld, of which this process may use %d", online,
                 CPU_COUNT(&set));
    else
        snprintf(buf, len, "%ld", online);
}

void machine_paranoid(char *buf, size_t len)
{
    FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
    int level;

    if (!f || fscanf(f, "%d", &level) != 1)
        snprintf(buf, len, "not there: this kernel has no perf events");
    else if (geteuid() == 0)
        snprintf(buf, len, "%d (does not bind root)", level);
    else
        snprintf(buf, len, "%d (%s)", level,
                 level <= 1   ? "processes may be counted, the kernel too"
                 : level == 2 ? "processes may be counted, without the kernel"
                              : "nothing may be counted: ask for 2 or less");
    if (f)
        fclose(f);
}
