/* SPDX-License-Identifier: BSD-3-Clause */
/* How a program of unit tests ends. */
#ifndef PDUMP_TESTS_SUITE_H
#define PDUMP_TESTS_SUITE_H

#include <check.h>

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
