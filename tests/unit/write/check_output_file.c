/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of output files: what is in the way is never hurt. */
#include "path_kit.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

START_TEST(a_missing_folder_is_made)
{
    set.dir = "out/a/b";
    ck_assert_int_eq(put(), PDUMP_OK);
    ck_assert_str_eq(where, "out/a/b/dump.txt");
    ck_assert_str_eq(text_of("out/a/b/dump.txt"), "new");
    ck_assert_str_eq(text_of("out/a/b/dump.more.txt"), "new");
    ck_assert_int_eq(n_files("out/a/b"), 2); /* no temporary ones */
    ck_assert_int_eq(warned_of(""), 0);
}
END_TEST

START_TEST(a_part_that_is_not_wanted_is_not_written)
{
    has_more = false;
    ck_assert_int_eq(put(), PDUMP_OK);
    ck_assert_int_eq(n_files("out"), 1);
}
END_TEST

START_TEST(earlier_runs_are_renamed_away)
{
    ck_assert_int_eq(put_anew("first"), PDUMP_OK);
    ck_assert_int_eq(put_anew("second"), PDUMP_OK);
    ck_assert_int_eq(put_anew("third"), PDUMP_OK);
    ck_assert_str_eq(text_of("out/dump.txt"), "third");
    ck_assert_str_eq(text_of("out/dump.old-1.txt"), "first");
    ck_assert_str_eq(text_of("out/dump.old-1.more.txt"), "first");
    ck_assert_str_eq(text_of("out/dump.old-2.txt"), "second");
    ck_assert_str_eq(text_of("out/dump.old-2.more.txt"), "second");
    ck_assert_int_eq(n_files("out"), 6);
}
END_TEST

START_TEST(an_earlier_part_goes_with_its_run)
{
    ck_assert_int_eq(put_anew("first"), PDUMP_OK);
    has_more = false;
    ck_assert_int_eq(put_anew("second"), PDUMP_OK);
    ck_assert_str_eq(text_of("out/dump.more.txt"), "(none)");
    ck_assert_str_eq(text_of("out/dump.old-1.more.txt"), "first");
}
END_TEST

START_TEST(an_old_name_is_taken_only_if_free_for_all_parts)
{
    mkdir("out", 0777);
    make_file("out/dump.old-1.more.txt", "stays");
    ck_assert_int_eq(put_anew("first"), PDUMP_OK);
    ck_assert_int_eq(put_anew("second"), PDUMP_OK);
    ck_assert_str_eq(text_of("out/dump.old-1.more.txt"), "stays");
    ck_assert_str_eq(text_of("out/dump.old-2.txt"), "first");
}
END_TEST

START_TEST(a_session_replaces_its_own_files)
{
    ck_assert_int_eq(put_anew("first"), PDUMP_OK);
    content = "second";
    ck_assert_int_eq(put(), PDUMP_OK);
    ck_assert_str_eq(text_of("out/dump.txt"), "second");
    ck_assert_int_eq(n_files("out"), 2);
    has_more = false; /* its own part of before is out of date */
    ck_assert_int_eq(put(), PDUMP_OK);
    ck_assert_int_eq(n_files("out"), 1);
}
END_TEST

START_TEST(overwriting_is_a_choice)
{
    set.overwrite = true;
    ck_assert_int_eq(put_anew("first"), PDUMP_OK);
    ck_assert_int_eq(put_anew("second"), PDUMP_OK);
    ck_assert_str_eq(text_of("out/dump.txt"), "second");
    ck_assert_int_eq(n_files("out"), 2);
}
END_TEST

/* Something in the way that is no regular file, with and without overwriting:
 * another name is taken, and told. */
static void expect_evasion(void)
{
    struct stat before, after;

    ck_assert_int_eq(lstat("out/dump.txt", &before), 0);
    for (int i = 0; i < 2; i++) {
        set.overwrite = i;
        ck_assert_int_eq(put_anew("new"), PDUMP_OK);
    }
    ck_assert_int_eq(lstat("out/dump.txt", &after), 0);
    ck_assert_uint_eq(before.st_ino, after.st_ino);
    ck_assert_uint_eq(before.st_mode, after.st_mode);
    ck_assert_str_eq(text_of("out/dump-1.txt"), "new");
    ck_assert_str_eq(text_of("out/dump-1.more.txt"), "new");
    ck_assert_int_ge(warned_of("dump-1.txt"), 1);
}

START_TEST(a_folder_in_the_way_stays)
{
    mkdir("out", 0777);
    mkdir("out/dump.txt", 0777);
    expect_evasion();
}
END_TEST

