/* SPDX-License-Identifier: BSD-3-Clause */
/* Dumps in the middle: of a rank, of a communicator, of all. */
#include "kit.h"

static void own(void)
{
    start();
    work();
    OK(pdump_flush());
    visit("later");
    MPI_Finalize();
}

static void world(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;

    start();
    work();
    OK(pdump_flush_comm(&comm, "early"));
    OK(pdump_flush_comm(NULL, NULL));
    YES(pdump_is_active());
    IS(access("perf_dump.csv", R_OK), 0);
    visit("later");
    MPI_Finalize();
}

/* Only those of the even ranks are written, and freed before the end. */
static void split(void)
{
    MPI_Comm part;

    start();
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
    work();
    OK(pdump_flush_comm(&part, rank % 2 ? "odd" : "even"));
    visit("later");
    OK(pdump_flush_comm(&part, rank % 2 ? "odd" : "even"));
    MPI_Comm_free(&part);
    MPI_Finalize();
}

static void self(void)
{
    MPI_Comm comm = MPI_COMM_SELF;
    char name[20];

    start();
    work();
    snprintf(name, sizeof(name), "self-%d", rank);
    OK(pdump_flush_comm(&comm, name));
    MPI_Finalize();
}

/* Some ranks are not in the communicator, and need not know of it. */
static void some(void)
{
    MPI_Comm part;

    start();
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0 ? 1 : MPI_UNDEFINED, 0, &part);
    work();
    if (rank > 0)
        OK(pdump_flush_comm(&part, "some"));
    else
        IS(pdump_flush_comm(&part, "some"), PDUMP_EINVAL);
    MPI_Finalize();
}

static void outside(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;

    IS(pdump_flush_comm(&comm, NULL), PDUMP_ESTATE);
    OK(pdump_init());
    IS(pdump_flush_comm(NULL, NULL), PDUMP_ESTATE);
    YES(has_error("no MPI job"));
    IS(pdump_flush_comm_f(0, "", 0), PDUMP_ESTATE);
    start();
    work();
    MPI_Finalize();
    IS(pdump_flush_comm(NULL, NULL), PDUMP_ESTATE);
    IS(pdump_flush_comm_f(0, "", 0), PDUMP_ESTATE);
}

static void disabled(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;

    start();
    work();
    OK(pdump_flush_comm(&comm, NULL));
    OK(pdump_flush_comm_f(MPI_Comm_c2f(comm), "", 0));
    OK(pdump_finalize());
    MPI_Finalize();
}

static const struct behaviour table[] = {
    { "own", own },           { "world", world }, { "split", split },
    { "self", self },         { "some", some },   { "outside", outside },
    { "disabled", disabled }, { NULL, NULL },
};

int main(int argc, char **argv)
{
    return main_of(argc, argv, table);
}
