/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5 files: nothing is lost on the way, damage is noticed, HDF5 is quiet. */
#include "dump_kit.h"
#include "folder_kit.h"
#include "dump/event_lanes.h"
#include "read/reader.h"
#include "write/sink.h"
#include "suite.h"

#include <check.h>
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* MODULES is the folder of the build's modules. */
static const struct pdump_sink *sink;

static void start(void)
{
    setenv("PDUMP_MODULES", MODULES, 1);
    enter_folder();
    ck_assert_msg(pdump_sink_find("hdf5", &sink) == PDUMP_OK, "%s",
                  pdump_last_error());
}

/* Written, compared by the sink itself. */
static void write_dump(const struct pdump_dump *dump)
{
    struct pdump_stream *in;

    ck_assert_int_eq(pdump_stream_of(dump, &in), PDUMP_OK);
    ck_assert_msg(new_file_write(&sink->parts[0], in, "x.h5") == PDUMP_OK, "%s",
                  pdump_last_error());
    ck_assert_msg(new_file_verify(sink, in, "x.h5") == PDUMP_OK, "%s",
                  pdump_last_error());
    pdump_stream_free(in);
}

static struct pdump_dump *load(void)
{
    return folder_load("x.h5");
}

static void dump_survives(struct pdump_dump *before)
{
    struct pdump_dump *after;

    ck_assert_ptr_nonnull(before);
    write_dump(before);
    after = load();
    ck_assert_msg(kit_same(before, after), "%s", kit_difference);
    pdump_dump_free(after);
    pdump_dump_free(before);
}

static void survives(struct kit_options how)
{
    dump_survives(kit_dump(how));
}

static long size_of(const char *path)
{
    struct stat st;

    ck_assert_int_eq(stat(path, &st), 0);
    return (long)st.st_size;
}

START_TEST(every_table_is_given_back)
{
    survives((struct kit_options){ 0 });
    survives((struct kit_options){ .n_ranks = 3, .has_stats = true });
    survives((struct kit_options){ .n_ranks = 1, .n_samples = 100 });
    survives((struct kit_options){ .n_details = -1 });
    survives((struct kit_options){ .n_ranks = 2, .n_details = 3 });
    survives((struct kit_options){ .n_events = 1 });
    survives((struct kit_options){ .n_ranks = 3, .n_events = 500 });
    /* More rows than a block that is read, and than a chunk. */
    survives((struct kit_options){ .n_ranks = 3,
                                   .n_regions = 30000,
                                   .n_samples = 70000,
                                   .has_stats = true,
                                   .n_details = 900,
                                   .n_events = 90000 });
}
END_TEST

START_TEST(every_field_is_given_back)
{
    dump_survives(kit_full_dump(KIT_ENTRIES));
}
END_TEST

/* Every part of a format, as x + suffix, and all of it read back. */
static struct pdump_dump *through(const struct pdump_dump *dump,
                                  const char *format)
{
    const struct pdump_sink *to;
    struct pdump_stream *in;
    struct pdump_dump *back;
    char path[64];

    ck_assert_int_eq(pdump_sink_find(format, &to), PDUMP_OK);
    ck_assert_int_eq(pdump_stream_of(dump, &in), PDUMP_OK);
    for (const struct pdump_sink_part *p = to->parts; p->suffix; p++) {
        snprintf(path, sizeof(path), "x%s", p->suffix);
        if (!p->is_wanted || p->is_wanted(in))
            ck_assert_int_eq(new_file_write(p, in, path), PDUMP_OK);
    }
    pdump_stream_free(in);
    snprintf(path, sizeof(path), "x%s", to->parts[0].suffix);
    ck_assert_msg(pdump_load(path, &back) == PDUMP_OK, "%s",
                  pdump_last_error());
    return back;
}

START_TEST(csv_and_hdf5_have_the_same)
{
    struct pdump_dump *dump = kit_dump((struct kit_options){ .n_ranks = 3,
                                                             .n_regions = 50,
                                                             .n_samples = 20,
                                                             .has_stats = true,
                                                             .n_details = 50,
                                                             .n_events = 90 });
    struct pdump_dump *csv = through(dump, "csv");
    struct pdump_dump *hdf5 = through(csv, "hdf5");
    struct pdump_dump *again = through(hdf5, "csv");

    ck_assert_msg(kit_same(dump, csv), "csv: %s", kit_difference);
    ck_assert_msg(kit_same(dump, hdf5), "hdf5: %s", kit_difference);
    ck_assert_msg(kit_same(dump, again), "csv again: %s", kit_difference);
    pdump_dump_free(again);
    pdump_dump_free(hdf5);
    pdump_dump_free(csv);
    pdump_dump_free(dump);
    unlink("x.stats.csv");
    ck_assert_int_eq(pdump_load("x.csv", &dump), PDUMP_OK);
    ck_assert_str_eq(dump->warnings[dump->n_warnings - 1].text,
                     "the file of the statistics over ranks is missing");
    pdump_dump_free(dump);
}
END_TEST

