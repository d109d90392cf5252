# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_SANITIZERS: --enable-sanitizers=address,undefined or =thread.
AC_DEFUN([PDUMP_SANITIZERS], [
    AC_ARG_ENABLE([sanitizers],
        [AS_HELP_STRING([--enable-sanitizers=LIST],
            [build with the compiler's sanitizers: address,undefined or thread])],
        [], [enable_sanitizers=no])
    AS_CASE([$enable_sanitizers],
        [no], [],
        [yes], [enable_sanitizers=address,undefined])
    AS_IF([test "x$enable_sanitizers" != xno], [
        PDUMP_TRY_CFLAG([PDUMP_CFLAGS], [-Wno-tsan])
        PDUMP_TRY_CFLAG([PDUMP_SANITIZE],
            [-fsanitize=$enable_sanitizers])
        AS_IF([test -z "$PDUMP_SANITIZE"],
            [AC_MSG_ERROR([$CC has no -fsanitize=$enable_sanitizers; install its runtime (libasan, libtsan) or leave --enable-sanitizers out])])
        CFLAGS="$CFLAGS $PDUMP_SANITIZE -fno-omit-frame-pointer"
        CXXFLAGS="$CXXFLAGS $PDUMP_SANITIZE -fno-omit-frame-pointer"
        FCFLAGS="$FCFLAGS $PDUMP_SANITIZE"
        # The sanitizers' runtime is in the program, not in the library.
        AC_SUBST([PDUMP_NO_UNDEFINED], [])
    ], [
        AC_SUBST([PDUMP_NO_UNDEFINED], ["-no-undefined -Wl,-z,defs"])
    ])
    AC_SUBST([PDUMP_SANITIZERS], [$enable_sanitizers])
    AM_CONDITIONAL([THREAD_SANITIZER], [test "x$enable_sanitizers" = xthread])
    AM_CONDITIONAL([SANITIZED], [test "x$enable_sanitizers" != xno])
    PDUMP_SUMMARY([sanitizers], [$enable_sanitizers])
])
