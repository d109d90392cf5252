/* SPDX-License-Identifier: BSD-3-Clause */
/* How many bytes a call is about. */
#include "amount.h"
#include "arguments.h"
#include "fortran.h"

/* Only predefined datatypes keep their size: the handle of another one may be
 * a new datatype's tomorrow. */
int64_t pdump_amount_ask(struct pdump_state *state, MPI_Datatype type,
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

/* Neighbours that are MPI_PROC_NULL: to and from them goes nothing. */
static uint64_t nobodies_of(const struct pdump_mpi_call *call,
                            const struct pdump_peers *peers)
{
    return peers && call->function->plan.is_neighbours ? peers->nobodies : 0;
}

static bool is_one(uint64_t bits, int i)
{
    return i < 64 && (bits >> i & 1);
}

static int64_t list_sum(struct pdump_state *state,
                        const struct pdump_mpi_call *call,
                        const struct pdump_side *side, int n, uint64_t nobodies)
{
    int64_t sum = 0;

    if (side->shape == PDUMP_TYPES) {
        for (int i = 0; i < n; i++) {
            int64_t count = pdump_argument_count_at(call, side->count, i);

            if (count > 0 && !is_one(nobodies, i))
                sum += count *
                       pdump_amount_size(
                           state, pdump_argument_type_at(call, side->type, i));
        }
        return sum;
    }
    for (int i = 0; i < n; i++)
        if (!is_one(nobodies, i))
            sum += pdump_argument_count_at(call, side->count, i);
    return sum *
           pdump_amount_size(state, pdump_argument_type(call, side->type));
}

/* `n`: ranks or neighbours on that side. */
static int64_t bytes_of(struct pdump_state *state,
                        const struct pdump_mpi_call *call,
                        const struct pdump_side *side,
                        const struct pdump_peers *peers, int n)
{
    uint64_t nobodies = nobodies_of(call, peers);
    int64_t count;

    switch ((enum pdump_shape)side->shape) {
    case PDUMP_LIST:
    case PDUMP_TYPES:
        return list_sum(state, call, side, n, nobodies);
    case PDUMP_SUM:
        return list_sum(state, call, side, peers ? peers->size : 0, 0);
    case PDUMP_MINE:
        count =
            peers ? pdump_argument_count_at(call, side->count, peers->rank) : 0;
        break;
    case PDUMP_EACH:
        n -= __builtin_popcountll(nobodies);
        count = pdump_argument_count(call, side->count) * n;
        break;
    case PDUMP_OWN:
        count =
            pdump_argument_count(call, side->count) * (peers ? peers->size : 0);
        break;
    default:
        count = pdump_argument_count(call, side->count);
    }
    if (call->function->plan.parts)
        count *= pdump_argument_int(call, call->function->plan.parts);
    return count ? count * pdump_amount_size(
                               state, pdump_argument_type(call, side->type))
                 : 0;
}

/* Does this side of the call mean anything on this rank? */
static bool is_meant(const struct pdump_mpi_call *call,
                     const struct pdump_side *side,
                     const struct pdump_peers *peers)
{
    const struct pdump_plan *plan = &call->function->plan;
    int root;
    bool is_root;

    if (side->shape == PDUMP_NONE)
        return false;
    if (!plan->root || !peers)
        return true;
    root = pdump_argument_int(call, plan->root);
    is_root = peers->is_inter ? root == MPI_ROOT : root == peers->rank;
    /* Between two groups: one has the root, and the others of it do nothing. */
    if (peers->is_inter &&
        (root == MPI_PROC_NULL || (is_root && side->when == PDUMP_ALWAYS)))
        return false;
    return side->when == PDUMP_ALWAYS || is_root == (side->when == PDUMP_ROOT);
}

/* MPI_IN_PLACE: the side without arguments is as the other one says. */
static struct pdump_side instead(const struct pdump_side *side,
                                 const struct pdump_side *other)
{
    struct pdump_side made = *other;

    made.when = side->when;
    if (side->shape == PDUMP_ONCE)
        made.shape = other->shape == PDUMP_LIST ? PDUMP_MINE : PDUMP_ONCE;
    return made;
}

static struct pdump_amount amount_of(struct pdump_state *state,
                                     const struct pdump_mpi_call *call,
                                     struct pdump_peers *peers)
{
    const struct pdump_plan *plan = &call->function->plan;
    struct pdump_side out = plan->out, in = plan->in;
    int n_out = peers ? peers->n_others : 0, n_in = n_out;

    if (plan->is_neighbours) {
        pdump_peers_look_around(peers);
        n_out = peers->n_out;
        n_in = peers->n_in;
    }
    if (plan->place && pdump_fortran_is_in_place(call, plan->place)) {
        if (out.when == PDUMP_ROOT)
            in = instead(&in, &out);
        else
            out = instead(&out, &in);
    }
    if (plan->op && pdump_argument_op(call, plan->op) == MPI_NO_OP)
        out.shape = PDUMP_NONE;
    return (struct pdump_amount){
        .out = is_meant(call, &out, peers)
                   ? bytes_of(state, call, &out, peers, n_out)
                   : -1,
        .in = is_meant(call, &in, peers)
                  ? bytes_of(state, call, &in, peers, n_in)
                  : -1,
    };
}

struct pdump_amount pdump_amount_of(struct pdump_state *state,
                                    const struct pdump_mpi_call *call,
                                    struct pdump_peers *peers)
{
    const struct pdump_plan *plan = &call->function->plan;

    if (!plan->out.shape && !plan->in.shape)
        return (struct pdump_amount){ -1, -1 };
    return amount_of(state, call, peers);
}
