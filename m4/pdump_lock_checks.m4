# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_LOCK_CHECKS: --enable-lock-checks, for the tests (libpdump/system/lock.h).
AC_DEFUN([PDUMP_LOCK_CHECKS], [
    AC_ARG_ENABLE([lock-checks],
        [AS_HELP_STRING([--enable-lock-checks],
            [abort where a lock is held and foreign code is called])],
        [], [enable_lock_checks=no])
    AS_IF([test "x$enable_lock_checks" != xno],
        [PDUMP_LOCK_CFLAGS='-include $(top_srcdir)/libpdump/system/lock_checks.h'])
    AC_SUBST([PDUMP_LOCK_CFLAGS])
    AM_CONDITIONAL([LOCK_CHECKS], [test "x$enable_lock_checks" != xno])
])
