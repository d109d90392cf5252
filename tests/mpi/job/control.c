/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that knows MPI_Pcontrol(), and nothing of its steps. */
#include "kit.h"

static void levels(void)
{
    start();
    work();
    MPI_Pcontrol(0);
    MPI_Pcontrol(0);
    visit("paused");
    MPI_Pcontrol(1);
    visit("resumed");
    for (int i = 0; i < 3; i++) {
        MPI_Pcontrol(2);
        visit("in step");
    }
    MPI_Pcontrol(7);
    MPI_Finalize();
}

static const struct behaviour table[] = {
    { "levels", levels },
    { NULL, NULL },
};

int main(int argc, char **argv)
{
    return main_of(argc, argv, table);
}