START_TEST(an_empty_dump_survives_too)
{
    struct pdump_builder *b;
    struct pdump_dump *before, *after;

    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    ck_assert_int_eq(pdump_builder_finish(b, &before), PDUMP_OK);
    pdump_builder_free(b);
    write_dump(before);
    after = load();
    ck_assert(kit_same(before, after));
    pdump_dump_free(after);
    pdump_dump_free(before);
}
END_TEST

/* The shape of a dataset. */
static int shape_of(const char *name, hsize_t dims[2])
{
    hid_t file = H5Fopen("x.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t space = H5Dget_space(set);
    int n = H5Sget_simple_extent_dims(space, dims, NULL);

    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    return n;
}

START_TEST(samples_that_are_alike_are_one_array)
{
    hsize_t dims[2];

    survives((struct kit_options){ .n_ranks = 4, .n_samples = 50 });
    ck_assert_int_eq(shape_of("/samples/time", dims), 2);
    ck_assert_uint_eq(dims[0], 4);
    ck_assert_uint_eq(dims[1], 50);
    survives((struct kit_options){
        .n_ranks = 4, .n_samples = 50, .is_irregular = true });
    ck_assert_int_eq(shape_of("/samples/time", dims), 1);
    ck_assert_uint_eq(dims[0], 4 * 50 + 1 + 2 + 3);
}
END_TEST

/* 10 000 regions and two metrics with numbers as a run has them. */
static struct pdump_dump *plain_dump(int n_regions)
{
    struct pdump_builder *b;
    struct pdump_dump *dump;
    unsigned seed = 1;

    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    pdump_builder_metric(b, &(struct pdump_dump_metric){ "time", "ns", "clock",
                                                         "", PDUMP_COUNTER });
    pdump_builder_metric(b, &(struct pdump_dump_metric){ "hits", "1", "papi",
                                                         "", PDUMP_COUNTER });
    pdump_builder_process(b, &(struct pdump_dump_process){ .pid = 7 });
    pdump_builder_thread(b, &(struct pdump_dump_thread){ .name = "main" });
    for (int i = 0; i < n_regions; i++) {
        char name[40];
        int64_t row;

        snprintf(name, sizeof(name), "region number %d", i);
        row = pdump_builder_row(
            b, 0,
            pdump_builder_node(
                b, -1,
                pdump_builder_region(
                    b, &(struct pdump_dump_region){ .name = name,
                                                    .group = "user" })),
            i % 100, false);
        for (int m = 0; m < 2; m++) {
            int64_t sum = rand_r(&seed) % 100000000;

            pdump_builder_value(b, row, m, sum, sum / 120, sum / 80,
                                (double)sum * (double)sum / 100);
        }
    }
    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    pdump_builder_free(b);
    return dump;
}

START_TEST(files_are_small)
{
    struct pdump_dump *dump = plain_dump(10);

    write_dump(dump);
    ck_assert_int_lt(size_of("x.h5"), 32 << 10);
    pdump_dump_free(dump);
    dump = plain_dump(10000);
    write_dump(dump);
    ck_assert_int_lt(size_of("x.h5"), 600 << 10);
    pdump_dump_free(dump);
}
END_TEST

/* Of a tree in which each node has three below it, but the last 27. */
enum { TRACE_NODES = 40, TRACE_LEAVES = 27, TRACE_EVENTS = 200000 };

static unsigned below(unsigned *seed, unsigned n)
{
    *seed = *seed * 1103515245 + 12345;
    return (*seed >> 8) % n;
}

/* From 100 ns to 100 us, the short ones more often. */
static int64_t duration(unsigned *seed)
{
    static const int64_t scale[] = { 100, 100, 300, 300, 1000, 3000, 30000 };
    int64_t least = scale[below(seed, 7)];

    return least + below(seed, (unsigned)least * 3);
}

/* What a program with messages does on a thread, at random. */
static void add_trace(struct pdump_builder *b, int thread)
{
    unsigned seed = (unsigned)thread + 1;
    struct pdump_event event = { .node = -1 };
    int node = -1;

    for (int i = 0; i < TRACE_EVENTS; i++) {
        bool is_leaf = node >= TRACE_NODES - TRACE_LEAVES;
        bool is_message = node >= 0 && below(&seed, 20) == 0;

        event.time += duration(&seed);
        event.what = event.value = event.tag = 0;
        if (is_message) {
            event.kind =
                below(&seed, 2) ? PDUMP_EVENT_SEND : PDUMP_EVENT_RECEIVE;
            event.what = below(&seed, 8);
            event.value = 8 << below(&seed, 12);
            event.tag = below(&seed, 100);
        } else if (node < 0 || (!is_leaf && below(&seed, 2) == 0)) {
            node = node < 0 ? 0 : 3 * node + 1 + (int)below(&seed, 3);
            event.kind = PDUMP_EVENT_ENTER;
            event.node = node;
        } else {
            event.kind = PDUMP_EVENT_LEAVE;
            node = node == 0 ? -1 : (node - 1) / 3;
        }
        ck_assert_int_eq(pdump_builder_event(b, thread, &event), PDUMP_OK);
        event.node = node;
    }
}

static struct pdump_dump *traced_dump(bool has_events)
{
    struct pdump_builder *b;
    struct pdump_dump *dump;

    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    for (int i = 0; i < TRACE_NODES; i++) {
        char name[24];

        snprintf(name, sizeof(name), "region %d", i);
        pdump_builder_node(b, i == 0 ? -1 : (i - 1) / 3,
                           pdump_builder_region(
                               b, &(struct pdump_dump_region){ .name = name }));
    }
    pdump_builder_process(b, &(struct pdump_dump_process){ .pid = 7 });
    for (int i = 0; i < 2; i++) {
        pdump_builder_thread(b, &(struct pdump_dump_thread){ .number = i });
        if (has_events)
            add_trace(b, i);
    }
    ck_assert_int_eq(pdump_builder_finish(b, &dump), PDUMP_OK);
    pdump_builder_free(b);
    return dump;
}

START_TEST(an_event_takes_eight_bytes_at_most)
{
    struct pdump_dump *dump = traced_dump(false), *back;
    int64_t n;
    long empty;

    write_dump(dump);
    pdump_dump_free(dump);
    empty = size_of("x.h5");
    dump = traced_dump(true);
    n = pdump_event_lanes_count(dump);
    ck_assert_int_eq(n, 2 * TRACE_EVENTS);
    write_dump(dump);
    ck_assert_int_le(size_of("x.h5") - empty, 8 * n);
    back = load();
    ck_assert_msg(kit_same(dump, back), "%s", kit_difference);
    pdump_dump_free(back);
    pdump_dump_free(dump);
}
END_TEST

static char *read_bytes(const char *path, size_t *len)
{
    size_t n = (size_t)size_of(path);
    char *bytes = malloc(n + 1);
    FILE *f = fopen(path, "r");

    *len = fread(bytes, 1, n, f);
    ck_assert_uint_eq(*len, n);
    fclose(f);
    return bytes;
}

static void write_bytes(const char *path, const char *bytes, size_t len)
{
    FILE *f = fopen(path, "w");

    ck_assert_uint_eq(fwrite(bytes, 1, len, f), len);
    ck_assert_int_eq(fclose(f), 0);
}

/* From here on nothing may be printed. */
static void watch_stderr(void)
{
    int fd = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600);

    ck_assert_int_ge(dup2(fd, STDERR_FILENO), 0);
    close(fd);
}

