# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_WITH_HDF5: a serial HDF5, and a parallel one for each MPI that was found
# by PDUMP_WITH_MPI.  --with-hdf5[=PREFIX], --without-hdf5.
#
# For each NAME of HDF5, and HDF5_openmpi and so on for the MPIS:
#   NAME_CFLAGS, NAME_LIBS  to compile and link with it
#   NAME_SONAME             of its library
#   HAVE_HDF5               conditional; HAVE_HDF5_MPI: any of the others
#   HDF5_MPIS               those of MPIS that have one
# and what compresses for them: DEFLATE_CFLAGS, DEFLATE_LIBS, HAVE_LIBDEFLATE.

# PDUMP_HDF5_TRY(FUNCTION, MPI SONAME OR EMPTY): is what pdump_shown says an HDF5
# that has FUNCTION and no MPI but that one?  Sets pdump_soname and
# pdump_version, or pdump_why.
AC_DEFUN([PDUMP_HDF5_TRY], [
    pdump_soname= pdump_version= pdump_cflags= pdump_libs=
    for pdump_flag in $pdump_shown; do
        AS_CASE([$pdump_flag],
            [-I/usr/include], [],
            [-I*], [AS_VAR_APPEND([pdump_cflags],
                [" -isystem `AS_ECHO([$pdump_flag]) | sed 's/^-I//'`"])],
            [-lhdf5_hl|-lhdf5_hl_cpp], [],
            [*/libhdf5.a|*/libhdf5.so], [AS_VAR_APPEND([pdump_libs], [" -lhdf5"])],
            [-L*|-l*|-Wl,*rpath*],
                [AS_VAR_APPEND([pdump_libs], [" $pdump_flag"])])
    done
    pdump_save_CPPFLAGS=$CPPFLAGS; pdump_save_LIBS=$LIBS
    CPPFLAGS="$CPPFLAGS $pdump_cflags"; LIBS="$pdump_libs $LIBS"
    AC_PREPROC_IFELSE([AC_LANG_SOURCE([[
#include <hdf5.h>
pdump_is H5_VERS_MAJOR.H5_VERS_MINOR.H5_VERS_RELEASE pdump_end
#if !H5_VERSION_GE(1, 10, 3)
#error too old
#endif
]])], [
        # Macros of system headers begin a line of their own.
        pdump_version=`grep -v '^#' conftest.i | tr -d ' \n' |
            sed 's/.*pdump_is\(.*\)pdump_end.*/\1/'`
    ])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <hdf5.h>]],
        [[return (int)H5open() + ((void *)$1 == 0);]])],
        [pdump_soname=`${OBJDUMP-objdump} -p conftest$EXEEXT |
            sed -n 's/.*NEEDED *\(libhdf5[[^ ]]*\).*/\1/p' | sed 1q`
         pdump_needs=" `ldd ./conftest$EXEEXT 2>/dev/null |
            sed 's/^[[ 	]]*//; s/ .*//'` "
         for pdump_mpi in $pdump_mpi_sonames; do
            AS_IF([test "x$pdump_mpi" != "x$2" &&
                   AS_ECHO(["$pdump_needs"]) | grep "^ *$pdump_mpi *\$" >/dev/null],
                [pdump_soname= pdump_why="the HDF5 that is there is for $pdump_mpi"])
         done])
    CPPFLAGS=$pdump_save_CPPFLAGS; LIBS=$pdump_save_LIBS
    AS_IF([test -z "$pdump_version"], [pdump_soname=])
])

# PDUMP_DEFLATE: libdeflate, or zlib, without which HDF5 files are not written.
AC_DEFUN([PDUMP_DEFLATE], [
    AC_ARG_WITH([libdeflate],
        [AS_HELP_STRING([--with-libdeflate],
            [compress HDF5 files with libdeflate, not with zlib @<:@auto@:>@])],
        [], [with_libdeflate=auto])
    pdump_deflate=
    AS_IF([test "x$with_libdeflate" != xno], [
        PKG_CHECK_MODULES([DEFLATE], [libdeflate], [pdump_deflate=libdeflate], [
            AS_IF([test "x$with_libdeflate" != xauto],
                [AC_MSG_ERROR([libdeflate was asked for but is not there: install libdeflate-dev])])
        ])
    ])
    AS_IF([test -z "$pdump_deflate"], [
        AC_CHECK_HEADER([zlib.h], [AC_CHECK_LIB([z], [compress2],
            [pdump_deflate=zlib DEFLATE_LIBS=-lz])])
    ])
    AM_CONDITIONAL([HAVE_LIBDEFLATE], [test "x$pdump_deflate" = xlibdeflate])
    AC_SUBST([DEFLATE_CFLAGS])
    AC_SUBST([DEFLATE_LIBS])
])

# PDUMP_HDF5_LOOK(NAME, FUNCTION, MPI SONAME, MORE FLAGS, PACKAGES, WRAPPER)
AC_DEFUN([PDUMP_HDF5_LOOK], [
    AC_MSG_CHECKING([for $1])
    # A PREFIX is an order for the serial one.
    AS_CASE([$1$with_hdf5], [HDF5/*], [pdump_renumber=$with_hdf5],
        [pdump_renumber="$with_hdf5 $5 $6 -lhdf5"])
    for pdump_from in $pdump_renumber; do
        AS_CASE([$pdump_from],
            [yes|auto|no], [pdump_shown=],
            [/*/h5*cc|h5*cc], [pdump_shown=`$pdump_from -show 2>/dev/null`],
            [/*], [pdump_shown="-I$pdump_from/include -L$pdump_from/lib -Wl,-rpath,$pdump_from/lib -lhdf5"],
            [-l*], [pdump_shown=$pdump_from],
            [pdump_shown=`$PKG_CONFIG --cflags --libs $pdump_from 2>/dev/null`])
        AS_IF([test -n "$pdump_shown" && test -z "$$1_SONAME"], [
            pdump_shown="$pdump_shown $4"
            PDUMP_HDF5_TRY([$2], [$3])
            AS_IF([test -n "$pdump_soname"], [
                $1_CFLAGS=$pdump_cflags
                $1_LIBS=$pdump_libs
                $1_SONAME=$pdump_soname
                $1_version=$pdump_version
            ])
        ])
    done
    AC_MSG_RESULT([${$1_SONAME:-no}])
])

# PDUMP_HDF5_PARALLEL(MPI, WHAT IT IS CALLED)
AC_DEFUN([PDUMP_HDF5_PARALLEL], [
    AS_IF([test "x$have_$1" = xyes && test "x$with_hdf5" != xno &&
           test -n "$pdump_deflate"], [
        PDUMP_HDF5_LOOK([HDF5_$1], [H5Pset_fapl_mpio], [$$1_SONAME],
            [$$1_CFLAGS $$1_LIBS], [hdf5-$1 hdf5-mpi hdf5],
            [`dirname "$$1_CC" 2>/dev/null`/h5pcc h5pcc])
        AS_IF([test -n "$HDF5_$1_SONAME"],
            [HDF5_MPIS="$HDF5_MPIS $1"
             pdump_parallel="$pdump_parallel${pdump_parallel:+; }$2 $HDF5_$1_version"],
            [pdump_lacking="$pdump_lacking${pdump_lacking:+, }$2"])
    ])
    AC_SUBST([HDF5_$1_CFLAGS])
    AC_SUBST([HDF5_$1_LIBS])
    AC_SUBST([HDF5_$1_SONAME])
])

AC_DEFUN([PDUMP_WITH_HDF5], [
    AC_ARG_WITH([hdf5],
        [AS_HELP_STRING([--with-hdf5@<:@=PREFIX@:>@],
            [HDF5 modules: serial, and for every MPI @<:@auto@:>@])],
        [], [with_hdf5=auto])
    HDF5_MPIS= pdump_parallel= pdump_lacking= pdump_why=
    PDUMP_DEFLATE
    AS_IF([test "x$with_hdf5" = xno], [
        pdump_hdf5_report="no (--without-hdf5; csv is written)"
    ], [test -z "$pdump_deflate"], [
        pdump_hdf5_report="no (install libdeflate-dev or zlib1g-dev)"
    ], [
        PDUMP_HDF5_LOOK([HDF5], [H5Dwrite], [], [], [hdf5-serial hdf5], [h5cc])
        pdump_why=${pdump_why:+"$pdump_why and would bring it into every program; "}
        pdump_hdf5_report="no (${pdump_why}install libhdf5-dev, 1.10.3 or newer)"
        AS_IF([test -n "$HDF5_SONAME"],
            [pdump_hdf5_report="yes (serial, $HDF5_version, $pdump_deflate)"])
    ])
    PDUMP_HDF5_PARALLEL([openmpi], [Open MPI])
    PDUMP_HDF5_PARALLEL([mpich], [MPICH])
    PDUMP_HDF5_PARALLEL([othermpi], [$othermpi_SONAME])
    AS_IF([test "x$with_hdf5" = xno], [pdump_hdf5_mpi_report="no (--without-hdf5)"],
        [test -n "$pdump_parallel"], [
            pdump_hdf5_mpi_report="yes ($pdump_parallel)"
            AS_IF([test -n "$pdump_lacking"],
                [pdump_hdf5_mpi_report="$pdump_hdf5_mpi_report; not for $pdump_lacking"])
        ],
        [test -n "$pdump_lacking"],
            [pdump_hdf5_mpi_report="no (no parallel HDF5 for $pdump_lacking: rank 0 writes; install libhdf5-openmpi-dev or libhdf5-mpich-dev)"],
        [pdump_hdf5_mpi_report="no (a parallel HDF5 is of use with an MPI only, and there is none)"])
    AS_IF([test -z "$HDF5_SONAME" && test "x$with_hdf5" != xauto && test "x$with_hdf5" != xno],
        [AC_MSG_ERROR([HDF5 was asked for but cannot be used: install libhdf5-dev and libdeflate-dev (Debian, Ubuntu) or hdf5-devel and libdeflate-devel (Fedora), HDF5 1.10.3 or newer, or give --with-hdf5=PREFIX])])
    AM_CONDITIONAL([HAVE_HDF5], [test -n "$HDF5_SONAME"])
    AM_CONDITIONAL([HAVE_HDF5_MPI], [test -n "$pdump_parallel"])
    AC_SUBST([HDF5_MPIS])
    AC_SUBST([HDF5_CFLAGS])
    AC_SUBST([HDF5_LIBS])
    AC_SUBST([HDF5_SONAME])
    PDUMP_SUMMARY([HDF5 module], [$pdump_hdf5_report])
    PDUMP_SUMMARY([HDF5 collective], [$pdump_hdf5_mpi_report])
])
