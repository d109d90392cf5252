# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_WITH_MPI: every MPI that is there.  --with-mpi[=PREFIX], --without-mpi.
#
# A module is built for each, as none can be used with another.  Up to three:
# openmpi, mpich and othermpi, which is of a third make, or a second release of
# the same make with another soname.  Makefiles only know the list MPIS, so one
# more is a name more here (pdump_mpi_names) and in pdump_hdf5.m4.
#   MPIS                    the NAMEs of those that were found; also the names of
#                           folders where something is built for each of them
#   NAME_CFLAGS, NAME_LIBS  to compile and link a C program
#   NAME_SONAME             of its library, "libmpi.so.40"
#   NAME_CC, NAME_FC, NAME_RUN  its commands, empty if there is none
#   HAVE_MPI                conditional: any of them
#   have_NAME               yes or no, for other macros
m4_define([pdump_mpi_names], [openmpi mpich othermpi])

# PDUMP_MPI_FLAGS: from what the wrapper shows, take what is about MPI, and not
# its C++ side, nor what the wrapper's compiler was told about code.
AC_DEFUN([PDUMP_MPI_FLAGS], [
    pdump_cflags= pdump_libs=
    set dummy $pdump_shown; shift
    while test $[#] -gt 0; do
        AS_CASE([$[1]],
            [-lmpi_cxx|-lmpichcxx|-lmpi++|-lmpicxx|-lmpigf], [],
            [-I/usr/include], [],
            [-I*], [AS_VAR_APPEND([pdump_cflags],
                [" -isystem `AS_ECHO([$[1]]) | sed 's/^-I//'`"])],
            [-D*], [AS_VAR_APPEND([pdump_cflags], [" $[1]"])],
            [-isystem], [AS_VAR_APPEND([pdump_cflags], [" $[1] $[2]"]); shift],
            [-Wl,-rpath*|-Wl,--rpath*|-Wl,--enable-new-dtags|-L*|-l*],
                [AS_VAR_APPEND([pdump_libs], [" $[1]"])])
        shift
    done
])

# PDUMP_MPI_TRY: does a program link with these flags?  Sets pdump_soname, and
# pdump_kind and pdump_about from the macros of mpi.h.
AC_DEFUN([PDUMP_MPI_TRY], [
    pdump_soname= pdump_kind=othermpi pdump_about=
    pdump_save_CPPFLAGS=$CPPFLAGS; pdump_save_LIBS=$LIBS
    CPPFLAGS="$CPPFLAGS $pdump_cflags"; LIBS="$pdump_libs $LIBS"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]],
        [[MPI_Request r; MPI_Comm c;
          return PMPI_Comm_idup(MPI_COMM_WORLD, &c, &r);]])],
        [pdump_soname=`${OBJDUMP-objdump} -p conftest$EXEEXT |
            sed -n 's/.*NEEDED *\(libmp[[^ ]]*\).*/\1/p' | sed 1q`])
    AC_PREPROC_IFELSE([AC_LANG_SOURCE([[
#include <mpi.h>
#if defined I_MPI_VERSION
pdump_begin "othermpi Intel MPI" I_MPI_VERSION pdump_end
#elif defined MVAPICH2_VERSION
pdump_begin "othermpi MVAPICH" MVAPICH2_VERSION pdump_end
#elif defined OMPI_MAJOR_VERSION
pdump_begin "openmpi Open MPI"
OMPI_MAJOR_VERSION.OMPI_MINOR_VERSION.OMPI_RELEASE_VERSION pdump_end
#elif defined MPICH_VERSION
pdump_begin "mpich MPICH" MPICH_VERSION pdump_end
#else
pdump_begin "othermpi MPI" MPI_VERSION.MPI_SUBVERSION pdump_end
#endif
]])], [
        # The preprocessor puts blanks and lines around what it replaced.
        pdump_about=`sed '/^#/d; s/"//g' conftest.i | tr '\n' ' ' |
            sed 's/.*pdump_begin *//; s/ *pdump_end.*//; s/  */ /g; s/ *\. */./g'`
        pdump_kind=`AS_ECHO(["$pdump_about"]) | sed 's/ .*//'`
        pdump_about=`AS_ECHO(["$pdump_about"]) | sed 's/^[[^ ]]* //'`
    ])
    CPPFLAGS=$pdump_save_CPPFLAGS; LIBS=$pdump_save_LIBS
])

# PDUMP_MPI_COMMAND(WHAT, COMMAND): the COMMAND beside pdump_wrapper is the WHAT
# of pdump_kind, if there is one.
AC_DEFUN([PDUMP_MPI_COMMAND], [
    pdump_command=`AS_ECHO(["$pdump_wrapper"]) |
        sed 's/mpicc\([[^/]]*\)$/$2\1/'`
    AS_IF([command -v "$pdump_command" >/dev/null 2>&1], [], [pdump_command=])
    eval "${pdump_kind}_$1=\$pdump_command"
])

