/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages: each rank sends to the one on its right.  For every.c, which
 * includes it once for each size of counts. */

/* Room for what is sent by MPI_Bsend and the like is there. */
static void FORM(send_in_turn)(MPI_Datatype type, long bytes)
{
    const COUNT n = 2, room = 5;
    MPI_Request request;

    bytes *= n;
    for (int i = 0; i < 4; i++) {
        /* A ready send needs a receive: that is sure after the barrier. */
        CALL(0, 0, MPI_Irecv, to, room, type, left, i, world, &request);
        PMPI_Barrier(world);
        if (i == 0)
            CALL(bytes, 0, MPI_Send, from, n, type, right, i, world);
        else if (i == 1)
            CALL(bytes, 0, MPI_Bsend, from, n, type, right, i, world);
        else if (i == 2)
            CALL(bytes, 0, MPI_Ssend, from, n, type, right, i, world);
        else
            CALL(bytes, 0, MPI_Rsend, from, n, type, right, i, world);
        finish(&request, bytes);
        met(1, right, bytes);
        met(0, left, bytes);
    }
    if (rank == 0) {
        CALL(bytes, 0, MPI_Send, from, n, type, 1, 9, world);
        met(1, 1, bytes);
    } else if (rank == 1) {
        CALL(0, bytes, MPI_Recv, to, room, type, MPI_ANY_SOURCE, 9, world,
             MPI_STATUS_IGNORE);
        met(0, 0, bytes);
    }
}

static void FORM(send_at_once)(MPI_Datatype type, long bytes)
{
    const COUNT n = 3, room = 5;
    MPI_Request in, out;

    bytes *= n;
    for (int i = 0; i < 4; i++) {
        CALL(0, 0, MPI_Irecv, to, room, type, MPI_ANY_SOURCE, i, world, &in);
        PMPI_Barrier(world);
        if (i == 0)
            CALL(bytes, 0, MPI_Isend, from, n, type, right, i, world, &out);
        else if (i == 1)
            CALL(bytes, 0, MPI_Ibsend, from, n, type, right, i, world, &out);
        else if (i == 2)
            CALL(bytes, 0, MPI_Issend, from, n, type, right, i, world, &out);
        else
            CALL(bytes, 0, MPI_Irsend, from, n, type, right, i, world, &out);
        finish(&out, 0);
        finish(&in, bytes);
        met(1, right, bytes);
        met(0, left, bytes);
    }
}

static void FORM(send_again)(MPI_Datatype type, long bytes)
{
    const COUNT n = 1, room = 5;
    MPI_Request in, out;

    bytes *= n;
    for (int i = 0; i < 4; i++) {
        CALL(0, 0, MPI_Recv_init, to, room, type, left, i, world, &in);
        if (i == 0)
            CALL(0, 0, MPI_Send_init, from, n, type, right, i, world, &out);
        else if (i == 1)
            CALL(0, 0, MPI_Bsend_init, from, n, type, right, i, world, &out);
        else if (i == 2)
            CALL(0, 0, MPI_Ssend_init, from, n, type, right, i, world, &out);
        else
            CALL(0, 0, MPI_Rsend_init, from, n, type, right, i, world, &out);
        for (int turn = 0; turn < 2; turn++) {
            DO(0, 0, MPI_Start, &in);
            PMPI_Barrier(world);
            DO(bytes, 0, MPI_Start, &out);
            finish(&out, 0);
            finish(&in, bytes);
            met(1, right, bytes);
            met(0, left, bytes);
        }
        DO(0, 0, MPI_Request_free, &in);
        DO(0, 0, MPI_Request_free, &out);
    }
}

