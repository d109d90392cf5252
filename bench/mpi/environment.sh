# SPDX-License-Identifier: BSD-3-Clause
# To be sourced by the scripts of the benchmarks: a new folder to be in, and
# what mpirun needs as root, with few processors, in a container.
for name in $(env | sed -n 's/^\(PDUMP_[A-Za-z0-9_]*\)=.*/\1/p'); do
    [ "$name" = PDUMP_MODULES ] || unset "$name"
done
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder" || exit 2
PDUMP_EVENTS=none
PDUMP_OUTPUT_FORMAT=hdf5
PDUMP_OVERWRITE=1
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_hwloc_base_binding_policy=none
OMPI_MCA_btl_vader_single_copy_mechanism=none
OMPI_MCA_mpi_yield_when_idle=1
OMPI_MCA_orte_tmpdir_base=$folder
export PDUMP_EVENTS PDUMP_OUTPUT_FORMAT PDUMP_OVERWRITE \
    OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM \
    OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_hwloc_base_binding_policy \
    OMPI_MCA_btl_vader_single_copy_mechanism OMPI_MCA_mpi_yield_when_idle \
    OMPI_MCA_orte_tmpdir_base