static struct pdump_dump *small_dump(void)
{
    return kit_dump((struct kit_options){ .n_ranks = 2,
                                          .n_regions = 60,
                                          .n_samples = 9,
                                          .has_stats = true,
                                          .n_details = 20,
                                          .n_events = 70 });
}

/* Refused with a reason; or, where the byte means nothing, read as it was. */
static void is_noticed(const struct pdump_dump *dump, const char *what,
                       size_t at)
{
    struct pdump_dump *back = NULL;
    int err = pdump_load("y.h5", &back);

    if (err == PDUMP_OK) {
        ck_assert_msg(kit_same(dump, back), "%s at %zu: %s", what, at,
                      kit_difference);
        pdump_dump_free(back);
        return;
    }
    ck_assert_msg(err == PDUMP_EFORMAT || err == PDUMP_EIO, "%s at %zu: %d, %s",
                  what, at, err, pdump_last_error());
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "y.h5"));
}

START_TEST(a_file_that_was_cut_is_noticed)
{
    struct pdump_dump *dump = small_dump();
    size_t len;
    char *bytes;

    write_dump(dump);
    bytes = read_bytes("x.h5", &len);
    watch_stderr();
    for (size_t n = 0; n < len; n += n < 600 ? 1 : 97) {
        struct pdump_dump *back;

        write_bytes("y.h5", bytes, n);
        ck_assert_int_eq(pdump_load("y.h5", &back), PDUMP_EFORMAT);
        is_noticed(dump, "cut", n);
    }
    ck_assert_int_eq(size_of("stderr"), 0);
    free(bytes);
    pdump_dump_free(dump);
}
END_TEST

/* Each is a file of its own: all of them in the long tests only. */
static int n_damaged(void)
{
    return getenv("FUZZ") ? 500 : 100;
}

START_TEST(a_damaged_byte_is_noticed)
{
    struct pdump_dump *dump = small_dump();
    unsigned seed = (unsigned)_i + 1;
    size_t len;
    char *bytes;

    write_dump(dump);
    bytes = read_bytes("x.h5", &len);
    watch_stderr();
    for (int i = 0; i < n_damaged(); i++) {
        size_t at = i < 64 && _i == 0 ? (size_t)i : (size_t)rand_r(&seed) % len;
        char was = bytes[at];

        bytes[at] = (char)(was ^ (1 << rand_r(&seed) % 8));
        write_bytes("y.h5", bytes, len);
        is_noticed(dump, "bit", at);
        bytes[at] = _i == 0 ? 0 : (char)rand_r(&seed);
        write_bytes("y.h5", bytes, len);
        is_noticed(dump, "byte", at);
        bytes[at] = was;
    }
    ck_assert_int_eq(size_of("stderr"), 0);
    free(bytes);
    pdump_dump_free(dump);
}
END_TEST