START_TEST(a_link_is_neither_followed_nor_replaced)
{
    mkdir("out", 0777);
    make_file("out/victim", "precious");
    ck_assert_int_eq(symlink("victim", "out/dump.txt"), 0);
    expect_evasion();
    ck_assert_str_eq(text_of("out/victim"), "precious");
}
END_TEST

START_TEST(a_link_to_nowhere_is_a_link)
{
    mkdir("out", 0777);
    ck_assert_int_eq(symlink("nowhere", "out/dump.txt"), 0);
    expect_evasion();
    ck_assert_str_eq(text_of("out/nowhere"), "(none)");
}
END_TEST

START_TEST(a_pipe_in_the_way_is_not_opened)
{
    mkdir("out", 0777);
    ck_assert_int_eq(mkfifo("out/dump.txt", 0666), 0);
    expect_evasion();
}
END_TEST

START_TEST(a_device_in_the_way_survives)
{
    mkdir("out", 0777);
    if (mknod("out/dump.txt", S_IFCHR | 0666, makedev(1, 3)) != 0)
        return; /* only root can make one */
    expect_evasion();
}
END_TEST

START_TEST(an_obstacle_for_the_second_part_is_one_for_both)
{
    mkdir("out", 0777);
    mkdir("out/dump.more.txt", 0777);
    ck_assert_int_eq(put(), PDUMP_OK);
    ck_assert_str_eq(text_of("out/dump-1.txt"), "new");
    ck_assert_str_eq(text_of("out/dump-1.more.txt"), "new");
    ck_assert_str_eq(text_of("out/dump.txt"), "(none)");
}
END_TEST

START_TEST(links_at_temporary_names_are_not_followed)
{
    char name[100];

    mkdir("out", 0777);
    make_file("out/victim", "precious");
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof(name), "out/.dump.txt.%ld-%d", (long)getpid(), i);
        ck_assert_int_eq(symlink("victim", name), 0);
    }
    ck_assert_int_eq(put(), PDUMP_OK);
    ck_assert_str_eq(text_of("out/victim"), "precious");
    ck_assert_str_eq(text_of("out/dump.txt"), "new");
}
END_TEST

START_TEST(an_unusable_folder_is_replaced_by_the_temporary_one)
{
    mkdir("out", 0777);
    make_file("out/file", "precious");
    set.dir = "out/file/folder";
    ck_assert_int_eq(put(), PDUMP_OK);
    ck_assert_str_eq(text_of("temp/dump.txt"), "new");
    ck_assert_str_eq(text_of("temp/dump.more.txt"), "new");
    ck_assert_str_eq(text_of(where), "new");
    ck_assert_str_eq(text_of("out/file"), "precious");
    ck_assert_int_eq(warned_of("the output is in"), 1);
    ck_assert_int_eq(warned_of("out/file/folder"), 1);
    set.dir = "out/file";
    ck_assert_int_eq(put_anew("newer"), PDUMP_OK);
    ck_assert_str_eq(text_of("temp/dump.old-1.txt"), "new");
}
END_TEST

START_TEST(a_failed_write_leaves_everything_as_it_was)
{
    ck_assert_int_eq(put_anew("first"), PDUMP_OK);
    is_full = true;
    ck_assert_int_eq(put_anew("second"), PDUMP_EIO);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "disk full"));
    ck_assert_str_eq(text_of("out/dump.txt"), "first");
    ck_assert_int_eq(n_files("out"), 2);
    ck_assert_int_eq(n_files("temp"), 0);
}
END_TEST

static int write_folder(struct pdump_stream *in,
                        const struct pdump_new_file *folder)
{
    struct pdump_new_file file = { .path = folder->path };
    char name[PATH_MAX];
    int err;

    snprintf(name, sizeof(name), "%.3000s/inner", folder->path);
    ck_assert_int_eq(mkdir(name, 0777), 0);
    snprintf(name, sizeof(name), "%.3000s/inner/file", folder->path);
    file.fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
    err = write_part(in, &file);
    close(file.fd);
    return err;
}

