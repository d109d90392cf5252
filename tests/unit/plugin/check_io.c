/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of what libpdump-io.so knows of files and descriptors, without standing
 * in front of anything. */
#include "plugins/io/file_table.h"
#include "plugins/io/io_filter.h"
#include "plugins/io/system.h"
#include "plugins/io/descriptor_table.h"
#include "suite.h"

#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static uint32_t add(const char *path)
{
    return pdump_io_files_add(path, strlen(path));
}

START_TEST(a_path_has_one_number)
{
    uint32_t a = add("/a"), ab = add("/ab");

    ck_assert_uint_ge(a, PDUMP_IO_FIRST);
    ck_assert_uint_ne(a, ab);
    ck_assert_uint_eq(add("/a"), a);
    ck_assert_uint_eq(pdump_io_files_add("/abc", 3), ab);
    ck_assert_str_eq(pdump_io_files_name(ab), "/ab");
    ck_assert_str_eq(pdump_io_files_name(PDUMP_IO_PIPE), "pipe");
}
END_TEST

START_TEST(what_has_no_number_is_other_files)
{
    char path[32];

    for (int i = 0; i < PDUMP_IO_FILES_MAX; i++) {
        snprintf(path, sizeof(path), "/some/folder/file%d", i);
        if (add(path) == PDUMP_IO_MORE)
            ck_abort_msg("file %d", i);
    }
    ck_assert_uint_eq(add("/one/more"), PDUMP_IO_MORE);
    ck_assert_str_eq(pdump_io_files_name(add("/one/more")), "other files");
    ck_assert_str_eq(pdump_io_files_name(add("/some/folder/file9")),
                     "/some/folder/file9");
}
END_TEST

static void *add_all(void *numbers)
{
    char path[32];

    for (int i = 0; i < 5000; i++) {
        snprintf(path, sizeof(path), "/shared%d", i);
        ((uint32_t *)numbers)[i] = add(path);
    }
    return NULL;
}