static int64_t noise(unsigned *seed)
{
    uint64_t value = 0;

    for (int i = 0; i < 8; i++)
        value = value << 8 | (rand_r(seed) >> 8 & 0xff);
    return (int64_t)value;
}

/* Numbers that cannot be compressed are stored as they are. */
START_TEST(damage_is_noticed_in_what_is_not_compressed)
{
    struct pdump_dump *dump = plain_dump(400);
    unsigned seed = 1;
    size_t len;
    char *bytes;

    for (int64_t i = 0; i < dump->n_rows; i++)
        for (int m = 0; m < dump->n_metrics; m++) {
            dump->columns[m].sum[i] = noise(&seed);
            dump->columns[m].min[i] = noise(&seed);
            dump->columns[m].max[i] = noise(&seed);
        }
    pdump_dump_exclusive(dump, 0, dump->columns[0].exclusive);
    pdump_dump_exclusive(dump, 1, dump->columns[1].exclusive);
    write_dump(dump);
    bytes = read_bytes("x.h5", &len);
    for (size_t at = 100; at < len; at += 101) {
        bytes[at] ^= 4;
        write_bytes("y.h5", bytes, len);
        is_noticed(dump, "bit", at);
        bytes[at] ^= 4;
    }
    free(bytes);
    pdump_dump_free(dump);
}
END_TEST

/* Change one number of a column, or of an attribute if there is no slash. */
static void change(const char *name, int at, int64_t value)
{
    hid_t file = H5Fopen("x.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    int64_t values[100000];

    ck_assert_int_ge(file, 0);
    if (name[0] != '/') {
        hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);

        ck_assert_int_ge(H5Awrite(attribute, H5T_NATIVE_INT64, &value), 0);
        H5Aclose(attribute);
    } else {
        hid_t set = H5Dopen2(file, name, H5P_DEFAULT);

        ck_assert_int_ge(H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL,
                                 H5P_DEFAULT, values),
                         0);
        values[at] = value;
        ck_assert_int_ge(H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL,
                                  H5P_DEFAULT, values),
                         0);
        H5Dclose(set);
    }
    ck_assert_int_ge(H5Fclose(file), 0);
}

static const struct {
    const char *name;
    int at;
    int64_t value;
    const char *says;
} lies[] = {
    { "pdump_format", 0, 99, "layout 99" },
    { "/nodes/parent", 3, 3, "/nodes[3]" },
    { "/nodes/parent", 3, -7, "/nodes[3]" },
    { "/nodes/region", 2, 100000, "/nodes[2]" },
    { "/nodes/region", 70, 20, "twice" },
    { "/regions/name_ptr", 4, -1, "/regions/name" },
    { "/regions/name_ptr", 4, 1 << 30, "/regions/name" },
    { "/regions/name", 4, 0, "/regions/name" },
    { "/metrics/kind", 1, 77, "/metrics[1]" },
    { "/threads/process", 1, 5, "/threads[1]" },
    { "/threads/number", 1, 0, "/threads[1]" },
    { "/profile/thread", 9, 99, "/profile[9]" },
    { "/profile/thread", 9, -1, "/profile[9]" },
    { "/profile/node", 9, 1 << 20, "/profile[9]" },
    { "/profile/node", 9, 8, "twice" },
    { "/profile/visits", 9, -3, "/profile[9]" },
    { "/profile/rank_ptr", 1, 100000, "/profile/rank_ptr" },
    { "/profile/rank_ptr", 2, 3, "/profile/rank_ptr" },
    { "/samples/node", 3, 9999, "/samples[3]" },
    { "/events/thread", 3, 99, "/events[3]" },
    { "/events/thread", 3, 1, "/events[4]: events of thread 0 after" },
    { "/events/node", 4, 9999, "/events[4]" },
    { "/events/node", 4, -2, "/events[4]" },
    { "/events/kind", 4, PDUMP_EVENT_KINDS, "/events[4]" },
    { "/events/kind", 4, 255, "/events[4]" },
    { "/events/time", 4, -1, "/events[4]" },
    { "/events/time", 4, INT64_MAX, "/events[4]" },
    { "/events/rank_ptr", 1, 0x7fffffff, "/events/rank_ptr" },
    { "/mpi/thread", 3, 99, "/mpi[3]: no table 0, thread 99" },
    { "/mpi/thread", 3, -2, "/mpi[3]: no table 0, thread -2" },
    { "/mpi/node", 3, 9999, "/mpi[3]" },
    { "/mpi/node", 3, -2, "/mpi[3]" },
    { "/mpi/label", 3, 5, "/mpi[3]: there is no label 5" },
    { "/mpi/label", 3, -1, "/mpi[3]: there is no label -1" },
    { "/mpi/label_name_ptr", 1, 1 << 30, "/mpi/label_name" },
    { "/mpi/fields/kind", 2, 4, "/mpi: no kind of field is 4" },
    { "/mpi/fields/kind", 2, -1, "/mpi: no kind of field is -1" },
    { "/mpi/fields/width", 4, 31, "/mpi/sizes: has not the size" },
    { "/mpi/fields/width", 4, 1, "/mpi/sizes: has not the length" },
    { "/mpi/fields/width", 0, 2, "/mpi/calls: has not the size" },
    { "/mpi/fields/width", 4, 0, "/details[0]: field sizes of table mpi" },
    { "/mpi/fields/width", 4, 1 << 30, "/details[0]: field sizes of table" },
};

