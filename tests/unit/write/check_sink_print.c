/* SPDX-License-Identifier: BSD-3-Clause */
/* Printed files: what is in them is what was meant to be. */
#include "write/sink.h"
#include "suite.h"
#include "base/checksum.h"
#include "new_file_kit.h"

#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/pdump-print-XXXXXX";

static void go_there(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static void leave(void)
{
    unlink("x");
    ck_assert_int_eq(chdir("/"), 0);
    rmdir(folder);
}

static uint64_t sum_of(const char *bytes, size_t len, size_t step)
{
    struct pdump_checksum sum = { .len = 0 };

    for (size_t i = 0; i < len; i += step)
        pdump_checksum_add(&sum, bytes + i, len - i < step ? len - i : step);
    return pdump_checksum_value(&sum);
}

START_TEST(a_sum_does_not_depend_on_how_bytes_are_cut)
{
    char bytes[1000];
    uint64_t whole;

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)(i * i + 7);
    whole = sum_of(bytes, sizeof(bytes), sizeof(bytes));
    for (size_t step = 1; step < 100; step++)
        ck_assert_uint_eq(sum_of(bytes, sizeof(bytes), step), whole);
}
END_TEST

START_TEST(every_change_of_a_byte_changes_the_sum)
{
    char bytes[200] = { 0 };
    uint64_t whole = sum_of(bytes, sizeof(bytes), 64);

    for (size_t i = 0; i < sizeof(bytes); i++)
        for (int bit = 0; bit < 8; bit++) {
            bytes[i] = (char)(1 << bit);
            ck_assert_uint_ne(sum_of(bytes, sizeof(bytes), 64), whole);
            bytes[i] = 0;
        }
    for (size_t len = 0; len < sizeof(bytes); len++)
        ck_assert_uint_ne(sum_of(bytes, len, 64), whole);
    bytes[3] = 1; /* and places */
    whole = sum_of(bytes, sizeof(bytes), 64);
    bytes[3] = 0;
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = 1;
        ck_assert_int_eq(sum_of(bytes, sizeof(bytes), 64) == whole, i == 3);
        bytes[i] = 0;
    }
}
END_TEST

/* What a bad disk does to the file while it is being printed. */
struct harm {
    size_t lines;
    void (*harm)(void);
};

static int print_lines(FILE *f, void *data)
{
    const struct harm *h = data;

    for (size_t i = 0; i < h->lines; i++)
        fprintf(f, "%zu,%g\n", i, 0.5);
    fflush(f);
    if (h->harm)
        h->harm();
    return PDUMP_OK;
}

static off_t size_of_x(void)
{
    struct stat st;

    ck_assert_int_eq(stat("x", &st), 0);
    return st.st_size;
}

static void change_a_byte(void)
{
    int fd = open("x", O_WRONLY);

    ck_assert_int_eq(pwrite(fd, "#", 1, size_of_x() / 2), 1);
    close(fd);
}

static void cut_it(void)
{
    ck_assert_int_eq(truncate("x", size_of_x() - 1), 0);
}

static void lengthen_it(void)
{
    ck_assert_int_eq(truncate("x", size_of_x() + 1), 0);
}

/* Prints to a file that is empty. */
static int print_to(const char *path, int (*put)(FILE *f, void *data),
                    void *data)
{
    struct pdump_new_file file =
        new_file_open(path, O_RDWR | O_CREAT | O_TRUNC);
    int err = pdump_sink_print(&file, put, data);

    close(file.fd);
    return err;
}

START_TEST(a_file_is_as_it_was_printed)
{
    struct harm h = { .lines = (size_t)_i };

    ck_assert_msg(print_to("x", print_lines, &h) == PDUMP_OK, "%s",
                  pdump_last_error());
    ck_assert_int_eq(size_of_x(), _i == 0 ? 0 : _i == 1 ? 6 : 988890);
}
END_TEST

START_TEST(bytes_that_do_not_arrive_are_noticed)
{
    static void (*const harms[])(void) = { change_a_byte, cut_it, lengthen_it };
    struct harm h = { 100000, harms[_i] };

    ck_assert_int_eq(print_to("x", print_lines, &h), PDUMP_EIO);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "x: the file differs"));
}
END_TEST

static int fail_to_print(FILE *f, void *data)
{
    (void)data;
    fputs("half", f);
    return pdump_fail(PDUMP_EPEER, "a rank is gone");
}

START_TEST(the_first_error_is_told)
{
    ck_assert_int_eq(print_to("x", fail_to_print, NULL), PDUMP_EPEER);
    ck_assert_str_eq(pdump_last_error(), "a rank is gone");
    ck_assert_int_eq(
        print_to("/dev/full", print_lines, &(struct harm){ 9, NULL }),
        PDUMP_EIO);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "No space left"));
    ck_assert_int_eq(print_to("no/x", print_lines, &(struct harm){ 9, NULL }),
                     PDUMP_EIO);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("print");
    TCase *tcase = tcase_create("print");

    tcase_add_checked_fixture(tcase, go_there, leave);
    tcase_add_test(tcase, a_sum_does_not_depend_on_how_bytes_are_cut);
    tcase_add_test(tcase, every_change_of_a_byte_changes_the_sum);
    tcase_add_loop_test(tcase, a_file_is_as_it_was_printed, 0, 2);
    tcase_add_loop_test(tcase, a_file_is_as_it_was_printed, 100000, 100001);
    tcase_add_loop_test(tcase, bytes_that_do_not_arrive_are_noticed, 0, 3);
    tcase_add_test(tcase, the_first_error_is_told);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
