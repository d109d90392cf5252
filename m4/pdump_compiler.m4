# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_COMPILER: C11, our warnings, and what makes the hot path fast.

# PDUMP_TRY_CFLAG(VARIABLE, FLAG): append FLAG if the compiler takes it.
AC_DEFUN([PDUMP_TRY_CFLAG], [
    AC_MSG_CHECKING([whether $CC takes $2])
    pdump_save_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS -Werror $2"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[static __thread int x;]], [[x = 1;]])],
        [AC_MSG_RESULT([yes]); $1="$$1 $2"],
        [AC_MSG_RESULT([no])])
    CFLAGS=$pdump_save_CFLAGS
])

AC_DEFUN([PDUMP_COMPILER], [
    m4_foreach_w([flag], [-Wall -Wextra -Wshadow -Wstrict-prototypes
        -Wmissing-prototypes -Wconversion -Wno-sign-conversion],
        [PDUMP_TRY_CFLAG([PDUMP_CFLAGS], flag)])
    AC_ARG_ENABLE([werror],
        [AS_HELP_STRING([--enable-werror], [warnings are errors (for CI)])],
        [AS_IF([test "x$enableval" = xyes],
            [PDUMP_CFLAGS="$PDUMP_CFLAGS -Werror"])])
    # TLS descriptors: a thread-local variable of a shared library costs an
    # indirect call of 3 instructions instead of __tls_get_addr.
    AS_CASE([$host_cpu], [x86_64|i?86],
        [PDUMP_TRY_CFLAG([PDUMP_HOT_CFLAGS], [-mtls-dialect=gnu2])])
    # libpdump is loaded into every process of a run: with libm only if the
    # compiler makes calls of these.
    PDUMP_TRY_CFLAG([PDUMP_CFLAGS], [-fno-math-errno])
    pdump_save_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS $PDUMP_CFLAGS"
    AC_MSG_CHECKING([whether square roots need libm])
    PDUMP_LIBM=-lm
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <math.h>
        volatile double x = 2;]],
        [[return (int)(sqrt(x) + floor(x) + ceil(x) + trunc(x));]])],
        [AC_MSG_RESULT([no]); PDUMP_LIBM=], [AC_MSG_RESULT([yes])])
    CFLAGS=$pdump_save_CFLAGS
    AC_SUBST([PDUMP_LIBM])
    PDUMP_TRY_CFLAG([PDUMP_NO_CET_CFLAGS], [-fcf-protection=none])
    AC_SUBST([PDUMP_NO_CET_CFLAGS])
    AC_SUBST([PDUMP_CFLAGS])
    AC_SUBST([PDUMP_HOT_CFLAGS])
    AM_CONDITIONAL([HAVE_CXX], [test -n "$CXX" && $CXX --version >/dev/null 2>&1])
    PDUMP_SUMMARY([C compiler], [$CC ($CFLAGS)])
])