START_TEST(a_file_that_lies_is_refused)
{
    struct pdump_dump *dump = small_dump(), *back;

    write_dump(dump);
    change(lies[_i].name, lies[_i].at, lies[_i].value);
    watch_stderr();
    ck_assert_int_eq(pdump_load("x.h5", &back), PDUMP_EFORMAT);
    ck_assert_msg(strstr(pdump_last_error(), lies[_i].says) != NULL, "%s: %s",
                  lies[_i].says, pdump_last_error());
    ck_assert_int_eq(size_of("stderr"), 0);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(what_is_missing_is_named)
{
    static const char *const names[] = {
        "/nodes/parent", "/profile",          "/profile/time/sum",
        "/ranks/host",   "/metadata/key_ptr", "/threads",
        "/samples/rank", "/mpi/fields",       "/%m1/bins",
        "/mpi/label",    "/details/name",     "/mpi/label_name_ptr",
        "/events/kind",  "/events/rank"
    };
    struct pdump_dump *dump = small_dump(), *back;
    hid_t file;

    write_dump(dump);
    file = H5Fopen("x.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    ck_assert_int_ge(H5Ldelete(file, names[_i], H5P_DEFAULT), 0);
    H5Fclose(file);
    watch_stderr();
    ck_assert_int_eq(pdump_load("x.h5", &back), PDUMP_EFORMAT);
    ck_assert_msg(strstr(pdump_last_error(), names[_i]) != NULL, "%s",
                  pdump_last_error());
    ck_assert_int_eq(size_of("stderr"), 0);
    pdump_dump_free(dump);
}
END_TEST

enum { NO_FILTER = 32100, BOMB = 1 << 23 };
static const char column[] = "/profile/time/sum";

/* A filter that is not in HDF5. */
static size_t filter_nothing(unsigned flags, size_t n, const unsigned *values,
                             size_t bytes, size_t *room, void **buf)
{
    (void)flags, (void)n, (void)values, (void)room, (void)buf;
    return bytes;
}

static const H5Z_class2_t filter_class = { .version = H5Z_CLASS_T_VERS,
                                           .id = NO_FILTER,
                                           .encoder_present = 1,
                                           .decoder_present = 1,
                                           .name = "nothing",
                                           .filter = filter_nothing };

/* Makes a dataset of n numbers in place of a column; returns it. */
static hid_t replace_column(hid_t file, hsize_t n, hid_t how)
{
    hid_t space = H5Screate_simple(1, &n, NULL), set;

    H5Ldelete(file, column, H5P_DEFAULT);
    set = H5Dcreate2(file, column, H5T_STD_I64LE, space, H5P_DEFAULT, how,
                     H5P_DEFAULT);
    ck_assert_int_ge(set, 0);
    H5Sclose(space);
    return set;
}

static hid_t put_numbers(hid_t set, hsize_t n)
{
    int64_t *numbers = calloc(n, sizeof(*numbers));

    ck_assert_ptr_nonnull(numbers);
    ck_assert_int_ge(
        H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers),
        0);
    free(numbers);
    return set;
}

static void external_storage(hid_t file, hsize_t n, hid_t how)
{
    int64_t *numbers = calloc(n, sizeof(*numbers));

    write_bytes("other.raw", (char *)numbers, n * sizeof(*numbers));
    H5Pset_external(how, "other.raw", 0, n * sizeof(*numbers));
    H5Dclose(replace_column(file, n, how));
    free(numbers);
}

/* Another file that has such a column. */
static void make_other(hsize_t n)
{
    hid_t other =
        H5Fcreate("other.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(1, &n, NULL);

    H5Dclose(put_numbers(H5Dcreate2(other, "x", H5T_STD_I64LE, space,
                                    H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                         n));
    H5Sclose(space);
    H5Fclose(other);
}

static void virtual_dataset(hid_t file, hsize_t n, hid_t how)
{
    hid_t space = H5Screate_simple(1, &n, NULL);

    make_other(n);
    H5Pset_virtual(how, space, "other.h5", "x", space);
    H5Dclose(replace_column(file, n, how));
    H5Sclose(space);
}

static void external_link(hid_t file, hsize_t n, hid_t how)
{
    (void)how;
    make_other(n);
    H5Ldelete(file, column, H5P_DEFAULT);
    ck_assert_int_ge(H5Lcreate_external("other.h5", "x", file, column,
                                        H5P_DEFAULT, H5P_DEFAULT),
                     0);
}

static void foreign_filter(hid_t file, hsize_t n, hid_t how)
{
    ck_assert_int_ge(H5Zregister(&filter_class), 0);
    H5Pset_chunk(how, 1, &n);
    H5Pset_filter(how, NO_FILTER, 0, 0, NULL);
    H5Dclose(put_numbers(replace_column(file, n, how), n));
}

/* A chunk of a few bytes that becomes 64 MiB. */
static void bomb(hid_t file, hsize_t n, hid_t how)
{
    hsize_t size = BOMB, at = 0, packed = 0;
    uint32_t mask = 0;
    char *bytes;
    hid_t set;

    H5Pset_shuffle(how);
    H5Pset_deflate(how, 9);
    H5Pset_chunk(how, 1, &size);
    set = put_numbers(replace_column(file, size, how), size);
    H5Dget_chunk_storage_size(set, &at, &packed);
    bytes = malloc(packed);
    ck_assert_int_ge(H5Dread_chunk(set, H5P_DEFAULT, &at, &mask, bytes), 0);
    H5Dclose(set);
    H5Pset_chunk(how, 1, &n);
    set = replace_column(file, n, how);
    ck_assert_int_ge(H5Dwrite_chunk(set, H5P_DEFAULT, 0, &at, packed, bytes),
                     0);
    H5Dclose(set);
    free(bytes);
}

static const struct {
    void (*make)(hid_t file, hsize_t n, hid_t how);
    const char *why;
} dangers[] = {
    { external_storage, "external" },
    { virtual_dataset, "virtual" },
    { external_link, column },
    { foreign_filter, "filter" },
    { bomb, "a chunk has not the size" },
};

START_TEST(a_file_reads_no_other_file_and_loads_no_code)
{
    struct pdump_dump *dump = small_dump(), *back;
    hid_t file, how = H5Pcreate(H5P_DATASET_CREATE);

    write_dump(dump);
    file = H5Fopen("x.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    dangers[_i].make(file, (hsize_t)dump->n_rows, how);
    H5Pclose(how);
    H5Fclose(file);
    ck_assert_int_eq(pdump_load("x.h5", &back), PDUMP_EFORMAT);
    ck_assert_msg(strstr(pdump_last_error(), dangers[_i].why) != NULL, "%s",
                  pdump_last_error());
    pdump_dump_free(dump);
}
END_TEST

START_TEST(a_foreign_hdf5_file_is_refused)
{
    hid_t file = H5Fcreate("x.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    struct pdump_dump *back;

    H5Fclose(file);
    watch_stderr();
    ck_assert_int_eq(pdump_load("x.h5", &back), PDUMP_EFORMAT);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "not a dump of libpdump"));
    ck_assert_int_eq(size_of("stderr"), 0);
}
END_TEST

START_TEST(lost_bytes_are_noticed_by_the_sink)
{
    struct pdump_dump *dump = small_dump();
    struct pdump_stream *in;
    size_t len;
    char *bytes;

    write_dump(dump);
    bytes = read_bytes("x.h5", &len);
    ck_assert_int_eq(pdump_stream_of(dump, &in), PDUMP_OK);
    for (size_t at = 0; at + 64 < len; at += 512) {
        char was[64];

        memcpy(was, bytes + at, sizeof(was));
        memset(bytes + at, 0, sizeof(was));
        write_bytes("y.h5", bytes, len);
        if (memcmp(was, bytes + at, sizeof(was)) != 0 &&
            new_file_verify(sink, in, "y.h5") == PDUMP_OK) {
            struct pdump_dump *back;

            /* It may have been a gap, of which there are some. */
            ck_assert_int_eq(pdump_load("y.h5", &back), PDUMP_OK);
            ck_assert_msg(kit_same(dump, back), "%s", kit_difference);
            pdump_dump_free(back);
        }
        memcpy(bytes + at, was, sizeof(was));
    }
    pdump_stream_free(in);
    pdump_dump_free(dump);
    free(bytes);
}
END_TEST

/* Every value counts, also in tables that no reader misses. */
START_TEST(another_dump_is_not_what_was_written)
{
    struct pdump_dump *dump = small_dump();
    struct pdump_stream *in;

    write_dump(dump);
    ck_assert_int_eq(pdump_stream_of(dump, &in), PDUMP_OK);
    dump->columns[4].sumsq[11] += 1;
    ck_assert_int_eq(new_file_verify(sink, in, "x.h5"), PDUMP_EIO);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "%m4/sumsq"));
    dump->columns[4].sumsq[11] -= 1;
    ck_assert_int_eq(new_file_verify(sink, in, "x.h5"), PDUMP_OK);
    dump->sample_values[0][17]++;
    ck_assert_int_eq(new_file_verify(sink, in, "x.h5"), PDUMP_EIO);
    dump->sample_values[0][17]--;
    dump->stats[1][3].rank_of_max++;
    ck_assert_int_eq(new_file_verify(sink, in, "x.h5"), PDUMP_EIO);
    dump->stats[1][3].rank_of_max--;
    dump->details[0].values[42]++;
    ck_assert_int_eq(new_file_verify(sink, in, "x.h5"), PDUMP_EIO);
    dump->details[0].values[42]--;
    dump->details[0].rows[2].label++;
    ck_assert_int_eq(new_file_verify(sink, in, "x.h5"), PDUMP_EIO);
    dump->details[0].rows[2].label--;
    dump->lanes[0].bytes[0] += 16; /* the first one is a ns later */
    ck_assert_int_eq(new_file_verify(sink, in, "x.h5"), PDUMP_EIO);
    dump->lanes[0].bytes[0] -= 16;
    dump->metadata[0].value = "other";
    ck_assert_int_eq(new_file_verify(sink, in, "x.h5"), PDUMP_EIO);
    pdump_stream_free(in);
    pdump_dump_free(dump);
}
END_TEST

/* A file must not grow beyond so many bytes: as on a disk that is full. */
static void limit(rlim_t size)
{
    struct rlimit limits;

    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limits), 0);
    limits.rlim_cur = size;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limits), 0);
}

