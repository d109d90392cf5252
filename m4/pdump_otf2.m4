# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_WITH_OTF2: traces for Vampir and others by OTF2, 3.0 or newer.
# --with-otf2[=PREFIX], --without-otf2.
AC_DEFUN([PDUMP_WITH_OTF2], [
    AC_ARG_WITH([otf2],
        [AS_HELP_STRING([--with-otf2@<:@=PREFIX@:>@],
            [traces in the format OTF2 @<:@auto@:>@])],
        [], [with_otf2=auto])
    AC_ARG_VAR([OTF2_CFLAGS], [C compiler flags for OTF2])
    AC_ARG_VAR([OTF2_LIBS], [linker flags for OTF2])
    have_otf2=no
    pdump_otf2_report="no (--without-otf2)"
    AS_IF([test "x$with_otf2" != xno], [
        AS_CASE([$with_otf2], [yes|auto], [], [
            OTF2_CFLAGS=${OTF2_CFLAGS:-"-I$with_otf2/include"}
            OTF2_LIBS=${OTF2_LIBS:-"-L$with_otf2/lib -Wl,-rpath,$with_otf2/lib -lotf2"}
        ])
        pdump_save_CPPFLAGS=$CPPFLAGS; pdump_save_LIBS=$LIBS
        AC_MSG_CHECKING([for an OTF2 that links])
        # Debian has it under another name, too.
        for pdump_libs in "${OTF2_LIBS:--lotf2}" -lopen-trace-format2; do
            AS_IF([test $have_otf2 = yes], [break])
            CPPFLAGS="$pdump_save_CPPFLAGS $OTF2_CFLAGS"
            LIBS="$pdump_libs $pdump_save_LIBS"
            AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <otf2/otf2.h>]],
                [[return OTF2_GlobalDefWriter_WriteClockProperties(0, 1, 0, 1,
                    OTF2_UNDEFINED_TIMESTAMP) != OTF2_SUCCESS;]])],
                [have_otf2=yes OTF2_LIBS=$pdump_libs])
        done
        AC_MSG_RESULT([$have_otf2])
        CPPFLAGS=$pdump_save_CPPFLAGS; LIBS=$pdump_save_LIBS
        AS_IF([test $have_otf2 = yes], [
            pdump_otf2_report="yes ($OTF2_LIBS)"
        ], [
            AS_IF([test "x$with_otf2" != xauto],
                [AC_MSG_ERROR([OTF2 was asked for but cannot be used: install libotf2-trace-dev (Debian, Ubuntu) or otf2-devel (Fedora), 3.0 or newer, or give --with-otf2=PREFIX])])
            pdump_otf2_report="no (install libotf2-trace-dev or otf2-devel, 3.0 or newer)"
        ])
    ])
    AM_CONDITIONAL([HAVE_OTF2], [test $have_otf2 = yes])
    PDUMP_SUMMARY([OTF2 module], [$pdump_otf2_report])
])
