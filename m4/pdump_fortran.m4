# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_WITH_FORTRAN: the compiled Fortran module.  --with-fortran, --without.
AC_DEFUN([PDUMP_WITH_FORTRAN], [
    AC_ARG_WITH([fortran],
        [AS_HELP_STRING([--with-fortran],
            [compile the Fortran module, with FC @<:@auto@:>@])],
        [], [with_fortran=auto])
    have_fc=no
    pdump_fc_report="no (--without-fortran; pdump.f90 is installed as source)"
    AS_IF([test "x$with_fortran" != xno], [
        AS_IF([test -n "$FC"], [
            AC_LANG_PUSH([Fortran])
            AC_MSG_CHECKING([whether $FC knows Fortran 2003])
            AC_FC_SRCEXT([f90])
            AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
      program p
      use, intrinsic :: iso_c_binding, only: c_int
      end program
]])], [have_fc=yes])
            AC_MSG_RESULT([$have_fc])
            AC_LANG_POP([Fortran])
        ])
        AS_IF([test $have_fc = yes],
            [pdump_fc_report="yes ($FC)"],
            [test "x$with_fortran" != xauto],
            [AC_MSG_ERROR([Fortran was asked for but there is no working compiler: install gfortran or set FC])],
            [pdump_fc_report="no (install gfortran or set FC; pdump.f90 is installed as source)"])
    ])
    AM_CONDITIONAL([HAVE_FC], [test $have_fc = yes])
    PDUMP_SUMMARY([Fortran module], [$pdump_fc_report])
])
