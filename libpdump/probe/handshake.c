/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives preloaded libraries of this release the functions of probe/. */
#include "probe/handshake.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define MEMBER(type, name, params, args) .name = name,
static const struct pdump_probe probe = { PDUMP_PROBE_FUNCTIONS(MEMBER) };

/* The settings have not been read yet. */
static bool is_quiet(void)
{
    const char *quiet = pdump_env("PDUMP_QUIET");

    return quiet && strcmp(quiet, "1") == 0;
}

/* Returns the path of this library. */
static const char *own_path(void)
{
    Dl_info info;

    return dladdr(&probe, &info) && info.dli_fname ? info.dli_fname
                                                   : "libpdump.so";
}

static void library_refuse(const char *library, const char *release)
{
    char cause[80];

    snprintf(cause, sizeof(cause), "release of %s", library);
    if (!is_quiet())
        pdump_warn(cause,
                   "%s is of release %s and records nothing, because %s is of "
                   "%s %s: use both from the same installation",
                   library, release, own_path(),
                   strcmp(release, PDUMP_VERSION) ? "release"
                                                  : "another build of release",
                   PDUMP_VERSION);
}

const void *pdump_handshake(const char *release, size_t size)
{
    if (strcmp(release, PDUMP_VERSION) == 0 && size == sizeof(probe))
        return &probe;
    library_refuse(pdump_library_of(__builtin_return_address(0)), release);
    return NULL;
}

/* Plugins that are linked with the objects of libpdump itself, as in unit
 * tests, always fit. */
bool pdump_probe_is_open(void)
{
    return true;
}
