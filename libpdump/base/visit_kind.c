/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the kind of visits by the group and the file of their region. */
#include "base/visit_kind.h"

#include <stddef.h>
#include <string.h>

const char *const pdump_visit_kind_key[PDUMP_VISIT_KINDS] = {
    [PDUMP_VISIT_PYTHON_FUNCTION] = "overhead_ns_per_python_function",
    [PDUMP_VISIT_PYTHON_REGION] = "overhead_ns_per_python_region",
    [PDUMP_VISIT_FUNCTION] = "overhead_ns_per_function",
    [PDUMP_VISIT_MPI_CALL] = "overhead_ns_per_mpi_call",
    [PDUMP_VISIT_IO_CALL] = "overhead_ns_per_io_call",
};

/* Python's own names of code without a file are like <string>. */
static int is_of_python(const char *file)
{
    size_t len = strlen(file);

    return file[0] == '<' || (len > 3 && strcmp(file + len - 3, ".py") == 0);
}

enum pdump_visit_kind pdump_visit_kind_of(const char *group, const char *file,
                                          int has_python)
{
    if (strcmp(group, "mpi") == 0)
        return PDUMP_VISIT_MPI_CALL;
    if (strcmp(group, "io") == 0)
        return PDUMP_VISIT_IO_CALL;
    if (strcmp(group, "function") == 0)
        return PDUMP_VISIT_FUNCTION;
    if (strcmp(group, "user") != 0 || !has_python)
        return PDUMP_VISIT_PLAIN;
    if (file[0] == '\0')
        return PDUMP_VISIT_PYTHON_REGION;
    return is_of_python(file) ? PDUMP_VISIT_PYTHON_FUNCTION : PDUMP_VISIT_PLAIN;
}
