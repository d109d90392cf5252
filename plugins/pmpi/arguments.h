/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the arguments of a call of MPI in C or Fortran. */
#ifndef PDUMP_PMPI_ARGUMENTS_H
#define PDUMP_PMPI_ARGUMENTS_H

#include "mpi_call.h"

static inline uintptr_t pdump_argument(const struct pdump_mpi_call *call,
                                       int index)
{
    return call->a[index - 1];
}

static inline bool pdump_argument_is_fortran(const struct pdump_mpi_call *call)
{
    return call->language != PDUMP_C;
}

static inline MPI_Fint pdump_argument_fint(const struct pdump_mpi_call *call,
                                           int index)
{
    return *(const MPI_Fint *)pdump_argument(call, index);
}

/* An integer that the caller passes. */
static inline int pdump_argument_int(const struct pdump_mpi_call *call,
                                     int index)
{
    return pdump_argument_is_fortran(call) ? pdump_argument_fint(call, index)
                                           : (int)pdump_argument(call, index);
}

/* An integer that MPI has returned. */
static inline int pdump_argument_result(const struct pdump_mpi_call *call,
                                        int index)
{
    return *(const int *)pdump_argument(call, index);
}

static inline int64_t pdump_argument_count(const struct pdump_mpi_call *call,
                                           int index)
{
    uintptr_t word;

    if (index == 0)
        return 1;
    word = pdump_argument(call, index);
    if (!pdump_argument_is_fortran(call))
        return (int64_t)word;
    return call->function->plan.is_large ? *(const MPI_Count *)word
                                         : *(const MPI_Fint *)word;
}

/* The i-th entry of an array of counts. */
static inline int64_t pdump_argument_count_at(const struct pdump_mpi_call *call,
                                              int index, int i)
{
    const void *list = (const void *)pdump_argument(call, index);

    return call->function->plan.is_large ? ((const MPI_Count *)list)[i]
                                         : ((const int *)list)[i];
}

static inline MPI_Datatype pdump_argument_type(
    const struct pdump_mpi_call *call, int index)
{
    return pdump_argument_is_fortran(call)
               ? MPI_Type_f2c(pdump_argument_fint(call, index))
               : (MPI_Datatype)pdump_argument(call, index);
}

static inline MPI_Datatype pdump_argument_type_at(
    const struct pdump_mpi_call *call, int index, int i)
{
    const void *list = (const void *)pdump_argument(call, index);

    return pdump_argument_is_fortran(call)
               ? MPI_Type_f2c(((const MPI_Fint *)list)[i])
               : ((const MPI_Datatype *)list)[i];
}

static inline MPI_Comm pdump_argument_comm(const struct pdump_mpi_call *call,
                                           int index)
{
    return pdump_argument_is_fortran(call)
               ? MPI_Comm_f2c(pdump_argument_fint(call, index))
               : (MPI_Comm)pdump_argument(call, index);
}

static inline MPI_Op pdump_argument_op(const struct pdump_mpi_call *call,
                                       int index)
{
    return pdump_argument_is_fortran(call)
               ? MPI_Op_f2c(pdump_argument_fint(call, index))
               : (MPI_Op)pdump_argument(call, index);
}

static inline MPI_Win pdump_argument_win(const struct pdump_mpi_call *call,
                                         int index)
{
    return pdump_argument_is_fortran(call)
               ? MPI_Win_f2c(pdump_argument_fint(call, index))
               : (MPI_Win)pdump_argument(call, index);
}

/* Handles that MPI changes are always passed by address. */
static inline MPI_Request pdump_argument_request_at(
    const struct pdump_mpi_call *call, int index, int i)
{
    const void *list = (const void *)pdump_argument(call, index);

    return pdump_argument_is_fortran(call)
               ? MPI_Request_f2c(((const MPI_Fint *)list)[i])
               : ((const MPI_Request *)list)[i];
}

static inline MPI_Message pdump_argument_message(
    const struct pdump_mpi_call *call, int index)
{
    const void *at = (const void *)pdump_argument(call, index);

    return pdump_argument_is_fortran(call)
               ? MPI_Message_f2c(*(const MPI_Fint *)at)
               : *(const MPI_Message *)at;
}

#endif
