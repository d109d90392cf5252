# SPDX-License-Identifier: BSD-3-Clause
# PDUMP_WITH_STACKS: whether stacks can be walked on this processor.
AC_DEFUN([PDUMP_WITH_STACKS], [
    have_stacks=no
    pdump_stacks_report="no (not for this processor or system)"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <signal.h>
        #include <sys/uio.h>
        #include <ucontext.h>]],
        [[#if !(defined __linux__ && (defined __x86_64__ || \
                defined __aarch64__) && defined __LP64__)
          #error
          #endif
          return process_vm_readv(0, 0, 0, 0, 0, 0) + SIGEV_THREAD_ID;]])],
        [have_stacks=yes; pdump_stacks_report=yes])
    AM_CONDITIONAL([HAVE_STACKS], [test $have_stacks = yes])
    PDUMP_SUMMARY([stacks], [$pdump_stacks_report])
])
