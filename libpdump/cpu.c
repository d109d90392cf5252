/* SPDX-License-Identifier: BSD-3-Clause */
/* The processor that this process runs on. */
#include "cpu.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

void pdump_cpu_model(char *out, size_t len)
{
    FILE *f = fopen("/proc/cpuinfo", "re");
    char line[256], model[200] = "";
    struct utsname machine;

    while (f && !model[0] && fgets(line, sizeof(line), f))
        sscanf(line, "model name%*[ \t]: %199[^\n]", model);
    if (f)
        fclose(f);
    if (!model[0] && uname(&machine) == 0)
        snprintf(model, sizeof(model), "%s", machine.machine);
    snprintf(out, len, "%s", model);
}

void pdump_cpu_cores(char *out, size_t len)
{
    cpu_set_t set;
    size_t used = 0;

    out[0] = '\0';
    if (sched_getaffinity(0, sizeof(set), &set) != 0)
        return;
    for (int first = 0; first < CPU_SETSIZE && used < len; first++) {
        int last = first;

        if (!CPU_ISSET(first, &set))
            continue;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set))
            last++;
        used += (size_t)snprintf(out + used, len - used,
                                 last > first ? "%s%d-%d" : "%s%d",
                                 used ? "," : "", first, last);
        first = last;
    }
}
