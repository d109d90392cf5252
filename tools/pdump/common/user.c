/* SPDX-License-Identifier: BSD-3-Clause */
/* The option --user: the user whose stores are read. */
#include "common/user.h"

#include "system/owned_file.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>

int user_choose(const struct command *self, const char *user)
{
    const struct passwd *entry = getpwnam(user);
    char *end;
    long number;

    errno = 0;
    number = entry ? (long)entry->pw_uid : strtol(user, &end, 10);
    if (!entry &&
        (errno || end == user || *end || number < 0 || number >= UINT32_MAX))
        return command_usage(self, "--user: there is no user \"%s\"", user);
    pdump_owned_file_instead((uid_t)number);
    return -1;
}
