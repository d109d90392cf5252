/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of code places: their text, their names, and files that are no good. */
#include "fake.h"

#include "system/plugin.h"
#include "record/symbols.h"
#include "record/symbols_private.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* BUILT_MODULES is where the build links its modules. */
static bool has_module;
static struct pdump_symbol found;

static void use_module(void)
{
    pdump_plugin_use(BUILT_MODULES);
    has_module = pdump_plugin_is_there("symbols");
}

static __attribute__((noinline)) void *here(void)
{
    return __builtin_return_address(0);
}

static __attribute__((noinline)) int known_function(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

static const char *place_of(uintptr_t address)
{
    static char place[PDUMP_PLACE_MAX];

    ck_assert_int_eq(pdump_symbols_place(address, place, sizeof(place)),
                     PDUMP_OK);
    return place;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

START_TEST(a_place_is_file_and_offset)
{
    char exe[PATH_MAX] = "", place[PDUMP_PLACE_MAX];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
    int on_stack;

    snprintf(place, sizeof(place), "%s", place_of((uintptr_t)&known_function));
    ck_assert(strncmp(place, exe, (size_t)n) == 0);
    ck_assert(strncmp(place + n, "+0x", 3) == 0);
    ck_assert_str_eq(place_of((uintptr_t)&known_function), place);
    ck_assert_int_eq(
        pdump_symbols_place((uintptr_t)&on_stack, place, sizeof(place)),
        PDUMP_ENOENT);
    ck_assert(strncmp(place, "0x", 2) == 0);
    ck_assert(!pdump_symbols_find(place, &found));
}
END_TEST

START_TEST(a_static_function_has_name_file_and_line)
{
    if (!has_module)
        return;
    ck_assert(pdump_symbols_find(place_of((uintptr_t)&known_function), &found));
    ck_assert_str_eq(found.function, "known_function");
    ck_assert_msg(ends_with(found.file, "record/check_symbols.c"), "%s",
                  found.file);
    ck_assert_int_gt(found.line, 0);
    ck_assert(!found.is_shared);
}
END_TEST

START_TEST(a_return_address_less_one_is_the_line_of_the_call)
{
    int line = __LINE__ + 1;
    void *address = here();

    if (!has_module)
        return;
    ck_assert(pdump_symbols_find(place_of((uintptr_t)address - 1), &found));
    ck_assert_int_eq(found.line, line);
    ck_assert(strstr(found.function, "a_return_address_less_one"));
}
END_TEST

START_TEST(exported_functions_are_known_without_the_module)
{
    void *function = dlsym(RTLD_DEFAULT, "gnu_get_libc_version");
    const char *place = place_of((uintptr_t)function);

    if (_i == 0)
        pdump_plugin_use("/nowhere");
    ck_assert(pdump_symbols_find(place, &found));
    ck_assert_str_eq(found.function, "gnu_get_libc_version");
    if (_i == 0) {
        place = place_of((uintptr_t)&known_function);
        ck_assert(!pdump_symbols_find(place, &found));
    }
}
END_TEST

START_TEST(nonsense_is_unknown)
{
    static const char *const places[] = {
        "",
        "+",
        "+0x",
        "+0x10",
        "nothing",
        "nothing+0x",
        "nothing+0xzz",
        "nothing+0x10",
        "/no/such/file+0x10",
        "/dev/zero+0x10",
        "/dev/tty+0x10",
        "/+0x10",
        "/proc/self/mem+0x10",
        "/etc/passwd+0x10",
        "/proc/self/exe+0xffffffffffffffff",
        "/proc/self/exe+0xfffffffffffffffffffffffff",
        "/proc/self/exe+0x0",
    };

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        ck_assert_msg(!pdump_symbols_find(places[i], &found), "%s: %s",
                      places[i], found.function);
        ck_assert_msg(!pdump_symbols_find(places[i], &found), "%s", places[i]);
    }
}
END_TEST

START_TEST(a_pipe_is_not_waited_for)
{
    char path[] = "symbols.XXXXXX", place[64];

    close(mkstemp(path));
    unlink(path);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    snprintf(place, sizeof(place), "%s+0x10", path);
    ck_assert(!pdump_symbols_find(place, &found));
    unlink(path);
}
END_TEST

/* This program, cut and with other bytes in it: whatever comes, no crash. */
START_TEST(damaged_files_do_no_harm)
{
    static unsigned char bytes[16 << 20];
    char folder[] = "symbols.XXXXXX", path[64], place[100];
    uint64_t offset = strtoull(
        strrchr(place_of((uintptr_t)&known_function), '+') + 1, NULL, 16);
    int in = open("/proc/self/exe", O_RDONLY);
    ssize_t n = read(in, bytes, sizeof(bytes));
    unsigned seed = 4711;

    ck_assert_int_gt(n, 10000);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (int i = 0; i < 60; i++) {
        size_t size = (size_t)n;
        int out;

        if (i % 3 == 0)
            size = (size_t)rand_r(&seed) % size;
        for (int k = 0; i % 3 && k < 1 << i % 12; k++)
            bytes[(size_t)rand_r(&seed) % (k % 2 ? 4096 : size)] =
                (unsigned char)rand_r(&seed);
        snprintf(path, sizeof(path), "%s/%d", folder, i);
        out = open(path, O_WRONLY | O_CREAT, 0600);
        ck_assert_int_eq(write(out, bytes, size), (ssize_t)size);
        close(out);
        for (unsigned k = 0; k < 40; k++) {
            snprintf(place, sizeof(place), "%s+0x%llx", path,
                     (unsigned long long)offset + k * 64);
            pdump_symbols_find(place, &found);
        }
        pdump_symbols_rest();
        unlink(path);
        ck_assert_int_eq(lseek(in, 0, SEEK_SET), 0);
        ck_assert_int_eq(read(in, bytes, sizeof(bytes)), n);
    }
    close(in);
    rmdir(folder);
}
END_TEST

/* The file is gone: the answer can only be the one that was kept. */
START_TEST(an_answer_is_kept)
{
    char path[] = "symbols.XXXXXX", place[100];
    char command[PATH_MAX];
    int fd = mkstemp(path);
    Dl_info own;

    if (!has_module) {
        close(fd);
        unlink(path);
        return;
    }
    /* Not /proc/self/exe, which may be valgrind's. */
    ck_assert(dladdr((void *)(uintptr_t)&known_function, &own));
    snprintf(command, sizeof(command), "cp '%s' %s", own.dli_fname, path);
    ck_assert_int_eq(system(command), 0);
    snprintf(place, sizeof(place), "%s%s", path,
             strrchr(place_of((uintptr_t)&known_function), '+'));
    ck_assert(pdump_symbols_find(place, &found));
    close(fd);
    unlink(path);
    pdump_symbols_rest();
    memset(&found, 1, sizeof(found));
    for (int i = 0; i < 10000; i++)
        ck_assert(pdump_symbols_find(place, &found));
    ck_assert_str_eq(found.function, "known_function");
}
END_TEST

/* A copy of this program without symbols: only the table that exceptions are
 * found with is left. */
START_TEST(a_stripped_function_is_named_by_its_start)
{
    char folder[] = "symbols.XXXXXX", place[200], start[200], name[200];
    char command[2 * PATH_MAX];
    unsigned long long offset = strtoull(
        strrchr(place_of((uintptr_t)&known_function), '+') + 1, NULL, 16);
    Dl_info own;

    if (!has_module)
        return;
    ck_assert(dladdr((void *)(uintptr_t)&known_function, &own));
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(command, sizeof(command), "strip -o %s/x '%s'", folder,
             own.dli_fname);
    if (system(command) == 0) {
        snprintf(start, sizeof(start), "%s/x+0x%llx", folder, offset);
        for (unsigned i = 0; i < 3; i++) {
            snprintf(place, sizeof(place), "%s/x+0x%llx", folder, offset + i);
            ck_assert(!pdump_symbols_name(place, name, sizeof(name), &found));
            ck_assert_str_eq(name, start);
        }
        snprintf(command, sizeof(command), "%s/x", folder);
        unlink(command);
    }
    rmdir(folder);
}
END_TEST

static int n_files(void)
{
    int n = 0;

    for (int fd = 0; fd < 256; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

START_TEST(no_file_stays_open)
{
    int before = n_files();

    pdump_symbols_find(place_of((uintptr_t)&known_function), &found);
    pdump_symbols_find(place_of((uintptr_t)&pdump_symbols_find), &found);
    pdump_symbols_rest();
    ck_assert_int_eq(n_files(), before);
}
END_TEST

START_TEST(names_are_as_people_write_them)
{
    static const char *const names[][2] = {
        { "main", "main" },
        { "_ZN3app5solveERKd", "app::solve(double const&)" },
        { "_ZN3app5solveEi.isra.0", "app::solve(int)" },
        { "work.constprop.0", "work" },
        { "work.part.0.cold", "work" },
        { "__solver_MOD_step", "solver::step" },
        { "MAIN__", "MAIN__" },
        { "__libc_start_main@@GLIBC_2.34", "__libc_start_main" },
        { "_ZN3app5solveEi@APP_1", "app::solve(int)" },
        { "@x", "@x" },
        { "_Znonsense", "_Znonsense" },
        { ".cold", ".cold" },
        { "__MOD_", "__MOD_" },
        { "", "" },
    };
    char text[256], other[256], many[600];

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        pdump_symbols_pretty(names[i][0], text, sizeof(text));
        if (strcmp(text, names[i][0]) != 0 || strncmp(text, "_Z", 2) != 0)
            ck_assert_str_eq(text, names[i][1]);
    }
    memset(many, 'x', sizeof(many) - 1);
    many[sizeof(many) - 1] = '\0';
    pdump_symbols_pretty(many, text, sizeof(text));
    many[sizeof(many) - 2] = 'y';
    pdump_symbols_pretty(many, other, sizeof(other));
    ck_assert_int_eq(strlen(text), sizeof(text) - 1);
    ck_assert_str_ne(text, other);
}
END_TEST

static uint32_t add_function(const char *place)
{
    uint32_t ref;

    ck_assert_int_eq(pdump_regions_add(&regions, place, strlen(place),
                                       PDUMP_GROUP_FUNCTION, NULL, 0, &ref),
                     PDUMP_OK);
    return ref;
}

static void visit(uint32_t region, int64_t amount)
{
    ck_assert_int_eq(pdump_recorder_enter(&rec, region), PDUMP_OK);
    work(amount);
    begin("inside");
    work(1);
    end("inside");
    ck_assert_int_eq(pdump_recorder_leave(&rec, region), PDUMP_OK);
}

/* Two places of one function, as if it had a clone. */
START_TEST(a_dump_has_functions_by_name)
{
    uintptr_t function = (uintptr_t)dlsym(RTLD_DEFAULT, "gnu_get_libc_version");
    struct pdump_dump *dump;
    int64_t row;

    fake_open();
    visit(add_function(place_of(function)), 10);
    visit(add_function(place_of(function + 1)), 5);
    visit(add_function("/no/such/file+0x10"), 7);
    dump = snapshot();
    ck_assert_int_eq(dump->n_rows, 4);
    row = row_at(dump, "gnu_get_libc_version");
    ck_assert_int_ge(row, 0);
    ck_assert_int_eq(dump->rows[row].visits, 2);
    ck_assert_int_eq(dump->columns[WORK].sum[row], 17);
    ck_assert_int_eq(dump->columns[WORK].min[row], 6);
    ck_assert_int_eq(dump->columns[WORK].max[row], 11);
    ck_assert_str_eq(
        dump->regions[dump->nodes[dump->rows[row].node].region].group,
        "function");
    row = row_at(dump, "gnu_get_libc_version/inside");
    ck_assert_int_eq(dump->rows[row].visits, 2);
    ck_assert_int_eq(dump->columns[WORK].sum[row], 2);
    pdump_dump_free(dump);
    fake_close();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("symbols");
    TCase *t = tcase_create("symbols");

    tcase_add_checked_fixture(t, use_module, NULL);
    tcase_add_test(t, a_place_is_file_and_offset);
    tcase_add_test(t, a_static_function_has_name_file_and_line);
    tcase_add_test(t, a_return_address_less_one_is_the_line_of_the_call);
    tcase_add_loop_test(t, exported_functions_are_known_without_the_module, 0,
                        2);
    tcase_add_test(t, nonsense_is_unknown);
    tcase_add_test(t, a_pipe_is_not_waited_for);
    tcase_add_test(t, damaged_files_do_no_harm);
    tcase_add_test(t, an_answer_is_kept);
    tcase_add_test(t, a_stripped_function_is_named_by_its_start);
    tcase_add_test(t, no_file_stays_open);
    tcase_add_test(t, names_are_as_people_write_them);
    tcase_add_test(t, a_dump_has_functions_by_name);
    suite_add_tcase(s, t);
    return known_function(-1) + fake_run(s);
}
