/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of what the variables of launchers tell of a job. */
#include "job/job.h"
#include "suite.h"

#include <check.h>
#include <stdlib.h>

static char name[40];

/* The name of the run if this variable is set, too, or not (NULL). */
static const char *name_with(const char *variable, const char *value)
{
    if (value)
        setenv(variable, value, 1);
    else
        unsetenv(variable);
    pdump_job_name(name, sizeof(name));
    return name;
}

static void forget(void)
{
    static const char *const names[] = {
        "OMPI_COMM_WORLD_RANK", "PMIX_RANK",      "PMI_RANK",
        "MV2_COMM_WORLD_RANK",  "PMIX_NAMESPACE", "SLURM_JOB_ID",
        "SLURM_STEP_ID",        "SLURM_PROCID",   "SLURM_STEP_NUM_TASKS",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        unsetenv(names[i]);
}

static void in_batch_script(void)
{
    setenv("SLURM_JOB_ID", "17", 1);
    setenv("SLURM_PROCID", "0", 1);
}

static void in_step(const char *number, const char *n_tasks)
{
    in_batch_script();
    setenv("SLURM_STEP_ID", number, 1);
    setenv("SLURM_STEP_NUM_TASKS", n_tasks, 1);
}

START_TEST(a_process_without_a_launcher_is_in_no_job)
{
    ck_assert_str_eq(name_with("PMIX_NAMESPACE", NULL), "");
    ck_assert_int_eq(pdump_job_guess_rank(), -1);
}
END_TEST

START_TEST(programs_of_a_batch_script_are_runs_of_their_own)
{
    in_batch_script();
    ck_assert_str_eq(name_with("PMIX_NAMESPACE", NULL), "");
    ck_assert_int_eq(pdump_job_guess_rank(), -1);
}
END_TEST

START_TEST(a_single_task_of_srun_is_a_run_of_its_own)
{
    in_step("2", "1");
    ck_assert_str_eq(name_with("PMIX_NAMESPACE", NULL), "");
}
END_TEST

START_TEST(each_step_of_a_batch_job_is_a_run)
{
    in_step("2", "4");
    setenv("SLURM_PROCID", "3", 1);
    ck_assert_str_eq(name_with("PMI_RANK", "3"), "17_2");
    ck_assert_str_eq(name_with("SLURM_STEP_ID", "3"), "17_3");
    ck_assert_str_eq(name_with("PMI_RANK", NULL), "17_3");
    ck_assert_int_eq(pdump_job_guess_rank(), 3);
}
END_TEST

START_TEST(each_mpirun_of_a_batch_script_is_a_run)
{
    in_batch_script();
    ck_assert_str_ne(name_with("PMI_RANK", "1"), "");
    ck_assert_ptr_null(strstr(name, "17_"));
    ck_assert_str_ne(name, "17");
}
END_TEST

START_TEST(a_name_that_the_launcher_gives_is_taken)
{
    in_step("2", "4");
    setenv("PMIX_RANK", "1", 1);
    ck_assert_str_eq(name_with("PMIX_NAMESPACE", "slurm.pmix.17.2"),
                     "slurm_pmix_17_2");
}
END_TEST

START_TEST(jobs_with_long_names_stay_apart)
{
    setenv("PMIX_RANK", "1", 1);
    ck_assert_str_eq(
        name_with("PMIX_NAMESPACE",
                  "prterun-login0001.cluster.example.org-123456@1"),
        "_login0001_cluster_example_org_123456_1");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("job");
    TCase *t = tcase_create("job");

    tcase_add_checked_fixture(t, forget, NULL);
    tcase_add_test(t, a_process_without_a_launcher_is_in_no_job);
    tcase_add_test(t, programs_of_a_batch_script_are_runs_of_their_own);
    tcase_add_test(t, a_single_task_of_srun_is_a_run_of_its_own);
    tcase_add_test(t, each_step_of_a_batch_job_is_a_run);
    tcase_add_test(t, each_mpirun_of_a_batch_script_is_a_run);
    tcase_add_test(t, a_name_that_the_launcher_gives_is_taken);
    tcase_add_test(t, jobs_with_long_names_stay_apart);
    suite_add_tcase(s, t);
    return suite_run(s);
}
