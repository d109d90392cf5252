/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The HDF5 reader.  Bytes that are changed at random are the business of HDF5
 * itself; what is in the file is ours.  So the input is a list of changes to
 * the good file that FUZZ_SEED names: numbers, lengths, types, missing things.
 * Or it is a text, as those in corpus/hdf5: a line "#", then changes as
 *   WHAT DATASET INDEX NUMBER
 */
#include "target.h"

#include "dump/builder.h"

#include <hdf5.h>

enum { SETS_MAX = 256, CHANGES_MAX = 8 };

/* One change, as it stands in the input. */
struct change {
    uint8_t what;
    uint8_t set;
    uint16_t at;
    int32_t which;
    int64_t value;
};

/* What a change is, by number; what has no name changes a value, too. */
static const char *const whats[] = { "delete", "int64", "double",
                                     "text",   "int32", "group",
                                     "format", "link",  "value" };

static char *seed;
static size_t seed_size;
static char *sets[SETS_MAX];
static int n_sets;

/* There if the module's own files are linked in, as libFuzzer wants it. */
int pdump_h5_read(const char *path, struct pdump_builder *b)
    __attribute__((weak));

static herr_t collect(hid_t file, const char *name, const H5O_info_t *info,
                      void *unused)
{
    (void)file, (void)unused;
    if (info->type == H5O_TYPE_DATASET && n_sets < SETS_MAX)
        sets[n_sets++] = strdup(name);
    return 0;
}

static void start(void)
{
    const char *path = getenv("FUZZ_SEED");
    FILE *f = path ? fopen(path, "r") : NULL;
    hid_t file;

    seed = malloc(1 << 20);
    if (!f || !seed || (seed_size = fread(seed, 1, 1 << 20, f)) == 0)
        target_fail("FUZZ_SEED names no file");
    fclose(f);
    file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, collect, NULL, H5O_INFO_BASIC);
    H5Fclose(file);
    if (n_sets == 0)
        target_fail("FUZZ_SEED is empty");
    target_enter();
}

static hsize_t length_of(hid_t set)
{
    hid_t space = H5Dget_space(set);
    hssize_t n = H5Sget_simple_extent_npoints(space);

    H5Sclose(space);
    return n > 0 ? (hsize_t)n : 0;
}

static const int64_t values[] = {
    0,         1,         -1,          2,          INT32_MAX, INT32_MIN,
    INT64_MAX, INT64_MIN, 1000000000,  UINT32_MAX, 255,       3,
    INT16_MAX, 1 << 20,   -1000000000, 7,
};

/* Mostly one that somebody might have forgotten. */
static int64_t value_of(const struct change *c)
{
    return c->which & 3 ? values[(size_t)(c->which >> 2 & 15)] : c->value;
}

static void set_value(hid_t file, const struct change *c)
{
    hid_t set = H5Dopen2(file, sets[c->set % n_sets], H5P_DEFAULT);
    hid_t space = H5Dget_space(set), one = H5Screate(H5S_SCALAR);
    hsize_t n = length_of(set), dims[2] = { 0, 0 }, at[2] = { 0, 0 };
    int64_t value = value_of(c);

    if (H5Sget_simple_extent_dims(space, dims, NULL) == 2) {
        at[0] = n ? c->at % n / dims[1] : 0;
        at[1] = n ? c->at % n % dims[1] : 0;
    } else {
        at[0] = n ? c->at % n : 0;
    }
    if (n > 0 && H5Sselect_elements(space, H5S_SELECT_SET, 1, at) >= 0)
        H5Dwrite(set, H5T_NATIVE_INT64, one, space, H5P_DEFAULT, &value);
    H5Sclose(one);
    H5Sclose(space);
    H5Dclose(set);
}

