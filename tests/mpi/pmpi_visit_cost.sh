#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The overhead that a dump states is the true cost of an MPI call.
. "${srcdir:-.}/pmpi/kit.sh"
. "$tests/../wrap/visit_cost/judge.sh"

behaviour a call of MPI
judge overhead_ns_per_mpi_call watched 1 visit_cost

tell_busy
finish
