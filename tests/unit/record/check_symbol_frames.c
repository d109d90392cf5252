/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the names of frames: of this program, which has functions that the
 * compiler puts into others. */
#include "fake.h"
#include "inlined_kit.h"

#include "record/symbol_frames.h"
#include "system/plugin.h"

#include <elf.h>
#include <link.h>
#include <string.h>

/* BUILT_MODULES is where the build links its modules. */
static bool has_module;
static struct pdump_symbol_frame *frames;
static int n_frames;

static void use_module(void)
{
    pdump_plugin_use(BUILT_MODULES);
    has_module = pdump_plugin_is_there("symbols");
}

static void free_frames(void)
{
    free(frames);
    frames = NULL;
}

/* The file of this program and the address in it; until the next call. */
static struct pdump_symbol_address address_of(uintptr_t code)
{
    static char places[2][PDUMP_PLACE_MAX];
    static int n;
    char *place = places[n++ % 2], *plus;

    ck_assert_int_eq(pdump_symbols_place(code, place, PDUMP_PLACE_MAX),
                     PDUMP_OK);
    plus = strrchr(place, '+');
    *plus = '\0';
    return (struct pdump_symbol_address){ .module = place,
                                          .offset =
                                              strtoull(plus + 3, NULL, 16) };
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

static void check_frame(int i, const char *name, bool is_inlined, int at)
{
    char end[64];

    ck_assert_str_eq(frames[i].function, name);
    ck_assert(frames[i].is_named);
    ck_assert_int_eq(frames[i].is_inlined, is_inlined);
    ck_assert_msg(ends_with(frames[i].file, "kit/inlined_kit.h"), "%s",
                  frames[i].file);
    ck_assert_int_gt(frames[i].line, 0);
    if (at == 0)
        return;
    ck_assert_ptr_nonnull(frames[i].at);
    snprintf(end, sizeof(end), "kit/inlined_kit.h:%d", at);
    ck_assert_msg(ends_with(frames[i].at, end), "%s of %s is %s", name, end,
                  frames[i].at);
}

START_TEST(inlined_functions_are_frames)
{
    struct pdump_symbol_address stack[2] = { address_of((uintptr_t)outer(1)),
                                             address_of((uintptr_t)&here) };

    if (!has_module)
        return;
    n_frames = pdump_symbol_frames(stack, 2, &frames);
    ck_assert_int_eq(n_frames, 4);
    check_frame(0, "outer", false, outer_line);
    check_frame(1, "middle", true, middle_line);
    check_frame(2, "inner", true, inner_line);
    check_frame(3, "here", false, 0);
    ck_assert_int_lt(frames[3].line, frames[2].line);
    ck_assert_int_lt(frames[2].line, inner_line);
    ck_assert_int_lt(inner_line, frames[1].line);
}
END_TEST

/* The first byte of a function is that of the one before, if it is a return
 * address: a function that never returns may end with its call. */
START_TEST(only_the_last_address_is_no_return_address)
{
    struct pdump_symbol_address start = address_of((uintptr_t)&here);
    struct pdump_symbol_address stack[2] = { start, start };

    if (!has_module)
        return;
    n_frames = pdump_symbol_frames(stack, 2, &frames);
    ck_assert_int_ge(n_frames, 2);
    ck_assert_str_eq(frames[n_frames - 1].function, "here");
    ck_assert_str_ne(frames[0].function, "here");
}
END_TEST

START_TEST(results_are_kept)
{
    struct pdump_symbol_address at = address_of((uintptr_t)outer(1));
    struct pdump_symbol_frame *again;

    n_frames = pdump_symbol_frames(&at, 1, &frames);
    ck_assert_int_ge(n_frames, 1);
    ck_assert_int_eq(pdump_symbol_frames(&at, 1, &again), n_frames);
    ck_assert_ptr_eq(frames[0].function, again[0].function);
    free(again);
}
END_TEST

START_TEST(code_without_a_name_is_its_place)
{
    struct pdump_symbol_address at = { .module = "/no/file", .offset = 0x123 };

    ck_assert_int_eq(pdump_symbol_frames(&at, 1, &frames), 1);
    ck_assert_str_eq(frames[0].function, "/no/file+0x123");
    ck_assert(!frames[0].is_named);
    ck_assert_str_eq(frames[0].file, "");
    ck_assert_ptr_null(frames[0].at);
}
END_TEST

/* Sets *data to the build ID of the program. */
static int find_id(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const char *at = (const char *)(info->dlpi_addr + part->p_vaddr);
        const char *end = at + part->p_memsz;

        while (part->p_type == PT_NOTE && end - at > 12) {
            ElfW(Nhdr) note;

            memcpy(&note, at, sizeof(note));
            at += sizeof(note) + (note.n_namesz + 3) / 4 * 4;
            if (note.n_type == NT_GNU_BUILD_ID && note.n_descsz == 20)
                memcpy(data, at, 20);
            at += (note.n_descsz + 3) / 4 * 4;
        }
    }
    return 1; /* the program is the first */
}

START_TEST(a_file_that_has_changed_names_nothing)
{
    struct pdump_symbol_address at = address_of((uintptr_t)&here);
    unsigned char id[20] = "", other[20] = "not the build ID...";

    dl_iterate_phdr(find_id, id);
    if (!has_module || !memcmp(id, (unsigned char[20]){ 0 }, 20))
        return;
    at.n_id = 20;
    at.id = id;
    ck_assert_int_eq(pdump_symbol_frames(&at, 1, &frames), 1);
    ck_assert_str_eq(frames[0].function, "here");
    free(frames);
    at.id = other;
    ck_assert_int_eq(pdump_symbol_frames(&at, 1, &frames), 1);
    ck_assert(!frames[0].is_named);
    ck_assert_ptr_nonnull(strstr(frames[0].function, "check_symbol_frames+0x"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("symbol_frames");
    TCase *t = tcase_create("frames");

    tcase_add_checked_fixture(t, use_module, free_frames);
    tcase_add_test(t, inlined_functions_are_frames);
    tcase_add_test(t, only_the_last_address_is_no_return_address);
    tcase_add_test(t, results_are_kept);
    tcase_add_test(t, code_without_a_name_is_its_place);
    tcase_add_test(t, a_file_that_has_changed_names_nothing);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