/* The same name, and another length or type, with nothing in it. */
static void replace_set(hid_t file, const struct change *c, hid_t type,
                        int n_dims)
{
    const char *name = sets[c->set % n_sets];
    /* HDF5 takes hours to delete a dataset of 10^9 chunks. */
    hsize_t length = (hsize_t)value_of(c) & ((UINT64_C(1) << 33) - 1);
    hsize_t chunk[2] = { length < 1 << 16 ? 64 : 1 << 16, 1 };
    hsize_t dims[2] = { length, c->at % 4 };
    hid_t list = H5Pcreate(H5P_DATASET_CREATE), set = -1;
    hid_t space = H5Screate_simple(n_dims, dims, NULL);

    if (length > 0 && n_dims > 0)
        H5Pset_chunk(list, n_dims, chunk);
    if (H5Ldelete(file, name, H5P_DEFAULT) >= 0)
        set =
            H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
    H5Pclose(list);
}

static void set_attribute(hid_t file, const struct change *c)
{
    hid_t attribute = H5Aopen(file, "pdump_format", H5P_DEFAULT);
    int64_t value = value_of(c);

    H5Awrite(attribute, H5T_NATIVE_INT64, &value);
    H5Aclose(attribute);
}

static void apply(hid_t file, const struct change *c)
{
    const char *name = sets[c->set % n_sets];
    hid_t group;

    switch (c->what % 16) {
    case 0:
        H5Ldelete(file, name, H5P_DEFAULT);
        break;
    case 1:
        replace_set(file, c, H5T_NATIVE_INT64, 1);
        break;
    case 2:
        replace_set(file, c, H5T_NATIVE_DOUBLE, 1);
        break;
    case 3:
        replace_set(file, c, H5T_C_S1, 1);
        break;
    case 4:
        replace_set(file, c, H5T_NATIVE_INT32, c->at % 2 ? 2 : 0);
        break;
    case 5:
        H5Ldelete(file, name, H5P_DEFAULT);
        group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (group >= 0)
            H5Gclose(group);
        break;
    case 6:
        set_attribute(file, c);
        break;
    case 7: /* one in the place of another */
        H5Ldelete(file, name, H5P_DEFAULT);
        H5Lcreate_soft(sets[(size_t)c->at % (size_t)n_sets], file, name,
                       H5P_DEFAULT, H5P_DEFAULT);
        break;
    default:
        set_value(file, c);
    }
}

static void read_linked(const char *path)
{
    struct pdump_builder *b;
    struct pdump_dump *dump = NULL;
    int err;

    if (pdump_builder_new(&b) < 0)
        return;
    err = pdump_h5_read(path, b);
    target_check(path, err);
    if (err >= 0 && pdump_builder_finish(b, &dump) >= 0)
        target_use(dump);
    pdump_dump_free(dump);
    pdump_builder_free(b);
}

static int number_of(const char *name, const char *const *names, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

static void apply_line(hid_t file, const char *line)
{
    char what[16], set[64];
    long long value;
    unsigned at;
    int i, k;

    if (sscanf(line, "%15s %63s %u %lld", what, set, &at, &value) != 4)
        return target_unknown(line);
    i = number_of(what, whats, sizeof(whats) / sizeof(whats[0]));
    k = number_of(set, (const char *const *)sets, n_sets);
    if (i < 0 || k < 0)
        target_unknown(line);
    else
        apply(file, &(struct change){ .what = (uint8_t)i,
                                      .set = (uint8_t)k,
                                      .at = (uint16_t)at,
                                      .value = value });
}

static void apply_text(hid_t file, const uint8_t *data, size_t size)
{
    char text[1024], *line, *rest = text;

    size = size < sizeof(text) ? size : sizeof(text) - 1;
    memcpy(text, data, size);
    text[size] = '\0';
    strsep(&rest, "\n");
    while ((line = strsep(&rest, "\n")))
        if (*line)
            apply_line(file, line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct change c;
    hid_t file;

    if (!seed)
        start();
    target_put("x.h5", seed, seed_size);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    file = H5Fopen("x.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    if (size > 1 && data[0] == '#' && data[1] == '\n') {
        apply_text(file, data, size);
        size = 0;
    }
    for (int i = 0; i < CHANGES_MAX && size >= sizeof(c); i++) {
        memcpy(&c, data, sizeof(c));
        apply(file, &c);
        data += sizeof(c);
        size -= sizeof(c);
    }
    H5Fclose(file);
    if (pdump_h5_read)
        read_linked("x.h5");
    else
        target_read("x.h5");
    return 0;
}