# PDUMP_MPI_KEEP: pdump_wrapper's MPI is the one called pdump_kind.
AC_DEFUN([PDUMP_MPI_KEEP], [
    eval "have_$pdump_kind=yes"
    eval "${pdump_kind}_CFLAGS=\$pdump_cflags"
    eval "${pdump_kind}_LIBS=\$pdump_libs"
    eval "${pdump_kind}_SONAME=\$pdump_soname"
    eval "${pdump_kind}_CC=\$pdump_wrapper"
    PDUMP_MPI_COMMAND([FC], [mpifort])
    PDUMP_MPI_COMMAND([RUN], [mpirun])
    pdump_mpi_sonames="$pdump_mpi_sonames $pdump_soname"
    PDUMP_SUMMARY([MPI module], [yes ($pdump_about, $pdump_soname)])
])

# PDUMP_MPI_PLACE: which of the names is free for what was found?
AC_DEFUN([PDUMP_MPI_PLACE], [
    AS_CASE([" $pdump_mpi_sonames "],
        [*" $pdump_soname "*], [AC_MSG_RESULT([again $pdump_about])],
        [AC_MSG_RESULT([$pdump_about, $pdump_soname])
         eval "pdump_is_taken=\$have_$pdump_kind"
         AS_IF([test $pdump_is_taken = yes], [pdump_kind=othermpi])
         AS_IF([test $pdump_kind$have_othermpi != othermpiyes],
            [PDUMP_MPI_KEEP],
            [AC_MSG_WARN([no module for $pdump_about of $pdump_wrapper: a fourth MPI])])])
])

# PDUMP_MPI_LOOK: for what pdump_wrapper and pdump_shown stand for.
AC_DEFUN([PDUMP_MPI_LOOK], [
    AC_MSG_CHECKING([for the MPI of $pdump_wrapper])
    PDUMP_MPI_FLAGS
    PDUMP_MPI_TRY
    AS_IF([test -n "$pdump_soname"], [PDUMP_MPI_PLACE],
        [AC_MSG_RESULT([none that links])])
])

AC_DEFUN([PDUMP_MPI_LOOK_EVERYWHERE], [
    for pdump_wrapper in $MPICC mpicc.openmpi mpicc.mpich mpicc; do
        pdump_shown=`$pdump_wrapper -show 2>/dev/null`
        AS_IF([test -n "$pdump_shown"], [PDUMP_MPI_LOOK])
    done
    for pdump_wrapper in ompi-c mpich; do
        pdump_shown=`$PKG_CONFIG --cflags --libs $pdump_wrapper 2>/dev/null`
        AS_IF([test -n "$pdump_shown" &&
               test $have_openmpi$have_mpich$have_othermpi != yesyesyes],
            [PDUMP_MPI_LOOK])
    done
])

AC_DEFUN([PDUMP_WITH_MPI], [
    AC_ARG_VAR([MPICC], [the C compiler of an MPI to build a module for])
    AC_ARG_WITH([mpi],
        [AS_HELP_STRING([--with-mpi@<:@=PREFIX@:>@],
            [modules for every MPI, also that of MPICC @<:@auto@:>@])],
        [], [with_mpi=auto])
    m4_foreach_w([name], pdump_mpi_names, [have_[]name=no ])
    pdump_mpi_sonames= MPIS=
    AS_CASE([$with_mpi], [yes|no|auto], [], [
        MPICC=$with_mpi/bin/mpicc
        AS_IF([$MPICC -show >/dev/null 2>&1], [],
            [AC_MSG_ERROR([there is no $MPICC: give the PREFIX of an MPI, or set MPICC])])
    ])
    AS_IF([test "x$with_mpi" = xno], [
        PDUMP_SUMMARY([MPI module], [no (--without-mpi)])
    ], [
        PDUMP_MPI_LOOK_EVERYWHERE
        m4_foreach_w([name], pdump_mpi_names,
            [AS_IF([test $have_]name[ = yes], [MPIS="$MPIS name"])
        ])
        AS_IF([test -z "$MPIS"], [
            AS_IF([test "x$with_mpi" != xauto],
                [AC_MSG_ERROR([MPI was asked for but none can be used: install libopenmpi-dev or libmpich-dev (Debian, Ubuntu), or set MPICC])])
            PDUMP_SUMMARY([MPI module],
                [no (install libopenmpi-dev or libmpich-dev, or set MPICC)])
        ])
    ])
    m4_foreach_w([name], pdump_mpi_names, [
        m4_foreach_w([what], [CFLAGS LIBS SONAME CC FC RUN],
            [AC_SUBST(name[_]what)])
    ])
    AC_SUBST([MPIS])
    AM_CONDITIONAL([HAVE_MPI], [test -n "$MPIS"])
    # See tests/mpi/Makefile.am.
    AC_SUBST([MPI_PROGRAMS], ['$(mpi_programs)'])
    AC_SUBST([MPI_TESTS], ['$(mpi_tests)'])
])
