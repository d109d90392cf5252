/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the bytes that a call sends and receives. */
#include "byte_count.h"
#include "arguments.h"
#include "fortran.h"

/* Caches only predefined datatypes: the handle of a derived one may be reused
 * for another datatype. */
int64_t pdump_byte_count_ask(struct pdump_state *state, MPI_Datatype type,
                             unsigned slot)
{
    int n_ints, n_addresses, n_types, combiner = 0;
    MPI_Count size = 0;

    if (type == MPI_DATATYPE_NULL ||
        PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size <= 0)
        return 0;
    PMPI_Type_get_envelope(type, &n_ints, &n_addresses, &n_types, &combiner);
    if (combiner == MPI_COMBINER_NAMED) {
        state->types[slot].type = type;
        state->types[slot].size = size;
    }
    return size;
}

/* The ranks, or neighbours, on one side of a call. */
struct others {
    int n;             /* length of the argument lists */
    int self;          /* this rank, which sends itself nothing; or -1 */
    uint64_t nobodies; /* bit i: neighbour i is MPI_PROC_NULL */
};

static bool is_left_out(const struct others *others, int i)
{
    return i == others->self || (i < 64 && (others->nobodies >> i & 1));
}

static int count_of(const struct others *others)
{
    return others->n - (others->self >= 0) -
           __builtin_popcountll(others->nobodies);
}

static int64_t list_sum(struct pdump_state *state,
                        const struct pdump_mpi_call *call,
                        const struct pdump_side *side,
                        const struct others *others)
{
    int64_t sum = 0;

    if (side->shape == PDUMP_TYPES) {
        for (int i = 0; i < others->n; i++) {
            int64_t count = pdump_argument_count_at(call, side->count, i);

            if (count > 0 && !is_left_out(others, i))
                sum += count *
                       pdump_byte_count_size(
                           state, pdump_argument_type_at(call, side->type, i));
        }
        return sum;
    }
    for (int i = 0; i < others->n; i++)
        if (!is_left_out(others, i))
            sum += pdump_argument_count_at(call, side->count, i);
    return sum *
           pdump_byte_count_size(state, pdump_argument_type(call, side->type));
}

static int64_t bytes_of(struct pdump_state *state,
                        const struct pdump_mpi_call *call,
                        const struct pdump_side *side,
                        const struct pdump_peers *peers, struct others others)
{
    int64_t count;

    if (side->shape == PDUMP_SUM || side->shape == PDUMP_OWN)
        others.n = peers ? peers->size : 0;
    switch ((enum pdump_shape)side->shape) {
    case PDUMP_LIST:
    case PDUMP_TYPES:
    case PDUMP_SUM:
        return list_sum(state, call, side, &others);
    case PDUMP_MINE:
        count =
            peers ? pdump_argument_count_at(call, side->count, peers->rank) : 0;
        count *= count_of(&others);
        break;
    case PDUMP_EACH:
    case PDUMP_OWN:
        count = pdump_argument_count(call, side->count) * count_of(&others);
        break;
    default:
        count = pdump_argument_count(call, side->count);
    }
    if (call->function->plan.parts)
        count *= pdump_argument_int(call, call->function->plan.parts);
    return count ? count * pdump_byte_count_size(
                               state, pdump_argument_type(call, side->type))
                 : 0;
}

/* Returns true if this side of the call is significant on this rank. */
static bool is_meant(const struct pdump_mpi_call *call,
                     const struct pdump_side *side,
                     const struct pdump_peers *peers)
{
    int root;
    bool is_root;

    if (side->shape == PDUMP_NONE)
        return false;
    if (side->when == PDUMP_ALWAYS || !peers)
        return true;
    if (side->when == PDUMP_UNFIRST)
        return peers->rank > 0;
    if (side->when == PDUMP_UNLAST)
        return peers->rank < peers->size - 1;
    root = pdump_argument_int(call, call->function->plan.root);
    is_root = peers->is_inter ? root == MPI_ROOT : root == peers->rank;
    /* Inter-communicator: in the root's group, all ranks but the root do
     * nothing. */
    return (!peers->is_inter || root != MPI_PROC_NULL) &&
           is_root == (side->when == PDUMP_ROOT);
}

/* MPI_IN_PLACE: the receive arguments describe what is sent. */
static struct pdump_side in_place(const struct pdump_side *out,
                                  const struct pdump_side *in)
{
    struct pdump_side made = *in;

    if (out->shape == PDUMP_EACH && in->shape == PDUMP_LIST)
        made.shape = PDUMP_MINE;
    return made;
}

/* A collective of one rank moves no data. */
static bool is_alone(const struct pdump_plan *plan,
                     const struct pdump_peers *peers)
{
    return peers && plan->comm && !plan->to && !plan->source &&
           !plan->is_neighbours && !peers->is_inter && peers->size == 1;
}

static struct pdump_byte_count amount_of(struct pdump_state *state,
                                         const struct pdump_mpi_call *call,
                                         struct pdump_peers *peers)
{
    const struct pdump_plan *plan = &call->function->plan;
    struct pdump_side out = plan->out, in = plan->in;
    struct others to = { peers ? peers->n_others : 0, -1, 0 }, from;

    if (peers && !peers->is_inter && !plan->is_neighbours)
        to.self = peers->rank;
    from = to;
    if (plan->is_neighbours) {
        pdump_peers_look_around(peers);
        to = (struct others){ peers->n_out, -1, peers->nobodies };
        from = (struct others){ peers->n_in, -1, peers->nobodies };
    }
    if (plan->place && pdump_fortran_is_in_place(call, plan->place))
        out = in_place(&out, &in);
    if (plan->op && pdump_argument_op(call, plan->op) == MPI_NO_OP)
        out.shape = PDUMP_NONE;
    return (struct pdump_byte_count){
        .out = is_meant(call, &out, peers)
                   ? bytes_of(state, call, &out, peers, to)
                   : -1,
        .in = is_meant(call, &in, peers)
                  ? bytes_of(state, call, &in, peers, from)
                  : -1,
    };
}

struct pdump_byte_count pdump_byte_count_of(struct pdump_state *state,
                                            const struct pdump_mpi_call *call,
                                            struct pdump_peers *peers)
{
    const struct pdump_plan *plan = &call->function->plan;

    if ((!plan->out.shape && !plan->in.shape) || is_alone(plan, peers))
        return (struct pdump_byte_count){ -1, -1 };
    return amount_of(state, call, peers);
}