static int no_piece(struct pdump_stream *in, int i,
                    const struct pdump_dump **out)
{
    (void)in, (void)i, (void)out;
    return PDUMP_EPEER;
}

/* Ranks are not asked for their rows again. */
START_TEST(a_stream_that_was_written_is_remembered)
{
    struct pdump_dump *dump = small_dump();
    int64_t *values[] = { &dump->columns[0].sum[11], &dump->columns[1].max[3],
                          &dump->sample_values[0][17] };
    struct pdump_stream *in;

    ck_assert_int_eq(pdump_stream_of(dump, &in), PDUMP_OK);
    ck_assert_int_eq(new_file_write(&sink->parts[0], in, "x.h5"), PDUMP_OK);
    in->piece = no_piece;
    ck_assert_msg(new_file_verify(sink, in, "x.h5") == PDUMP_OK, "%s",
                  pdump_last_error());
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        ++*values[i];
        write_dump(dump); /* another file in its place */
        --*values[i];
        ck_assert_int_eq(new_file_verify(sink, in, "x.h5"), PDUMP_EIO);
        ck_assert_ptr_nonnull(strstr(pdump_last_error(), "not what was"));
    }
    pdump_stream_free(in);
    pdump_dump_free(dump);
}
END_TEST

/* Also when the same file is written again, and at the program's end. */
START_TEST(a_full_disk_is_told_and_harms_nobody)
{
    struct pdump_dump *dump = small_dump();
    struct pdump_stream *in;

    ck_assert_int_eq(pdump_stream_of(dump, &in), PDUMP_OK);
    signal(SIGXFSZ, SIG_IGN);
    watch_stderr();
    for (rlim_t size = 0; size < 40000; size += 5000) {
        limit(size);
        ck_assert_int_eq(new_file_write(&sink->parts[0], in, "x.h5"),
                         PDUMP_EIO);
        ck_assert_ptr_nonnull(strstr(pdump_last_error(), "File too large"));
        ck_assert_int_eq(new_file_verify(sink, in, "x.h5"), PDUMP_EIO);
    }
    limit(RLIM_INFINITY);
    ck_assert_int_eq(pdump_sink_write(&sink->parts[0], dump, "no/such/x.h5"),
                     PDUMP_EIO);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "No such file"));
    if (access("/dev/full", W_OK) == 0) {
        ck_assert_int_eq(pdump_sink_write(&sink->parts[0], dump, "/dev/full"),
                         PDUMP_EIO);
        ck_assert_ptr_nonnull(strstr(pdump_last_error(), "No space left"));
    }
    ck_assert_int_eq(size_of("stderr"), 0);
    /* And HDF5 can still be used. */
    write_dump(dump);
    pdump_stream_free(in);
    pdump_dump_free(dump);
}
END_TEST

