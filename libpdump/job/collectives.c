/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective operations on the ranks of a group, made of messages. */
#include "job/collectives.h"

#include <stdlib.h>
#include <string.h>

int pdump_collectives_up(const struct pdump_comm *comm,
                         const struct pdump_collectives *how, void *data)
{
    int rank = comm->rank(), size = comm->size(), err = PDUMP_OK;
    int bit = 1;

    for (; err >= 0 && bit < size && !(rank & bit); bit <<= 1) {
        void *bytes;
        size_t len;

        if (rank + bit >= size)
            continue;
        err = comm->receive(rank + bit, 1, &bytes, &len);
        if (err < 0)
            break;
        err = how->add(data, bytes, len);
        free(bytes);
    }
    if (err >= 0 && rank > 0) {
        const void *bytes;
        size_t len;

        err = how->give(data, &bytes, &len);
        if (err >= 0)
            err = comm->send(rank - bit, bytes, len);
    }
    return err;
}

int pdump_collectives_down(const struct pdump_comm *comm, void **bytes,
                           size_t *len)
{
    int rank = comm->rank(), size = comm->size(), err = PDUMP_OK;
    int bit = 1;

    while (bit < size && !(rank & bit))
        bit <<= 1;
    if (rank > 0)
        err = comm->receive(rank - bit, 1, bytes, len);
    for (bit >>= 1; err >= 0 && bit > 0; bit >>= 1)
        if (rank + bit < size)
            err = comm->send(rank + bit, *bytes, *len);
    return err;
}

int pdump_collectives_same(const struct pdump_comm *comm, void *word,
                           size_t size)
{
    void *bytes = word;
    size_t len = size;
    int err = pdump_collectives_down(comm, &bytes, &len);

    if (err >= 0 && len != size)
        err = pdump_fail(PDUMP_EPEER, "a message of another rank is damaged");
    if (err >= 0 && bytes != word)
        memcpy(word, bytes, size);
    if (bytes != word)
        free(bytes);
    return err;
}

struct line {
    char *bytes;
    size_t len;
};

static int line_add(void *data, void *bytes, size_t len)
{
    struct line *line = data;
    char *larger = realloc(line->bytes, line->len + len + 1);

    if (!larger)
        return pdump_no_memory();
    memcpy(larger + line->len, bytes, len);
    line->bytes = larger;
    line->len += len;
    return PDUMP_OK;
}

static int line_give(void *data, const void **bytes, size_t *len)
{
    struct line *line = data;

    *bytes = line->bytes;
    *len = line->len;
    return PDUMP_OK;
}

int pdump_collectives_all(const struct pdump_comm *comm, const void *mine,
                          size_t size, void **all)
{
    static const struct pdump_collectives how = { line_add, line_give };
    struct line line = { 0 };
    int err = line_add(&line, (void *)mine, size);

    *all = NULL;
    if (err >= 0)
        err = pdump_collectives_up(comm, &how, &line);
    if (err >= 0 && comm->rank() == 0 &&
        line.len != size * (size_t)comm->size())
        err = pdump_fail(PDUMP_EPEER, "a message of another rank is damaged");
    if (err >= 0 && comm->rank() == 0)
        *all = line.bytes;
    else
        free(line.bytes);
    return err;
}
