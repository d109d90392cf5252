# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_WITH_PAPI: hardware counters.  --with-papi[=PREFIX], --without-papi.
# libpdump loads PAPI when an event needs it: PAPI_LOAD_CPPFLAGS says its soname,
# PAPI_LOAD_LIBS has the search paths.  A PAPI without a shared library is linked.
AC_DEFUN([PDUMP_WITH_PAPI], [
    AC_ARG_WITH([papi],
        [AS_HELP_STRING([--with-papi@<:@=PREFIX@:>@],
            [hardware counters by PAPI @<:@auto@:>@])],
        [], [with_papi=auto])
    have_papi=no pdump_soname=
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
            [have_papi=yes
             pdump_soname=`${OBJDUMP-objdump} -p conftest$EXEEXT |
                sed -n 's/.*NEEDED *\(libpapi[[^ ]]*\).*/\1/p' | sed 1q`])
        AC_MSG_RESULT([$have_papi])
        CPPFLAGS=$pdump_save_CPPFLAGS; LIBS=$pdump_save_LIBS
        PAPI_LOAD_LIBS=$PAPI_LIBS
        AS_IF([test -n "$pdump_soname"], [
            PAPI_LOAD_CPPFLAGS="-DPDUMP_PAPI_SONAME='\"$pdump_soname\"'"
            PAPI_LOAD_LIBS=`echo " $PAPI_LIBS" | sed 's/ -l[[^ ]]*//g'`
        ])
        AS_IF([test $have_papi = yes], [
            pdump_papi_version=`$PKG_CONFIG --modversion papi 2>/dev/null`
            pdump_papi_report="yes (${pdump_papi_version:-$with_papi})"
        ], [
            AS_IF([test "x$with_papi" != xauto],
                [AC_MSG_ERROR([PAPI was asked for but cannot be used: install libpapi-dev (Debian, Ubuntu) or papi-devel (Fedora), or give --with-papi=PREFIX])])
            pdump_papi_report="no (install libpapi-dev or papi-devel, or give --with-papi=PREFIX)"
        ])
    ])
    AC_SUBST([PAPI_LOAD_CPPFLAGS])
    AC_SUBST([PAPI_LOAD_LIBS])
    AM_CONDITIONAL([HAVE_PAPI], [test $have_papi = yes])
    PDUMP_SUMMARY([PAPI counters], [$pdump_papi_report])
])
