/* SPDX-License-Identifier: BSD-3-Clause */
/* How a program of unit tests ends. */
#ifndef PDUMP_TESTS_SUITE_H
#define PDUMP_TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>

/* Check gives a test 4 seconds, which a machine with much else to do may take
 * for anything.  A test that hangs is all that a limit is for. */
__attribute__((constructor)) static void be_patient(void)
{
    setenv("CK_DEFAULT_TIMEOUT", "300", 0);
}

/* Run all tests of a suite, and free it; the exit code of main(). */
static inline int suite_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    int n_failed;

    srunner_run_all(runner, CK_ENV);
    n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed ? 1 : 0;
}

#endif
