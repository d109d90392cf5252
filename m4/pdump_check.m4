# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_WITH_CHECK: the unit tests' framework.
AC_DEFUN([PDUMP_WITH_CHECK], [
    AC_ARG_WITH([check],
        [AS_HELP_STRING([--with-check], [unit tests with Check @<:@auto@:>@])],
        [], [with_check=auto])
    have_check=no
    pdump_check_report="no (--without-check)"
    AS_IF([test "x$with_check" != xno], [
        PKG_CHECK_MODULES([CHECK], [check >= 0.11], [have_check=yes], [:])
        AS_IF([test $have_check = yes],
            [pdump_check_report="yes (Check `$PKG_CONFIG --modversion check`)"],
            [test "x$with_check" != xauto],
            [AC_MSG_ERROR([Check was asked for but is not there: install check (Debian, Ubuntu) or check-devel (Fedora)])],
            [pdump_check_report="no (install check or check-devel; the other tests run)"])
    ])
    AM_CONDITIONAL([HAVE_CHECK], [test $have_check = yes])
    PDUMP_SUMMARY([unit tests], [$pdump_check_report])
])
