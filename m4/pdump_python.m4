# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_WITH_PYTHON: a Python that has cffi; PYTHON= chooses.
AC_DEFUN([PDUMP_WITH_PYTHON], [
    AC_ARG_VAR([PYTHON], [the Python interpreter to use])
    AC_ARG_WITH([python],
        [AS_HELP_STRING([--with-python], [Python package @<:@auto@:>@])],
        [], [with_python=auto])
    pdump_python_report="no (--without-python)"
    AS_IF([test "x$with_python" != xno], [
        AC_MSG_CHECKING([for a Python with cffi])
        pdump_python=no
        for pdump_try in $PYTHON python3 /usr/bin/python3; do
            AS_IF([test $pdump_python = no &&
                   $pdump_try -c 'import cffi' >/dev/null 2>&1],
                [pdump_python=$pdump_try])
        done
        AC_MSG_RESULT([$pdump_python])
        AS_IF([test $pdump_python != no], [
            PYTHON=$pdump_python
            pdump_python_report="found ($PYTHON), not used: this release has no Python package"
        ], [test "x$with_python" != xauto], [
            AC_MSG_ERROR([Python was asked for but none has cffi: install python3-cffi or set PYTHON])
        ], [
            pdump_python_report="no (install python3-cffi or set PYTHON)"
        ])
    ])
    PDUMP_SUMMARY([Python package], [$pdump_python_report])
])