/* A hollow file has everything but the rows. */
START_TEST(a_hollow_file_has_the_shape_of_the_whole)
{
    struct pdump_dump *dump = small_dump();
    struct pdump_stream *in;
    hsize_t dims[2];

    ck_assert_int_eq(pdump_stream_of(dump, &in), PDUMP_OK);
    in->is_hollow = true;
    ck_assert_int_eq(new_file_write(&sink->parts[0], in, "x.h5"), PDUMP_OK);
    ck_assert_int_eq(shape_of("/profile/time/sum", dims), 1);
    ck_assert_uint_eq(dims[0], (hsize_t)dump->n_rows);
    ck_assert_int_eq(new_file_verify(sink, in, "x.h5"), PDUMP_OK);
    in->is_hollow = false;
    ck_assert_int_eq(new_file_verify(sink, in, "x.h5"), PDUMP_EIO);
    pdump_stream_free(in);
    pdump_dump_free(dump);
}
END_TEST

static herr_t note_error(hid_t stack, void *data)
{
    (void)stack;
    ++*(int *)data;
    return 0;
}

/* The program has the same HDF5, and its own wish for errors. */
START_TEST(the_programs_own_error_handler_stays)
{
    struct pdump_dump *dump = small_dump(), *back;
    H5E_auto2_t handler;
    int n = 0;
    void *data;

    H5Eset_auto2(H5E_DEFAULT, note_error, &n);
    write_dump(dump);
    write_bytes("y.h5", "\211HDF\r\n\032\n and nothing", 20);
    ck_assert_int_eq(pdump_load("y.h5", &back), PDUMP_EFORMAT);
    ck_assert_int_eq(n, 0);
    H5Eget_auto2(H5E_DEFAULT, &handler, &data);
    ck_assert(handler == note_error && data == &n);
    H5Fopen("nowhere.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    ck_assert_int_eq(n, 1);
    pdump_dump_free(dump);
}
END_TEST

START_TEST(without_the_module_the_message_says_so)
{
    const struct pdump_sink *found;
    struct pdump_dump *dump = small_dump(), *back;

    write_dump(dump);
    setenv("PDUMP_MODULES", "/nowhere", 1);
    ck_assert_int_eq(pdump_sink_find("hdf5", &found), PDUMP_EPLUGIN);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "hdf5 is not installed: "
                                                     "/nowhere/pdump_hdf5.so"));
    ck_assert_int_eq(pdump_load("x.h5", &back), PDUMP_EPLUGIN);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), "x.h5"));
    ck_assert_int_eq(pdump_sink_find("nonsense", &found), PDUMP_ENOENT);
    ck_assert_ptr_null(strstr(pdump_last_error(), "hdf5"));
    for (int i = 0; pdump_sink_at(i); i++)
        ck_assert_str_ne(pdump_sink_at(i)->name, "hdf5");
    pdump_dump_free(dump);
}
END_TEST

