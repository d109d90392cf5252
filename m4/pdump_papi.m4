# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_WITH_PAPI: hardware counters.  --with-papi[=PREFIX], --without-papi.
AC_DEFUN([PDUMP_WITH_PAPI], [
    AC_ARG_WITH([papi],
        [AS_HELP_STRING([--with-papi@<:@=PREFIX@:>@],
            [hardware counters by PAPI @<:@auto@:>@])],
        [], [with_papi=auto])
    have_papi=no
    pdump_papi_report="no (--without-papi; clock and rusage metrics only)"
    AS_IF([test "x$with_papi" != xno], [
        AS_CASE([$with_papi], [yes|auto], [], [
            PAPI_CFLAGS=${PAPI_CFLAGS:-"-I$with_papi/include"}
            PAPI_LIBS=${PAPI_LIBS:-"-L$with_papi/lib -Wl,-rpath,$with_papi/lib -lpapi"}
        ])
        PKG_CHECK_MODULES([PAPI], [papi],
            [pdump_papi_try=yes],
            [PAPI_LIBS=${PAPI_LIBS:--lpapi}])
        pdump_save_CPPFLAGS=$CPPFLAGS; pdump_save_LIBS=$LIBS
        CPPFLAGS="$CPPFLAGS $PAPI_CFLAGS"; LIBS="$PAPI_LIBS $LIBS"
        AC_MSG_CHECKING([for a PAPI that links])
        AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <papi.h>]],
            [[return PAPI_library_init(PAPI_VER_CURRENT);]])],
            [have_papi=yes])
        AC_MSG_RESULT([$have_papi])
        CPPFLAGS=$pdump_save_CPPFLAGS; LIBS=$pdump_save_LIBS
        AS_IF([test $have_papi = yes], [
            pdump_papi_version=`$PKG_CONFIG --modversion papi 2>/dev/null`
            pdump_papi_report="yes (${pdump_papi_version:-$with_papi})"
        ], [
            AS_IF([test "x$with_papi" != xauto],
                [AC_MSG_ERROR([PAPI was asked for but cannot be used: install libpapi-dev (Debian, Ubuntu) or papi-devel (Fedora), or give --with-papi=PREFIX])])
            pdump_papi_report="no (install libpapi-dev or papi-devel, or give --with-papi=PREFIX)"
        ])
    ])
    AM_CONDITIONAL([HAVE_PAPI], [test $have_papi = yes])
    PDUMP_SUMMARY([PAPI counters], [$pdump_papi_report])
])