static void FORM(exchange)(MPI_Datatype type, long bytes)
{
    const COUNT n = 2, room = 5;
    int n_done = 2;

    bytes *= n;
    CALL(bytes, bytes, MPI_Sendrecv, from, n, type, right, 1, to, room, type,
         left, 1, world, MPI_STATUS_IGNORE);
    CALL(bytes, bytes, MPI_Sendrecv_replace, to, n, type, right, 1, left, 1,
         world, MPI_STATUS_IGNORE);
#if HAS_MPI_4
    MPI_Request request;

    /* With other datatypes MPICH 4.0 breaks. */
    if (type == MPI_INT) {
        CALL(bytes, 0, MPI_Isendrecv, from, n, type, right, 1, to, room, type,
             left, 1, world, &request);
        finish(&request, bytes);
        CALL(bytes, 0, MPI_Isendrecv_replace, to, n, type, right, 1, left, 1,
             world, &request);
        finish(&request, bytes);
        n_done += 2;
    }
#endif
    for (int i = 0; i < n_done; i++) {
        met(1, right, bytes);
        met(0, left, bytes);
    }
}

/* Messages that are found first. */
static void FORM(find)(MPI_Datatype type, long bytes)
{
    const COUNT n = 2, room = 5;
    int is_there;
    MPI_Request request, sending;
    MPI_Message message;

    bytes *= n;
    for (int i = 0; i < 4; i++) {
        CALL(bytes, 0, MPI_Isend, from, n, type, right, i, world, &sending);
        if (i < 2)
            DO(0, 0, MPI_Mprobe, i == 0 ? left : MPI_ANY_SOURCE, i, world,
               &message, MPI_STATUS_IGNORE);
        for (is_there = 0; i >= 2 && !is_there;)
            DO(0, 0, MPI_Improbe, left, i, world, &is_there, &message,
               MPI_STATUS_IGNORE);
        if (i % 2 == 0) {
            CALL(0, bytes, MPI_Mrecv, to, room, type, &message,
                 MPI_STATUS_IGNORE);
        } else {
            CALL(0, 0, MPI_Imrecv, to, room, type, &message, &request);
            finish(&request, bytes);
        }
        finish(&sending, 0);
        met(1, right, bytes);
        met(0, left, bytes);
    }
    CALL(bytes, 0, MPI_Isend, from, n, type, right, 9, world, &sending);
    DO(0, 0, MPI_Probe, left, 9, world, MPI_STATUS_IGNORE);
    for (is_there = 0; !is_there;)
        DO(0, 0, MPI_Iprobe, left, 9, world, &is_there, MPI_STATUS_IGNORE);
    CALL(0, bytes, MPI_Recv, to, room, type, left, 9, world, MPI_STATUS_IGNORE);
    finish(&sending, 0);
    met(1, right, bytes);
    met(0, left, bytes);
}

static void FORM(send_all)(MPI_Datatype type, int bytes)
{
    FORM(send_in_turn)(type, bytes);
    FORM(send_at_once)(type, bytes);
    FORM(send_again)(type, bytes);
    FORM(exchange)(type, bytes);
    FORM(find)(type, bytes);
}

/* Messages without bytes, and what looks like messages. */
static void FORM(send_nothing)(void)
{
    const COUNT none = 0, n = 4;
    MPI_Request request;
    MPI_Message message;

    CALL(0, 0, MPI_Sendrecv, NULL, none, MPI_INT, right, 1, NULL, none, MPI_INT,
         left, 1, world, MPI_STATUS_IGNORE);
    met(1, right, 0);
    met(0, left, 0);
    CALL(0, 0, MPI_Send, from, n, MPI_INT, MPI_PROC_NULL, 1, world);
    CALL(0, 0, MPI_Recv, to, n, MPI_INT, MPI_PROC_NULL, 1, world,
         MPI_STATUS_IGNORE);
    CALL(0, 0, MPI_Send_init, from, n, MPI_INT, MPI_PROC_NULL, 1, world,
         &request);
    repeat(&request, 0, 0);
    CALL(0, 0, MPI_Recv_init, from, n, MPI_INT, MPI_PROC_NULL, 1, world,
         &request);
    repeat(&request, 0, 0);
    DO(0, 0, MPI_Mprobe, MPI_PROC_NULL, 1, world, &message, MPI_STATUS_IGNORE);
    CALL(0, 0, MPI_Mrecv, to, n, MPI_INT, &message, MPI_STATUS_IGNORE);
}
