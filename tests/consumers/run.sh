#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a user of the installed library meets, with pkg-config's flags only.
#
# Usage: run.sh PREFIX LIBDIR CC [CXX [FC]]
# where an empty or missing compiler leaves that language out.  CFLAGS, CXXFLAGS
# and FCFLAGS are added, which sanitizer builds need.  Tells all that is wrong,
# then fails.

# shellcheck disable=SC2046 # flags of pkg-config are meant to be split
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 99
prefix=$1 libdir=$2 CC=$3 CXX=${4-} FC=${5-}
CFLAGS=${CFLAGS-} CXXFLAGS=${CXXFLAGS-} FCFLAGS=${FCFLAGS-}
# The prefix differs from the configured one under DESTDIR.
config="${PKG_CONFIG-pkg-config} --define-variable=prefix=$prefix"
PKG_CONFIG_PATH=$libdir/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
LD_LIBRARY_PATH=$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_PATH LD_LIBRARY_PATH
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 99
n_bad=0

for name in $(env | sed -n 's/^\(PDUMP_[A-Z_]*\)=.*/\1/p'); do
    unset "$name"
done

# check WHAT COMMAND...: the command succeeds.
check()
{
    what=$1
    shift
    if "$@" >log 2>&1; then
        echo "ok      $what"
    else
        echo "FAILED  $what"
        sed 's/^/        /' log
        n_bad=$((n_bad + 1))
    fi
}

# The names of all public functions.
functions()
{
    sed -n 's/^PDUMP_API .*[ *]\(pdump_[a-z0-9_]*\)(.*/\1/p' \
        "$includedir/pdump.h"
}

# Lines in file $1 that are missing in file $2, as an error.
all_in()
{
    test "$(wc -l <"$1")" -gt 20 || { echo "too few names"; return 1; }
    sort "$1" >left && sort "$2" >right
    missing=$(comm -23 left right)
    test -z "$missing" || { echo "missing:" $missing; return 1; }
}

exported()
{
    nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | sed 's/@.*//'
}

only_ours()
{
    ! exported "$library" | grep -v '^pdump_'
}

every_function_exported()
{
    functions >declared
    exported "$library" >defined
    all_in declared defined
}

# Without the _n and _f variants and the halves of PDUMP_REGION, which Fortran
# needs not.
every_function_in_fortran()
{
    functions | grep -v -e '_[nf]$' -e '^pdump_scope_' >declared
    sed -n 's/^  public :: \(pdump_.*\)/\1/p' "$includedir/pdump/pdump.f90" |
        tr -d ' ' | tr ',' '\n' >defined
    all_in declared defined
}

# header LANGUAGE STANDARD COMPILER: pdump.h needs nothing before it.
header_alone()
{
    echo '#include <pdump.h>' >alone
    $3 -x "$1" -std="$2" -Wall -Wextra -Wshadow -pedantic -Werror \
        $($config --cflags pdump) -fsyntax-only alone
}

builds()
{
    program=$1
    shift
    "$@" -o "$program" || return 1
}

# The program runs, says nothing, and leaves both regions in its dump.
runs()
{
    mkdir -p "$1.d" && cd "$1.d" || return 1
    PDUMP_OUTPUT_FORMAT=csv timeout 300 "../$1" >said 2>&1
    status=$?
    test $status -eq 0 || { cat said; echo "exit status $status"; }
    test $status -eq 0 && test ! -s said && test -s perf_dump.csv &&
        grep -q outer perf_dump.csv && grep -q outer/scope perf_dump.csv
    status=$?
    cd ..
    return $status
}

# Without being told, it writes HDF5 where the module was installed.
writes_hdf5()
{
    test -e "$libdir/libpdump/pdump_hdf5.so" || return 0
    mkdir -p "$1.h5" && cd "$1.h5" || return 1
    timeout 300 "../$1" && test -s perf_dump.h5
    status=$?
    ls
    cd ..
    return $status
}

