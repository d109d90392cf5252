/* SPDX-License-Identifier: BSD-3-Clause */
/* The processor that this process runs on. */
#include "system/cpu.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The model is in the first lines, those of the first core.  Every process of a
 * run reads it, so this uses one read() and no stream. */
void pdump_cpu_model(char *out, size_t len)
{
    int fd = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    char text[1024];
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
    const char *model;
    struct utsname machine;

    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    model = strstr(text, "model name");
    model = model ? strstr(model, ": ") : NULL;
    if (model)
        snprintf(out, len, "%.*s", (int)strcspn(model + 2, "\n"), model + 2);
    else
        snprintf(out, len, "%s", uname(&machine) == 0 ? machine.machine : "");
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
