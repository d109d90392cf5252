# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_WITH_MPI: every MPI that is there.  --with-mpi[=PREFIX], --without-mpi.
#
# A module is built for each, as none can be used with another.  Up to three:
# OPENMPI, MPICH and OTHERMPI, which is of a third make, or a second release of
# the same make with another soname.  For each of these NAMEs:
#   NAME_CFLAGS, NAME_LIBS  to compile and link a C program
#   NAME_SONAME             of its library, "libmpi.so.40"
#   NAME_CC, NAME_FC, NAME_RUN  its commands, empty if there is none
#   HAVE_NAME               conditional; HAVE_MPI: any of them
#   have_name               yes or no, for other macros

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
    pdump_soname= pdump_kind=OTHERMPI pdump_about=
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
pdump_begin "OTHERMPI Intel MPI" I_MPI_VERSION pdump_end
#elif defined MVAPICH2_VERSION
pdump_begin "OTHERMPI MVAPICH" MVAPICH2_VERSION pdump_end
#elif defined OMPI_MAJOR_VERSION
pdump_begin "OPENMPI Open MPI"
OMPI_MAJOR_VERSION.OMPI_MINOR_VERSION.OMPI_RELEASE_VERSION pdump_end
#elif defined MPICH_VERSION
pdump_begin "MPICH MPICH" MPICH_VERSION pdump_end
#else
pdump_begin "OTHERMPI MPI" MPI_VERSION.MPI_SUBVERSION pdump_end
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

# PDUMP_MPI_KEEP(NAME): pdump_wrapper's MPI is NAME.
AC_DEFUN([PDUMP_MPI_KEEP], [
    AS_TR_SH([have_]m4_tolower([$1]))=yes
    $1_CFLAGS=$pdump_cflags
    $1_LIBS=$pdump_libs
    $1_SONAME=$pdump_soname
    $1_CC=$pdump_wrapper
    $1_FC=`AS_ECHO(["$pdump_wrapper"]) | sed 's/mpicc\([[^/]]*\)$/mpifort\1/'`
    $1_RUN=`AS_ECHO(["$pdump_wrapper"]) | sed 's/mpicc\([[^/]]*\)$/mpirun\1/'`
    AS_IF([command -v "$$1_FC" >/dev/null 2>&1], [], [$1_FC=])
    AS_IF([command -v "$$1_RUN" >/dev/null 2>&1], [], [$1_RUN=])
    PDUMP_SUMMARY([MPI module], [yes ($pdump_about, $pdump_soname)])
])

# PDUMP_MPI_PLACE: which of the names is free for what was found?
AC_DEFUN([PDUMP_MPI_PLACE], [
    AS_CASE([" $OPENMPI_SONAME $MPICH_SONAME $OTHERMPI_SONAME "],
        [*" $pdump_soname "*], [AC_MSG_RESULT([again $pdump_about])],
        [AC_MSG_RESULT([$pdump_about, $pdump_soname])
         AS_IF([test $pdump_kind = OPENMPI && test $have_openmpi = no],
                [PDUMP_MPI_KEEP([OPENMPI])],
            [test $pdump_kind = MPICH && test $have_mpich = no],
                [PDUMP_MPI_KEEP([MPICH])],
            [test $have_othermpi = no],
                [PDUMP_MPI_KEEP([OTHERMPI])],
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
    have_openmpi=no have_mpich=no have_othermpi=no
    AS_CASE([$with_mpi], [yes|no|auto], [], [
        MPICC=$with_mpi/bin/mpicc
        AS_IF([$MPICC -show >/dev/null 2>&1], [],
            [AC_MSG_ERROR([there is no $MPICC: give the PREFIX of an MPI, or set MPICC])])
    ])
    AS_IF([test "x$with_mpi" = xno], [
        PDUMP_SUMMARY([MPI module], [no (--without-mpi)])
    ], [
        PDUMP_MPI_LOOK_EVERYWHERE
        AS_CASE([$have_openmpi$have_mpich$have_othermpi], [*yes*], [], [
            AS_IF([test "x$with_mpi" != xauto],
                [AC_MSG_ERROR([MPI was asked for but none can be used: install libopenmpi-dev or libmpich-dev (Debian, Ubuntu), or set MPICC])])
            PDUMP_SUMMARY([MPI module],
                [no (install libopenmpi-dev or libmpich-dev, or set MPICC)])
        ])
    ])
    m4_foreach_w([name], [OPENMPI MPICH OTHERMPI], [
        m4_foreach_w([what], [CFLAGS LIBS SONAME CC FC RUN],
            [AC_SUBST(name[_]what)])
        AM_CONDITIONAL([HAVE_]name, [test $have_]m4_tolower(name)[ = yes])
    ])
    AM_CONDITIONAL([HAVE_MPI],
        [test $have_openmpi$have_mpich$have_othermpi != nonono])
    # See tests/mpi/Makefile.am.
    AC_SUBST([MPI_TESTS],
        ['$(openmpi_tests) $(mpich_tests) $(othermpi_tests)'])
])
