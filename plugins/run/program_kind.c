/* SPDX-License-Identifier: BSD-3-Clause */
/* Determines the kind of program of this process, by its name. */
#include "program_kind.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *const launchers[] = {
    "aprun",        "chrt",    "env",     "flux",    "hydra_bstrap_proxy",
    "ionice",       "jsrun",   "mpiexec", "mpirun",  "hydra_pmi_proxy",
    "nice",         "nohup",   "numactl", "orted",   "orterun",
    "lt-pdump",     "pdump",   "prted",   "prterun", "prun",
    "pmi_proxy",    "rsh",     "setsid",  "srun",    "ssh",
    "stdbuf",       "taskset", "time",    "timeout", "xargs",
    "orte_monitor", NULL,
};

/* The launchers that have a session of their own. */
static const char *const commands[] = { "lt-pdump", "pdump", NULL };

static const char *const shells[] = {
    "ash",  "bash", "csh",  "dash", "fish", "ksh",
    "mksh", "sh",   "tcsh", "zsh",  NULL,
};

void kind_name(char *out, size_t len)
{
    const char *name = program_invocation_short_name;

    if (name && name[0] == '-') /* a login shell */
        name++;
    snprintf(out, len, "%s", name && *name ? name : "program");
}

/* A suffix does not matter: mpirun.openmpi is mpirun, too. */
static bool is_one_of(const char *const *list, const char *name)
{
    for (; *list; list++) {
        size_t n = strlen(*list);

        if (strncmp(*list, name, n) == 0 && (!name[n] || name[n] == '.'))
            return true;
    }
    return false;
}

bool kind_is_launcher(const char *name)
{
    return is_one_of(launchers, name);
}

bool kind_is_pdump(const char *name)
{
    return is_one_of(commands, name);
}

bool kind_is_shell(const char *name)
{
    return is_one_of(shells, name);
}

bool kind_is_interpreter(const char *name)
{
    return strncmp(name, "python", 6) == 0;
}
