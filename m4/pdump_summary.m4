# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_SUMMARY(WHAT, REPORT): a line of the table at configure's end.
AC_DEFUN([PDUMP_SUMMARY], [
    pdump_line=`printf '  %-18s %s' "$1" "$2"`
    pdump_summary="$pdump_summary
$pdump_line"
])

AC_DEFUN([PDUMP_SUMMARY_PRINT], [
    AS_ECHO(["
$PACKAGE_NAME $PACKAGE_VERSION, for $prefix
$pdump_summary
"])
])