# build_example FOLDER MAKE-ARGUMENT...: a copy of that example, with its own
# Makefile.
build_example()
{
    cp -r "$here/../../examples/$1" example && chmod -R u+w example || return 1
    shift
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -C example \
        PKG_CONFIG="$config" PDUMP_LIBDIR="$libdir" "$@"
}

# solves RANKS: the example does what it is for, and leaves one dump.
solves()
{
    (
        cd example || exit 1
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
        OMPI_MCA_rmaps_base_oversubscribe=1
        OMPI_MCA_orte_tmpdir_base=$folder
        ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS-}
        export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM \
            OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_orte_tmpdir_base \
            ASAN_OPTIONS PDUMP_OUTPUT_FORMAT=csv
        timeout 300 mpirun -n "$1" ./heat -n 60 -s 40 &&
            grep -q solve/march/sweep perf_dump.csv
    )
}

# A program needs libpdump alone, and neither MPI nor HDF5 by a detour.
needs_only_pdump()
{
    objdump -p "$1" | sed -n 's/^ *NEEDED *//p' >needed
    ldd "$1" >paths || return 1
    sed 's/ *=>.*//' paths >loaded # a folder may have any name
    cat needed loaded
    test "$(grep -c pdump needed)" -eq 1 && ! grep -q -i -e mpi -e hdf5 loaded
}

check "pkg-config knows pdump" $config --exists pdump
includedir=$($config --variable=includedir pdump)
library=$libdir/libpdump.so
case $($config --libs pdump) in *-lpdump*) has=true ;; *) has=false ;; esac
check "pkg-config --libs gives -lpdump" $has
test -e "$library" || config="$config --static" # --disable-shared

for std in c99 c11; do
    check "header alone, $std" header_alone c $std "$CC"
done
check "C builds" builds in_c $CC $CFLAGS "$here/consumer.c" \
    $($config --cflags --libs pdump)
check "C runs" runs in_c

if test -n "$CXX"; then
    for std in c++11 c++17; do
        check "header alone, $std" header_alone c++ $std "$CXX"
    done
    check "C++ builds" builds in_cxx $CXX $CXXFLAGS -std=c++11 \
        "$here/consumer.cc" $($config --cflags --libs pdump)
    check "C++ runs" runs in_cxx
fi

check "every function in pdump.f90" every_function_in_fortran
if test -n "$FC"; then
    check "pkg-config knows pdump-fortran" $config --exists pdump-fortran
    check "Fortran builds" builds in_fortran $FC $FCFLAGS \
        "$here/consumer.f90" $($config --cflags --libs pdump-fortran)
    check "Fortran runs" runs in_fortran
    check "module from source builds" builds from_source $FC $FCFLAGS \
        "$includedir/pdump/pdump.f90" "$here/consumer.f90" \
        $($config --libs pdump)
    check "module from source runs" runs from_source
fi

# (The MPIs are not made for the thread sanitizer.)
case $CFLAGS in *sanitize*thread*) has_mpi=false ;; *) has_mpi=true ;; esac
for tool in make mpicc mpifort mpirun; do
    command -v $tool >/dev/null || has_mpi=false
done
if test -n "$FC" && $has_mpi; then
    check "examples/heat builds" build_example heat "CFLAGS=$CFLAGS" \
        "FCFLAGS=$FCFLAGS"
    # If that is an MPI that libpdump was built with.
    soname=$(ldd example/heat | sed -n 's/^\s*\(libmpi[a-z]*\.so\S*\) .*/\1/p')
    test ! -e "$libdir/libpdump/$soname/pdump_mpi.so" ||
        check "examples/heat runs" solves 2
fi

if test -e "$library"; then
    check "needs libpdump only" needs_only_pdump in_c
    check "writes HDF5 if it was installed" writes_hdf5 in_c
    check "exports nothing but pdump_" only_ours
    check "exports every function of pdump.h" every_function_exported
fi

if test $n_bad -gt 0; then
    echo "$n_bad failed"
    exit 1
fi