START_TEST(modules_formats_are_listed)
{
    const struct pdump_sink *found;
    int n = 0;

    for (int i = 0; pdump_sink_at(i); i++)
        n += pdump_sink_at(i) == sink;
    ck_assert_int_eq(n, 1);
    ck_assert_int_eq(pdump_sink_find("nonsense", &found), PDUMP_ENOENT);
    ck_assert_ptr_nonnull(strstr(pdump_last_error(), ", hdf5"));
}
END_TEST

#define N(list) (int)(sizeof(list) / sizeof((list)[0]))

int main(void)
{
    Suite *suite = suite_create("hdf5");
    TCase *tc = tcase_create("files");
    const char *sanitizers = getenv("PDUMP_SANITIZERS");

    if (sanitizers && strstr(sanitizers, "thread")) {
        puts("one thread, and minutes with the thread sanitizer");
        return 77;
    }
    tcase_add_checked_fixture(tc, start, leave_folder);
    tcase_add_test(tc, every_table_is_given_back);
    tcase_add_test(tc, every_field_is_given_back);
    tcase_add_test(tc, csv_and_hdf5_have_the_same);
    tcase_add_test(tc, an_empty_dump_survives_too);
    tcase_add_test(tc, samples_that_are_alike_are_one_array);
    tcase_add_test(tc, files_are_small);
    tcase_add_test(tc, an_event_takes_eight_bytes_at_most);
    tcase_add_test(tc, a_file_that_was_cut_is_noticed);
    tcase_add_loop_test(tc, a_damaged_byte_is_noticed, 0, 3);
    tcase_add_test(tc, damage_is_noticed_in_what_is_not_compressed);
    tcase_add_loop_test(tc, a_file_that_lies_is_refused, 0, N(lies));
    tcase_add_loop_test(tc, what_is_missing_is_named, 0, 14);
    tcase_add_loop_test(tc, a_file_reads_no_other_file_and_loads_no_code, 0,
                        (int)(sizeof(dangers) / sizeof(dangers[0])));
    tcase_add_test(tc, a_foreign_hdf5_file_is_refused);
    tcase_add_test(tc, lost_bytes_are_noticed_by_the_sink);
    tcase_add_test(tc, another_dump_is_not_what_was_written);
    tcase_add_test(tc, a_stream_that_was_written_is_remembered);
    tcase_add_test(tc, a_full_disk_is_told_and_harms_nobody);
    tcase_add_test(tc, a_hollow_file_has_the_shape_of_the_whole);
    tcase_add_test(tc, the_programs_own_error_handler_stays);
    tcase_add_test(tc, without_the_module_the_message_says_so);
    tcase_add_test(tc, modules_formats_are_listed);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
