# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_WITH_LIBDW: names of functions and source lines by libdw, of elfutils.
# --with-libdw[=PREFIX], --without-libdw.
AC_DEFUN([PDUMP_WITH_LIBDW], [
    AC_ARG_WITH([libdw],
        [AS_HELP_STRING([--with-libdw@<:@=PREFIX@:>@],
            [functions and lines of code by libdw (elfutils) @<:@auto@:>@])],
        [], [with_libdw=auto])
    have_libdw=no
    pdump_libdw_report="no (--without-libdw; names of exported functions only)"
    AS_IF([test "x$with_libdw" != xno], [
        AS_CASE([$with_libdw], [yes|auto], [], [
            LIBDW_CFLAGS=${LIBDW_CFLAGS:-"-I$with_libdw/include"}
            LIBDW_LIBS=${LIBDW_LIBS:-"-L$with_libdw/lib -Wl,-rpath,$with_libdw/lib -ldw -lelf"}
        ])
        PKG_CHECK_MODULES([LIBDW], [libdw libelf],
            [pdump_libdw_try=yes],
            [LIBDW_LIBS=${LIBDW_LIBS:-"-ldw -lelf"}])
        pdump_save_CPPFLAGS=$CPPFLAGS; pdump_save_LIBS=$LIBS
        CPPFLAGS="$CPPFLAGS $LIBDW_CFLAGS"; LIBS="$LIBDW_LIBS $LIBS"
        AC_MSG_CHECKING([for a libdw that links])
        AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <elfutils/libdwfl.h>]],
            [[return dwfl_begin((void *)0) != 0;]])],
            [have_libdw=yes])
        AC_MSG_RESULT([$have_libdw])
        CPPFLAGS=$pdump_save_CPPFLAGS; LIBS=$pdump_save_LIBS
        AS_IF([test $have_libdw = yes], [
            pdump_libdw_version=`$PKG_CONFIG --modversion libdw 2>/dev/null`
            pdump_libdw_report="yes (libdw ${pdump_libdw_version:-$with_libdw})"
        ], [
            AS_IF([test "x$with_libdw" != xauto],
                [AC_MSG_ERROR([libdw was asked for but cannot be used: install libdw-dev (Debian, Ubuntu) or elfutils-devel (Fedora), or give --with-libdw=PREFIX])])
            pdump_libdw_report="no (install libdw-dev or elfutils-devel; names of exported functions only)"
        ])
    ])
    AM_CONDITIONAL([HAVE_LIBDW], [test $have_libdw = yes])
    PDUMP_SUMMARY([Code symbols], [$pdump_libdw_report])
])
