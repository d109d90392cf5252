/* SPDX-License-Identifier: BSD-3-Clause */
/* Recognises files that do not belong to the program. */
#include "system.h"
#include "system/library.h"

#include <stddef.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static const struct rule {
    enum { IS, BEGINS, HAS, ENDS } how;
    const char *text;
    bool is_for_reading; /* not for a file opened for writing */
} rules[] = {
    { IS, "/", false },
    { IS, "/proc", false },
    { IS, "/sys", false },
    { IS, "/dev/random", false },
    { IS, "/dev/urandom", false },
    { BEGINS, "/proc/", false },
    { BEGINS, "/sys/", false },
    { BEGINS, "/run/udev/", false },
    { BEGINS, "/dev/infiniband/", false },
    { BEGINS, "/dev/shm/mpich", false },
    { BEGINS, "/dev/shm/osc_rdma", false },
    { BEGINS, "/dev/shm/psm", false },
    { BEGINS, "/dev/shm/ucx_", false },
    { BEGINS, "/dev/shm/vader_segment", false },
    { HAS, "/pmix_dstor_", false },
    { BEGINS, "/etc/", true },
    { BEGINS, "/lib/", true },
    { BEGINS, "/lib64/", true },
    { BEGINS, "/usr/lib", true }, /* also lib64 and libexec */
    { BEGINS, "/usr/local/lib", true },
    { BEGINS, "/usr/share/misc/", true }, /* names of hardware */
    { HAS, "/lib/python", true },
    { HAS, "/share/locale/", true },
    { HAS, "/share/openmpi/", true },
    { HAS, "/share/pmix/", true },
    { HAS, "/zoneinfo/", true },
    { HAS, ".so.", true },
    { HAS, "-mca-params", true },
    { ENDS, "/mca-params.conf", true },
    { ENDS, "/pybuilddir.txt", true },
    { ENDS, "/pyvenv.cfg", true },
    { ENDS, "._pth", true },
    { ENDS, ".py", true },
    { ENDS, ".pyc", true },
    { ENDS, ".so", true },
};

static bool text_begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool text_ends(const char *text, const char *with)
{
    size_t len = strlen(text), n = strlen(with);

    return len >= n && strcmp(text + len - n, with) == 0;
}

static bool rule_matches(const struct rule *rule, const char *path)
{
    switch (rule->how) {
    case IS:
        return strcmp(path, rule->text) == 0;
    case BEGINS:
        return text_begins(path, rule->text);
    case HAS:
        return strstr(path, rule->text) != NULL;
    default:
        return text_ends(path, rule->text);
    }
}

/* The folder that Open MPI makes for a run: .../ompi.HOST.USER/pid.NUMBER or
 * .../jf.NUMBER */
static bool is_of_session(const char *path)
{
    const char *folder = strstr(path, "/ompi.");
    const char *run = folder ? strchr(folder + 1, '/') : NULL;

    return run && (text_begins(run, "/pid.") || text_begins(run, "/jf."));
}

bool pdump_io_system_path(const char *path, bool is_written)
{
    for (size_t i = 0; i < LENGTH(rules); i++)
        if ((!rules[i].is_for_reading || !is_written) &&
            rule_matches(&rules[i], path))
            return true;
    return is_of_session(path);
}

/* Libraries that use files, sockets and events for themselves.  The first match
 * counts. */
static const struct part {
    const char *begin;  /* of the library's name */
    bool has_own_files; /* else its files with a path are the program's */
} parts[] = {
    { "mca_fbtl_", false },     { "mca_fcoll_", false },
    { "mca_fs_", false },       { "mca_io_", false },
    { "mca_sharedfp_", false }, { "mca_", true },
    { "libmpi", false },        { "libopen-", true },
    { "libpmix", true },        { "libprrte", true },
    { "libucm", true },         { "libucp", true },
    { "libucs", true },         { "libuct", true },
    { "libfabric", true },      { "libpsm", true },
    { "libibverbs", true },     { "librdmacm", true },
    { "libhwloc", true },       { "libpapi", true },
    { "libpciaccess", true },   { "libudev", true },
};

/* Open MPI waits with libevent, and hwloc looks for X displays.  Without MPI
 * these sockets belong to the program. */
static bool is_helper(const char *library)
{
    return text_begins(library, "libevent") || text_begins(library, "libxcb");
}

bool pdump_io_system_library(const char *library, bool has_path)
{
    for (size_t i = 0; i < LENGTH(parts); i++)
        if (text_begins(library, parts[i].begin))
            return parts[i].has_own_files || !has_path;
    return !has_path && is_helper(library) && pdump_library_is_loaded("libmpi");
}

bool pdump_io_system_caller(const void *caller, bool has_path)
{
    return pdump_io_system_library(pdump_library_of(caller), has_path);
}
