/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of modules: loaded where they fit, refused with a reason elsewhere. */
#include "fake.h"

#include "system/plugin.h"
#include "config/settings.h"
#include "write/sink.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

/* MODULE_FOLDER is where the build puts pdump_example.so, and
 * pdump_misfit.so, which is for another release. */
static struct pdump_settings set = { .modules = MODULE_FOLDER };
static const struct pdump_plugin *plugin;

static int load(const char *soname, const char *name)
{
    plugin = NULL;
    return pdump_plugin_load(set.modules, soname, name, &plugin);
}

START_TEST(a_module_brings_a_sink)
{
    char path[] = "plugin.XXXXXX", line[40] = "";
    const struct pdump_sink *sink;
    struct pdump_dump dump = { .n_rows = 42 };
    int fd = mkstemp(path);

    ck_assert_int_eq(load(NULL, "example"), PDUMP_OK);
    ck_assert_str_eq(plugin->name, "example");
    ck_assert_ptr_null(plugin->comm);
    sink = plugin->sinks[0];
    ck_assert_str_eq(sink->name, "example");
    ck_assert_ptr_null(plugin->sinks[1]);
    ck_assert_int_eq(pdump_sink_write(&sink->parts[0], &dump, path), PDUMP_OK);
    ck_assert_int_gt(read(fd, line, sizeof(line) - 1), 0);
    ck_assert_str_eq(line, "42 rows\n");
    close(fd);
    unlink(path);
}
END_TEST

START_TEST(a_module_is_loaded_once)
{
    const struct pdump_plugin *first;

    ck_assert_int_eq(load(NULL, "example"), PDUMP_OK);
    first = plugin;
    ck_assert_int_eq(load(NULL, "example"), PDUMP_OK);
    ck_assert_ptr_eq(plugin, first);
}
END_TEST

START_TEST(a_missing_module_is_named)
{
    ck_assert_int_eq(load(NULL, "no_such"), PDUMP_EPLUGIN);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "pdump_no_such.so"));
    ck_assert_ptr_null(plugin);
}
END_TEST

START_TEST(a_module_of_another_release_is_refused_before_it_runs)
{
    unsetenv("PDUMP_TEST_MISFIT");
    ck_assert_int_eq(load(NULL, "misfit"), PDUMP_EPLUGIN);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "pdump_misfit.so"));
    ck_assert_ptr_null(plugin);
    ck_assert_ptr_null(getenv("PDUMP_TEST_MISFIT"));
}
END_TEST

START_TEST(a_foreign_library_is_not_dragged_in)
{
    ck_assert_int_eq(load("libnobody.so.7", "example"), PDUMP_ENOENT);
    ck_assert_ptr_null(plugin);
}
END_TEST

/* A folder with `name` in it, in a folder for the library libc.so.6. */
static char folder[] = "modules.XXXXXX";
static char inner[PATH_MAX], module[PATH_MAX];

static void make_folder(const char *name)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(inner, sizeof(inner), "%s/libc.so.6", folder);
    snprintf(module, sizeof(module), "%.200s/%.200s", inner, name);
    ck_assert_int_eq(mkdir(inner, 0777), 0);
    set.modules = folder;
}

static void remove_folder(void)
{
    unlink(module);
    rmdir(inner);
    rmdir(folder);
}

START_TEST(a_module_for_a_library_that_is_here_is_loaded)
{
    make_folder("pdump_example.so");
    ck_assert_int_eq(symlink(MODULE_FOLDER "/pdump_example.so", module), 0);
    ck_assert_int_eq(load(NULL, "example"), PDUMP_EPLUGIN);
    ck_assert_int_eq(load("libc.so.6", "example"), PDUMP_OK);
    ck_assert_str_eq(plugin->name, "example");
    remove_folder();
}
END_TEST

START_TEST(what_is_no_module_is_refused)
{
    FILE *f;

    make_folder("pdump_text.so");
    f = fopen(module, "w");
    fputs("this is no shared object\n", f);
    fclose(f);
    ck_assert_int_eq(load("libc.so.6", "text"), PDUMP_EPLUGIN);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "pdump_text.so"));
    unlink(module);
    ck_assert_int_eq(mkdir(module, 0777), 0);
    ck_assert_int_eq(load("libc.so.6", "text"), PDUMP_EPLUGIN);
    rmdir(module);
    remove_folder();
}
END_TEST

START_TEST(without_a_choice_modules_are_where_they_were_installed)
{
    set.modules = "";
    ck_assert_int_eq(pdump_plugin_folder(set.modules)[0], '/');
    set.modules = "elsewhere";
    ck_assert_str_eq(pdump_plugin_folder(set.modules), "elsewhere");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("plugin");
    TCase *t = tcase_create("plugin");

    tcase_add_test(t, a_module_brings_a_sink);
    tcase_add_test(t, a_module_is_loaded_once);
    tcase_add_test(t, a_missing_module_is_named);
    tcase_add_test(t, a_module_of_another_release_is_refused_before_it_runs);
    tcase_add_test(t, a_foreign_library_is_not_dragged_in);
    tcase_add_test(t, a_module_for_a_library_that_is_here_is_loaded);
    tcase_add_test(t, what_is_no_module_is_refused);
    tcase_add_test(t, without_a_choice_modules_are_where_they_were_installed);
    suite_add_tcase(s, t);
    return fake_run(s);
}
