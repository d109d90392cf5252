# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_WITH_PYTHON: a Python that has cffi; PYTHON= chooses.  Sets HAVE_PYTHON,
# PYTHON and pythondir, where the package goes: below the prefix, to a folder
# that this Python searches by itself if there is one.
AC_DEFUN([PDUMP_WITH_PYTHON], [
    AC_ARG_VAR([PYTHON], [the Python interpreter to use])
    AC_ARG_VAR([pythondir], [where the Python package is installed])
    AC_ARG_WITH([python],
        [AS_HELP_STRING([--with-python], [Python package @<:@auto@:>@])],
        [], [with_python=auto])
    pdump_python=no
    pdump_python_report="no (--without-python)"
    AS_IF([test "x$with_python" != xno], [
        AC_MSG_CHECKING([for a Python with cffi])
        for pdump_try in $PYTHON python3 /usr/bin/python3; do
            AS_IF([test $pdump_python = no && $pdump_try -c 'import sys, cffi
sys.exit(sys.version_info < (3, 9))' >/dev/null 2>&1],
                [pdump_python=`$pdump_try -c 'import sys; print(sys.executable)'`])
            # A choice is a choice.
            AS_IF([test -n "$PYTHON"], [break])
        done
        AC_MSG_RESULT([$pdump_python])
        AS_IF([test "$pdump_python" != no], [
            PYTHON=$pdump_python
            PDUMP_PYTHON_DIR
            pdump_python_report="yes ($PYTHON)"
        ], [test "x$with_python" != xauto], [
            AC_MSG_ERROR([Python was asked for, but ${PYTHON:-python3} is older than 3.9 or has no cffi: install python3-cffi or set PYTHON])
        ], [
            pdump_python_report="no (${PYTHON:-python3} has no cffi: install python3-cffi or set PYTHON)"
        ])
    ])
    AM_CONDITIONAL([HAVE_PYTHON], [test "$pdump_python" != no])
    PDUMP_SUMMARY([Python package], [$pdump_python_report])
])

# The folder of sys.path below the prefix, or lib/pythonX.Y/site-packages there.
AC_DEFUN([PDUMP_PYTHON_DIR], [
    AC_MSG_CHECKING([where the Python package goes])
    pdump_prefix=$prefix
    AS_IF([test "x$pdump_prefix" = xNONE], [pdump_prefix=$ac_default_prefix])
    AS_IF([test -z "$pythondir"],
        [pythondir=`$PYTHON -c '
import os, site, sys, sysconfig
prefix = os.path.normpath(sys.argv.pop())
folder = "lib/python%s/site-packages" % sysconfig.get_python_version()
for path in site.getsitepackages():
    if path.startswith(os.path.join(prefix, "lib", "python")):
        folder = os.path.relpath(path, prefix)
        break
print("@S|@{prefix}/" + folder)' "$pdump_prefix"`])
    AC_MSG_RESULT([$pythondir])
])