/* All of it, or nothing; and never in the place of another. */
START_TEST(a_format_may_be_a_folder)
{
    static const struct pdump_sink_part folder[] = {
        { .suffix = ".d", .is_folder = true, .write = write_folder },
        { .suffix = NULL },
    };
    static const struct pdump_sink of_folder = { .name = "d", .parts = folder };
    static struct pdump_dump dump;
    struct pdump_stream *in;

    ck_assert_int_eq(pdump_stream_of(&dump, &in), PDUMP_OK);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(pdump_output_file_write(&set, &of_folder, in, &written,
                                                 where, sizeof(where)),
                         PDUMP_OK);
    ck_assert_str_eq(where, "out/dump-1.d");
    ck_assert_str_eq(text_of("out/dump.d/inner/file"), "new");
    ck_assert_str_eq(text_of("out/dump-1.d/inner/file"), "new");
    is_full = true;
    ck_assert_int_eq(pdump_output_file_write(&set, &of_folder, in, &written,
                                             where, sizeof(where)),
                     PDUMP_EIO);
    ck_assert_int_eq(n_files("out"), 2); /* no temporary ones */
    pdump_stream_free(in);
}
END_TEST

/* From now on, renameat2() fails, as in some containers.  Returns false if
 * there is no such filter here. */
static bool refuse_renameat2(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = { sizeof(code) / sizeof(code[0]), code };

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 &&
           renameat2(AT_FDCWD, "x", AT_FDCWD, "y", RENAME_NOREPLACE) != 0 &&
           errno == EPERM;
}

START_TEST(a_filter_that_refuses_renameat2)
{
    if (!refuse_renameat2())
        return;
    ck_assert_int_eq(put_anew("first"), PDUMP_OK);
    ck_assert_int_eq(put_anew("second"), PDUMP_OK);
    content = "third";
    ck_assert_int_eq(put(), PDUMP_OK);
    ck_assert_str_eq(text_of("out/dump.old-1.txt"), "first");
    ck_assert_str_eq(text_of("out/dump.old-1.more.txt"), "first");
    ck_assert_str_eq(text_of("out/dump.txt"), "third");
    ck_assert_int_eq(n_files("out"), 4);
    ck_assert_int_eq(n_files("temp"), 0);
    ck_assert_int_eq(warned_of(""), 0);
}
END_TEST

START_TEST(a_folder_that_all_may_change_is_told)
{
    mkdir("out", 0777);
    chmod("out", 01777);
    ck_assert_int_eq(put(), PDUMP_OK);
    ck_assert_int_eq(warned_of(""), 0);
    chmod("out", 0777);
    ck_assert_int_eq(put(), PDUMP_OK);
    ck_assert_int_eq(warned_of("every user can replace files"), 1);
}
END_TEST

START_TEST(strange_file_names_stay_in_the_folder)
{
    static char huge[5000];

    set.filename = "../a/b";
    ck_assert_int_eq(put(), PDUMP_OK);
    ck_assert_str_eq(text_of("out/.._a_b.txt"), "new");
    memset(huge, 'n', sizeof(huge) - 1);
    set.filename = huge;
    ck_assert_int_eq(put(), PDUMP_OK);
    ck_assert_str_eq(text_of(where), "new");
    set.filename = "dump";
    set.dir = huge;
    ck_assert_int_eq(put(), PDUMP_OK);
    ck_assert_str_eq(text_of("temp/dump.txt"), "new");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("path");
    TCase *t = tcase_create("path");

    tcase_add_checked_fixture(t, clean, NULL);
    tcase_add_test(t, a_missing_folder_is_made);
    tcase_add_test(t, a_part_that_is_not_wanted_is_not_written);
    tcase_add_test(t, earlier_runs_are_renamed_away);
    tcase_add_test(t, an_earlier_part_goes_with_its_run);
    tcase_add_test(t, an_old_name_is_taken_only_if_free_for_all_parts);
    tcase_add_test(t, a_session_replaces_its_own_files);
    tcase_add_test(t, overwriting_is_a_choice);
    tcase_add_test(t, a_folder_in_the_way_stays);
    tcase_add_test(t, a_link_is_neither_followed_nor_replaced);
    tcase_add_test(t, a_link_to_nowhere_is_a_link);
    tcase_add_test(t, a_pipe_in_the_way_is_not_opened);
    tcase_add_test(t, a_device_in_the_way_survives);
    tcase_add_test(t, an_obstacle_for_the_second_part_is_one_for_both);
    tcase_add_test(t, links_at_temporary_names_are_not_followed);
    tcase_add_test(t, an_unusable_folder_is_replaced_by_the_temporary_one);
    tcase_add_test(t, a_failed_write_leaves_everything_as_it_was);
    tcase_add_test(t, a_format_may_be_a_folder);
    tcase_add_test(t, a_filter_that_refuses_renameat2);
    tcase_add_test(t, a_folder_that_all_may_change_is_told);
    tcase_add_test(t, strange_file_names_stay_in_the_folder);
    suite_add_tcase(s, t);
    return run_in_folder(s);
}
