/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment. */
#include "system/env.h"

#include <stdlib.h>
#include <sys/auxv.h>

bool pdump_env_is_privileged(void)
{
    return getauxval(AT_SECURE) != 0;
}

const char *pdump_env(const char *name)
{
    return pdump_env_is_privileged() ? NULL : getenv(name);
}

const char *pdump_env_temporary(void)
{
    const char *folder = pdump_env("TMPDIR");

    return folder && *folder ? folder : "/tmp";
}
