/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of visits whose cost differs from that of a plain region. */
#ifndef PDUMP_VISIT_KIND_H
#define PDUMP_VISIT_KIND_H

enum pdump_visit_kind {
    PDUMP_VISIT_PYTHON_FUNCTION,
    PDUMP_VISIT_PYTHON_REGION,
    PDUMP_VISIT_FUNCTION, /* of compiled code */
    PDUMP_VISIT_MPI_CALL,
    PDUMP_VISIT_IO_CALL,
    PDUMP_VISIT_KINDS,
    PDUMP_VISIT_PLAIN = PDUMP_VISIT_KINDS, /* all others */
};

/* The keys of the metadata for the cost of a visit of each kind, in ns. */
extern const char *const pdump_visit_kind_key[PDUMP_VISIT_KINDS];

/* Returns the kind of the visits of a region.  `has_python`: this is a run of
 * Python, in which regions of the program without a file are taken for
 * Python's. */
enum pdump_visit_kind pdump_visit_kind_of(const char *group, const char *file,
                                          int has_python);

#endif
