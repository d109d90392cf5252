/* SPDX-License-Identifier: BSD-3-Clause */
/* Unpacks the chunks of columns without HDF5, whose filters took half of the
 * time of reading a large file. */
#include "deflate.h"
#include "h5_layout.h"
#include "read.h"

#include <stdlib.h>
#include <string.h>

/* Buffers for a chunk: its values and its compressed bytes. */
struct scratch {
    char values[PDUMP_H5_CHUNK * sizeof(int64_t)];
    char packed[PDUMP_H5_CHUNK * sizeof(int64_t) + 4096];
};

static bool has_filter(hid_t list, unsigned i, H5Z_filter_t wanted)
{
    unsigned flags, config, values[8];
    size_t n = sizeof(values) / sizeof(values[0]);

    return H5Pget_filter2(list, i, &flags, &n, values, 0, NULL, &config) ==
           wanted;
}

/* Returns true if the column is packed as we pack, with numbers that need no
 * conversion.  `chunk` is set to the number of values in a chunk. */
static bool is_plain(const struct pdump_h5_column *c, hsize_t *chunk)
{
    hid_t list = H5Dget_create_plist(c->set), type = H5Dget_type(c->set);
    bool is_so = c->n_dims == 1 && H5Pget_layout(list) == H5D_CHUNKED &&
                 H5Pget_chunk(list, 1, chunk) == 1 && *chunk > 0 &&
                 *chunk <= PDUMP_H5_CHUNK && H5Pget_nfilters(list) == 2 &&
                 has_filter(list, 0, H5Z_FILTER_SHUFFLE) &&
                 has_filter(list, 1, H5Z_FILTER_DEFLATE) &&
                 H5Tequal(type, pdump_h5_memory_type(c->type)) > 0;

    H5Tclose(type);
    H5Pclose(list);
    return is_so;
}

/* Undoes HDF5's shuffle, which puts the first bytes of all values first. */
static void values_unshuffle(const char *in, size_t room, size_t width,
                             size_t n, char *out)
{
    for (size_t byte = 0; byte < width; byte++)
        for (size_t i = 0; i < n; i++)
            out[i * width + byte] = in[byte * room + i];
}

/* Exchanges the bits of `a` that are `bits` above the mask with the bits of `b`
 * in the mask. */
static inline void bits_exchange(uint64_t *a, uint64_t *b, int bits,
                                 uint64_t mask)
{
    uint64_t differs = ((*a >> bits) ^ *b) & mask;

    *a ^= differs << bits;
    *b ^= differs;
}

/* Transposes a matrix of eight by eight bytes by exchanging halves, quarters
 * and bytes.  There are no loops, so that it stays in registers. */
static inline void matrix_turn(uint64_t w[8])
{
    const uint64_t half = UINT64_C(0x00000000ffffffff);
    const uint64_t quarter = UINT64_C(0x0000ffff0000ffff);
    const uint64_t byte = UINT64_C(0x00ff00ff00ff00ff);

    bits_exchange(&w[0], &w[4], 32, half);
    bits_exchange(&w[1], &w[5], 32, half);
    bits_exchange(&w[2], &w[6], 32, half);
    bits_exchange(&w[3], &w[7], 32, half);
    bits_exchange(&w[0], &w[2], 16, quarter);
    bits_exchange(&w[1], &w[3], 16, quarter);
    bits_exchange(&w[4], &w[6], 16, quarter);
    bits_exchange(&w[5], &w[7], 16, quarter);
    bits_exchange(&w[0], &w[1], 8, byte);
    bits_exchange(&w[2], &w[3], 8, byte);
    bits_exchange(&w[4], &w[5], 8, byte);
    bits_exchange(&w[6], &w[7], 8, byte);
}

/* The same for values of eight bytes, eight at a time.  Only for little-endian
 * machines: the file has the lowest byte first. */
static void unshuffle_words(const char *in, size_t room, size_t n, char *out)
{
    size_t i = 0;

    for (; i + 8 <= n; i += 8) {
        uint64_t w[8];

        for (size_t byte = 0; byte < 8; byte++)
            memcpy(&w[byte], in + byte * room + i, 8);
        matrix_turn(w);
        memcpy(out + i * 8, w, sizeof(w));
    }
    for (; i < n; i++)
        for (size_t byte = 0; byte < 8; byte++)
            out[i * 8 + byte] = in[byte * room + i];
}

static bool read_chunk(const struct pdump_h5_column *c, struct scratch *s,
                       hsize_t at, size_t bytes)
{
    hsize_t size = 0;
    uint32_t skipped = 0;

    return H5Dget_chunk_storage_size(c->set, &at, &size) >= 0 && size > 0 &&
           size <= sizeof(s->packed) &&
           H5Dread_chunk(c->set, c->h->transfer, &at, &skipped, s->packed) >=
               0 &&
           skipped == 0 && pdump_inflate(s->packed, size, s->values, bytes);
}

bool pdump_h5_column_unpack(const struct pdump_h5_column *c, hsize_t j,
                            hsize_t n, void *out)
{
    size_t width = pdump_schema_size(c->type);
    struct scratch *s;
    hsize_t chunk = 0, at;
    bool is_read;

    if (!is_plain(c, &chunk) || j % chunk != 0 ||
        (n % chunk != 0 && j + n != c->dims[1]))
        return false;
    s = malloc(sizeof(*s));
    for (at = j; s && at < j + n; at += chunk) {
        size_t wanted = j + n - at < chunk ? j + n - at : chunk;
        char *to = (char *)out + (at - j) * width;

        if (!read_chunk(c, s, at, chunk * width))
            break;
        if (width == 8 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
            unshuffle_words(s->values, chunk, wanted, to);
        else
            values_unshuffle(s->values, chunk, width, wanted, to);
    }
    is_read = s && at >= j + n;
    free(s);
    return is_read;
}
