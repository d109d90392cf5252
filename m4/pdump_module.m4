# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_WITH_MODULE(NAME, WHAT, PKG-CONFIG NAMES, HOW TO INSTALL)
#
# A foreign library that only a module needs: looked for and reported, and an
# error if asked for and missing.  Sets have_NAME and pdump_NAME_pkg to the
# first pkg-config name found.
AC_DEFUN([PDUMP_WITH_MODULE], [
    AC_ARG_WITH([$1],
        [AS_HELP_STRING([--with-$1], [$2 module @<:@auto@:>@])],
        [], [with_$1=auto])
    have_$1=no
    pdump_$1_report="no (--without-$1)"
    AS_IF([test "x$with_$1" != xno], [
        AC_MSG_CHECKING([for $2])
        for pdump_pkg in $3; do
            AS_IF([test $have_$1 = no && $PKG_CONFIG --exists $pdump_pkg],
                [have_$1=yes; pdump_$1_pkg=$pdump_pkg])
        done
        AC_MSG_RESULT([$have_$1])
        AS_IF([test $have_$1 = yes], [
            pdump_$1_report="found ($pdump_$1_pkg `$PKG_CONFIG --modversion $pdump_$1_pkg`), not used: this release has no $2 module"
        ], [test "x$with_$1" != xauto], [
            AC_MSG_ERROR([$2 was asked for but is not there: $4])
        ], [
            pdump_$1_report="no ($4)"
        ])
    ])
    PDUMP_SUMMARY([$2], [$pdump_$1_report])
])
