/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets a process join a run that it was not forked from. */
#include "probe/run_join.h"
#include "base/kept_text.h"
#include "session/session.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int pdump_run_join_tell(char *out, size_t len)
{
    struct pdump_session *s = pdump_session_hold();
    const char *path = s ? pdump_store_path(s->store) : NULL;
    bool is_root = s && !s->origin.parent;
    int n = -1;

    if (path && s->settings.follow)
        n = snprintf(
            out, len, "%s %lld %lld,%lld %s", s->origin.run,
            is_root ? (long long)getpid() : (long long)s->origin.root_pid,
            (long long)s->origin.since.ticks, (long long)s->origin.since.ns,
            is_root ? path : s->origin.root);
    if (s)
        pdump_session_let_go(s);
    if (n < 0 || (size_t)n >= len)
        return pdump_fail(PDUMP_ESTATE, "there is no run to join");
    return PDUMP_OK;
}

static int origin_parse(const char *text, struct pdump_origin *out)
{
    struct pdump_origin from = { .parent = getppid() };
    long long root_pid, ticks, ns;
    int at = 0;

    if (sscanf(text, "%39s %lld %lld,%lld %n", from.run, &root_pid, &ticks, &ns,
               &at) != 4 ||
        text[at] != '/' || strlen(text + at) >= sizeof(from.root))
        return pdump_fail(PDUMP_EINVAL, "%.80s: not a run to join", text);
    snprintf(from.root, sizeof(from.root), "%s", text + at);
    from.root_pid = root_pid;
    from.since = (struct pdump_moment){ .ticks = ticks, .ns = ns };
    *out = from;
    return PDUMP_OK;
}

int pdump_run_join_by(const char *text)
{
    struct pdump_origin from;
    int err = origin_parse(text, &from);

    return err < 0 ? err : pdump_session_join(&from);
}

bool pdump_run_join_is_open(const char *text)
{
    struct pdump_origin from;

    return origin_parse(text, &from) >= 0 &&
           pdump_run_children_goes_on(from.root);
}

int pdump_run_join_start(void)
{
    pdump_session_be_quick();
    return pdump_init();
}

int pdump_run_join_end(const char *name,
                       void (*look)(const struct pdump_dump *dump, void *data),
                       void *data)
{
    return pdump_session_end_hosted(name, look, data);
}

const char *pdump_run_join_store(void)
{
    struct pdump_session *s = pdump_session_hold();
    const char *path = s ? pdump_store_path(s->store) : NULL;

    if (s)
        pdump_session_let_go(s); /* the process still holds it */
    return path;
}

void pdump_run_join_note_end(const char *name)
{
    struct pdump_session *s = pdump_session_hold();
    const char *own = s ? pdump_store_path(s->store) : NULL;
    const char *slash = own ? strrchr(own, '/') : NULL;
    char path[PATH_MAX];

    if (slash && snprintf(path, sizeof(path), "%.*s/%s", (int)(slash - own),
                          own, name) < (int)sizeof(path))
        pdump_run_children_note_end(s->origin.run, path);
    if (s)
        pdump_session_let_go(s);
}

int pdump_run_join_n_running(void)
{
    struct pdump_session *s = pdump_session_hold();
    const char *own = s ? pdump_store_path(s->store) : NULL;
    int n = own ? pdump_run_children_n_running(own, s->origin.run) : 0;

    if (s)
        pdump_session_let_go(s);
    return n;
}

static const char *_Atomic written = "";

const char *pdump_run_join_written(void)
{
    return written;
}

void pdump_run_join_wrote(const char *path)
{
    const char *kept = pdump_kept_text(path);

    if (kept)
        written = kept;
}
