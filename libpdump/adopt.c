/* SPDX-License-Identifier: BSD-3-Clause */
/* A run that a process joins which was not forked from it. */
#include "adopt.h"
#include "session.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int pdump_adopt_tell(char *out, size_t len)
{
    struct pdump_session *s = pdump_session_hold();
    const char *path = s ? pdump_store_path(s->store) : NULL;
    bool is_root = s && !s->origin.parent;
    int n = -1;

    if (path && s->settings.follow)
        n = snprintf(out, len, "%s %lld %s", s->origin.run,
                     is_root ? (long long)getpid()
                             : (long long)s->origin.root_pid,
                     is_root ? path : s->origin.root);
    if (s)
        pdump_session_let_go(s);
    if (n < 0 || (size_t)n >= len)
        return pdump_fail(PDUMP_ESTATE, "there is no run to join");
    return PDUMP_OK;
}

int pdump_adopt_by(const char *text)
{
    struct pdump_origin from = { .parent = getppid() };
    long long root_pid;
    int at = 0;

    if (sscanf(text, "%39s %lld %n", from.run, &root_pid, &at) != 2 ||
        text[at] != '/' || strlen(text + at) >= sizeof(from.root))
        return pdump_fail(PDUMP_EINVAL, "%.80s: not a run to join", text);
    snprintf(from.root, sizeof(from.root), "%s", text + at);
    from.root_pid = root_pid;
    pdump_session_adopt(&from);
    return PDUMP_OK;
}
