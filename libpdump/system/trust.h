/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks which files may be loaded as code: those of root, of the effective
 * user, and of the account that owns libpdump.
 */
#ifndef PDUMP_TRUST_H
#define PDUMP_TRUST_H

#include "base/error.h"

/*
 * Check that nobody else can change the file `path`: the file and all folders
 * above it belong to the accounts named above and are not writable by others.
 * (A group with the same number as the owner counts as the owner's private
 * group; in a folder with the sticky bit others cannot replace anything.)  The
 * target of a symbolic link has to meet the same conditions.  `out`, of
 * PATH_MAX bytes, is the path to use; its folder part contains no links.
 * PDUMP_EPLUGIN with the reason.
 */
PDUMP_SHARED int pdump_trust_file(const char *path, char *out);

/* The same for a file that was installed in `folder` with libpdump: file and
 * folder belong to root or to the account that libpdump belongs to. */
PDUMP_SHARED int pdump_trust_installed(const char *folder, const char *path,
                                       char *out);

#endif
