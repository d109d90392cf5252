/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided calls.  For every.c, which includes it once for each size of
 * counts. */

static void FORM(put_and_get)(MPI_Win win)
{
    const COUNT three = 3, two = 2, none = 0;

    CALL(12, 0, MPI_Put, from, three, MPI_INT, right, 0, three, MPI_INT, win);
    met(1, right, 12);
    CALL(0, 8, MPI_Get, to, two, MPI_INT, left, 10, two, MPI_INT, win);
    met(0, left, 8);
    CALL(8, 0, MPI_Accumulate, from, two, MPI_INT, right, 20, two, MPI_INT,
         MPI_SUM, win);
    met(1, right, 8);
    CALL(8, 8, MPI_Get_accumulate, from, two, MPI_INT, to + 10, two, MPI_INT,
         right, 24, two, MPI_INT, MPI_SUM, win);
    met(1, right, 8);
    met(0, right, 8);
    /* To fetch only: what there is to send is not looked at. */
    CALL(0, 12, MPI_Get_accumulate, from, two, MPI_INT, to + 20, three, MPI_INT,
         right, 24, three, MPI_INT, MPI_NO_OP, win);
    met(0, right, 12);
    CALL(0, 0, MPI_Put, from, none, MPI_INT, right, 0, none, MPI_INT, win);
    met(1, right, 0);
    CALL(0, 0, MPI_Put, from, two, MPI_INT, MPI_PROC_NULL, 0, two, MPI_INT,
         win);
}

static void FORM(with_request)(MPI_Win win)
{
    const COUNT two = 2;
    MPI_Request request;

    CALL(8, 0, MPI_Rput, from, two, MPI_INT, right, 0, two, MPI_INT, win,
         &request);
    met(1, right, 8);
    finish(&request, 0);
    CALL(0, 8, MPI_Rget, to, two, MPI_INT, left, 10, two, MPI_INT, win,
         &request);
    met(0, left, 8);
    finish(&request, 0);
    CALL(8, 0, MPI_Raccumulate, from, two, MPI_INT, right, 20, two, MPI_INT,
         MPI_SUM, win, &request);
    met(1, right, 8);
    finish(&request, 0);
    CALL(8, 8, MPI_Rget_accumulate, from, two, MPI_INT, to, two, MPI_INT, right,
         24, two, MPI_INT, MPI_SUM, win, &request);
    met(1, right, 8);
    met(0, right, 8);
    finish(&request, 0);
}

static void FORM(one_sided)(void)
{
    static int exposed[N];
    const PLACE unit = sizeof(int);
    PLACE unit_there;
    MPI_Aint n_bytes;
    int *memory;
    MPI_Win win;

    CALL(0, 0, MPI_Win_create, exposed, sizeof(exposed), unit, MPI_INFO_NULL,
         world, &win);
    DO(0, 0, MPI_Win_fence, 0, win);
    FORM(put_and_get)(win);
    DO(0, 0, MPI_Win_fence, 0, win);
    DO(0, 0, MPI_Win_free, &win);
    CALL(0, 0, MPI_Win_allocate, sizeof(exposed), unit, MPI_INFO_NULL, world,
         &memory, &win);
    DO(0, 0, MPI_Win_lock_all, 0, win);
    FORM(with_request)(win);
    DO(0, 0, MPI_Win_unlock_all, win);
    PMPI_Win_free(&win);
    CALL(0, 0, MPI_Win_allocate_shared, sizeof(exposed), unit, MPI_INFO_NULL,
         world, &memory, &win);
    CALL(0, 0, MPI_Win_shared_query, win, 0, &n_bytes, &unit_there, &memory);
    PMPI_Win_free(&win);
}