START_TEST(threads_get_the_same_numbers)
{
    static uint32_t numbers[2][5000];
    pthread_t thread[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, add_all, numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    ck_assert_mem_eq(numbers[0], numbers[1], sizeof(numbers[0]));
}
END_TEST

START_TEST(descriptors_are_known_by_what_is_behind_them)
{
    char path[] = "/tmp/check_io.XXXXXX";
    int ends[2], fd = mkstemp(path);
    uint32_t file = pdump_io_files_look(fd, NULL);

    ck_assert_ptr_nonnull(strstr(pdump_io_files_name(file), path + 4));
    unlink(path);
    ck_assert_uint_eq(pdump_io_files_look(fd, NULL), file);
    close(fd);
    ck_assert_uint_eq(pdump_io_files_look(fd, NULL), PDUMP_IO_NONE);
    ck_assert_uint_eq(pdump_io_files_look(-1, NULL), PDUMP_IO_NONE);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_uint_eq(pdump_io_files_look(ends[1], NULL), PDUMP_IO_PIPE);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    ck_assert_uint_eq(pdump_io_files_look(ends[1], NULL), PDUMP_IO_SOCKET);
    fd = memfd_create("memory", 0);
    ck_assert_uint_eq(pdump_io_files_look(fd, NULL), PDUMP_IO_ANONYMOUS);
}
END_TEST

START_TEST(the_table_grows_and_forgets)
{
    pdump_io_table_set(3, 11, 5);
    pdump_io_table_set(5000, 12, 0);
    pdump_io_table_copy(3, 1000000);
    ck_assert_uint_eq(pdump_io_table_at(1000000)->file, 11);
    ck_assert_int_eq(pdump_io_table_at(1000000)->position, 5);
    pdump_io_table_copy(7, 3); /* of which nothing is known */
    ck_assert_uint_eq(pdump_io_table_at(3)->file, 0);
    pdump_io_table_forget(4, 5000);
    ck_assert_uint_eq(pdump_io_table_at(5000)->file, 0);
    ck_assert_uint_eq(pdump_io_table_at(1000000)->file, 11);
    pdump_io_table_forget(0, ~0u);
    ck_assert_uint_eq(pdump_io_table_at(1000000)->file, 0);
    ck_assert_ptr_null(pdump_io_table_at(-1));
    ck_assert_ptr_null(pdump_io_table_at(1 << 30));
    pdump_io_table_set(-1, 1, 0);
    pdump_io_table_copy(3, 1 << 30);
}
END_TEST

/* Is that file recorded, with this list? */
static bool takes(const char *list, const char *path)
{
    struct pdump_io_filter filter;

    pdump_io_filter_read(&filter, list);
    return pdump_io_filter_takes(&filter, add(path));
}

START_TEST(patterns_choose_paths)
{
    ck_assert(takes(NULL, "/data/a"));
    ck_assert(takes("", "/data/a"));
    ck_assert(takes("/data/*", "/data/a"));
    ck_assert(!takes("/data/*", "/usr/a"));
    ck_assert(!takes("-/data/*", "/data/deeper/a"));
    ck_assert(takes("-/data/*", "/usr/a"));
    ck_assert(!takes("/data/*, -*.tmp", "/data/a.tmp"));
    ck_assert(takes("/data/*, -*.tmp", "/data/a"));
    ck_assert(!takes("-files", "/data/a"));
    ck_assert(!takes("pipes", "/data/a"));
    ck_assert(takes("posix", "/data/a"));
}
END_TEST

START_TEST(words_choose_classes)
{
    struct pdump_io_filter filter;

    pdump_io_filter_read(&filter, "-stdio,foo,-,pipes");
    ck_assert_uint_eq(filter.classes, PDUMP_IO_PIPES | PDUMP_IO_POSIX);
    ck_assert_int_eq(strncmp(filter.unknown, "foo", 3), 0);
    ck_assert(pdump_io_filter_takes(&filter, PDUMP_IO_PIPE));
    ck_assert(!pdump_io_filter_takes(&filter, PDUMP_IO_SOCKET));
    ck_assert(!pdump_io_filter_takes(&filter, PDUMP_IO_STDIN));
    ck_assert(!pdump_io_filter_takes(&filter, PDUMP_IO_HIDDEN));
    pdump_io_filter_read(&filter, "standard,others");
    ck_assert(pdump_io_filter_takes(&filter, PDUMP_IO_STDERR));
    ck_assert(pdump_io_filter_takes(&filter, PDUMP_IO_NONE));
    ck_assert(!pdump_io_filter_takes(&filter, PDUMP_IO_MORE));
    ck_assert_ptr_null(filter.unknown);
}
END_TEST

START_TEST(files_of_the_system_are_told_by_their_path)
{
    static const char *const ever[] = {
        "/proc/self/maps",
        "/sys/devices/system/cpu/online",
        "/dev/shm/vader_segment.host.0.1",
        "/tmp/ompi.host.0/pid.12/1/x.sm",
    };
    static const char *const read[] = {
        "/etc/openmpi/openmpi-mca-params.conf",
        "/home/me/.openmpi/mca-params.conf",
        "/opt/mpi/lib/libmpi.so.40",
        "/home/me/plugin.so",
        "/opt/conda/lib/python3.11/os.py",
        "/home/me/script.py",
    };
    static const char *const never[] = {
        "/home/me/data",     "/dev/null",   "/usr/share/espresso/Si.upf",
        "/dev/shm/mine",     "/home/me/so", "/home/me/ompi.test/out",
        "/home/me/x.python",
    };

    for (int i = 0; i < 4; i++)
        ck_assert_msg(pdump_io_system_path(ever[i], true), "%s", ever[i]);
    for (int i = 0; i < 6; i++) {
        ck_assert_msg(pdump_io_system_path(read[i], false), "%s", read[i]);
        ck_assert_msg(!pdump_io_system_path(read[i], true), "%s", read[i]);
    }
    for (int i = 0; i < 7; i++)
        ck_assert_msg(!pdump_io_system_path(never[i], false), "%s", never[i]);
}
END_TEST

START_TEST(files_of_mpi_are_told_by_the_library_that_uses_them)
{
    ck_assert(pdump_io_system_library("libopen-pal.so.40", true));
    /* There is no MPI in this program. */
    ck_assert(!pdump_io_system_library("libevent_core-2.1.so.7", false));
    ck_assert(pdump_io_system_library("libmpich.so.12", false));
    ck_assert(!pdump_io_system_library("libmpich.so.12", true));
    ck_assert(pdump_io_system_library("mca_fs_ufs.so", false));
    ck_assert(!pdump_io_system_library("mca_fs_ufs.so", true));
    ck_assert(pdump_io_system_library("mca_btl_tcp.so", true));
    ck_assert(!pdump_io_system_library("libhdf5.so.103", true));
    ck_assert(!pdump_io_system_library("", false));
    ck_assert(!pdump_io_system_caller((void *)(uintptr_t)add, false));
}
END_TEST

START_TEST(the_word_system_shows_its_files_one_by_one)
{
    struct pdump_io_filter filter;

    pdump_io_filter_read(&filter, "files,/proc/*,-*.py");
    ck_assert_int_eq(filter.system, PDUMP_IO_TOGETHER);
    ck_assert(pdump_io_filter_lists(&filter, "/proc/self/maps"));
    ck_assert(!pdump_io_filter_lists(&filter, "/sys/x"));
    ck_assert(!pdump_io_filter_lists(&filter, "/a.py"));
    pdump_io_filter_read(&filter, "system");
    ck_assert_int_eq(filter.system, PDUMP_IO_ONE_BY_ONE);
    ck_assert_ptr_null(filter.unknown);
    ck_assert(pdump_io_filter_takes(&filter, PDUMP_IO_PIPE));
    pdump_io_filter_read(&filter, "-system");
    ck_assert_int_eq(filter.system, PDUMP_IO_LEFT_OUT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("io");
    TCase *tests = tcase_create("io");

    tcase_add_test(tests, a_path_has_one_number);
    tcase_add_test(tests, what_has_no_number_is_other_files);
    tcase_add_test(tests, threads_get_the_same_numbers);
    tcase_add_test(tests, descriptors_are_known_by_what_is_behind_them);
    tcase_add_test(tests, the_table_grows_and_forgets);
    tcase_add_test(tests, patterns_choose_paths);
    tcase_add_test(tests, words_choose_classes);
    tcase_add_test(tests, files_of_the_system_are_told_by_their_path);
    tcase_add_test(tests, files_of_mpi_are_told_by_the_library_that_uses_them);
    tcase_add_test(tests, the_word_system_shows_its_files_one_by_one);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
