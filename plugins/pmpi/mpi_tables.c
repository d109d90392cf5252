/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of MPI calls and of peers. */
#include "mpi_tables.h"
#include "python_site.h"
#include "record/symbols.h"

#include <stdio.h>

static const struct pdump_detail_field call_fields[] = {
    [PDUMP_ROW_CALLS] = { "calls", "", PDUMP_FIELD_SUM, 1, false },
    [PDUMP_ROW_TIME] = { "time", "ns", PDUMP_FIELD_SUM, 1, true },
    [PDUMP_ROW_TIME_MIN] = { "time_min", "ns", PDUMP_FIELD_MIN, 1, true },
    [PDUMP_ROW_TIME_MAX] = { "time_max", "ns", PDUMP_FIELD_MAX, 1, true },
    [PDUMP_ROW_TIME_SQUARES] = { "time_sumsq", "ns2", PDUMP_FIELD_REAL, 1,
                                 true },
    [PDUMP_ROW_BYTES_OUT] = { "bytes_out", "B", PDUMP_FIELD_SUM, 1, false },
    [PDUMP_ROW_BYTES_IN] = { "bytes_in", "B", PDUMP_FIELD_SUM, 1, false },
    [PDUMP_ROW_BLOCKED] = { "blocked", "ns", PDUMP_FIELD_SUM, 1, true },
    [PDUMP_ROW_FLIGHT] = { "flight", "ns", PDUMP_FIELD_SUM, 1, true },
    [PDUMP_ROW_COMPLETED] = { "completed", "", PDUMP_FIELD_SUM, 1, false },
    [PDUMP_ROW_BETWEEN] = { "between", "ns", PDUMP_FIELD_SUM, 1, true },
    [PDUMP_ROW_RANKS] = { "ranks", "", PDUMP_FIELD_MAX, 1, false },
    [PDUMP_ROW_PEER_MIN] = { "peer_min", "", PDUMP_FIELD_MIN, 1, false },
    [PDUMP_ROW_PEER_MAX] = { "peer_max", "", PDUMP_FIELD_MAX, 1, false },
    [PDUMP_ROW_SIZES] = { "sizes", "", PDUMP_FIELD_SUM, PDUMP_ROW_BINS, false },
};

/* The key of a call site is an address, which never has the highest bit; a
 * Python site has that bit set. */
static void site_label(uint64_t key, char *buf, size_t len)
{
    if (!pdump_python_label(key, buf, len))
        pdump_symbols_place((uintptr_t)key - 1, buf, len);
}

struct pdump_detail_table pdump_rows_calls = {
    .name = "mpi",
    .about = "MPI calls by call site",
    .key = "site",
    .fields = call_fields,
    .n_fields = sizeof(call_fields) / sizeof(call_fields[0]),
    .has_sites = true,
    .label = site_label,
};

static const struct pdump_detail_field peer_fields[] = {
    [PDUMP_ROW_MESSAGES_OUT] = { "messages_out", "", PDUMP_FIELD_SUM, 1,
                                 false },
    [PDUMP_ROW_PEER_BYTES_OUT] = { "bytes_out", "B", PDUMP_FIELD_SUM, 1,
                                   false },
    [PDUMP_ROW_MESSAGES_IN] = { "messages_in", "", PDUMP_FIELD_SUM, 1, false },
    [PDUMP_ROW_PEER_BYTES_IN] = { "bytes_in", "B", PDUMP_FIELD_SUM, 1, false },
};

static void peer_label(uint64_t key, char *buf, size_t len)
{
    if ((int)key == PDUMP_PEER_OUTSIDE)
        snprintf(buf, len, "outside");
    else
        snprintf(buf, len, "%d", (int)key);
}

struct pdump_detail_table pdump_rows_peers = {
    .name = "mpi_peers",
    .about = "MPI messages by rank in MPI_COMM_WORLD",
    .key = "peer",
    .fields = peer_fields,
    .n_fields = sizeof(peer_fields) / sizeof(peer_fields[0]),
    .label = peer_label,
};
