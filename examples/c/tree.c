/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The demo: a small solver whose region tree is worth a look.
 *
 * Membranes on square grids of several sizes: the main thread assembles the
 * matrices, two threads solve them by conjugate gradients, the main thread
 * prints the results.
 */
#include <pdump.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_PROBLEMS = 3, N_WORKERS = 2, ITERATIONS_MAX = 2000 };

/* The matrix in compressed rows; the load is the same everywhere. */
struct problem {
    int side;
    int n;
    int *first; /* of each row, and the end */
    int *column;
    double *value;
    double *x, *r, *p, *q; /* solution, residual, direction, matrix times p */
    int iterations;
};

static struct problem problems[N_PROBLEMS] = {
    { .side = 320 },
    { .side = 400 },
    { .side = 272 },
};

static int allocate(struct problem *a)
{
    size_t n = (size_t)a->side * (size_t)a->side;

    a->n = (int)n;
    a->first = calloc(n + 1, sizeof(*a->first));
    a->column = calloc(5 * n, sizeof(*a->column));
    a->value = calloc(5 * n, sizeof(*a->value));
    a->x = calloc(4 * n, sizeof(*a->x));
    if (!a->first || !a->column || !a->value || !a->x)
        return -1;
    a->r = a->x + n;
    a->p = a->r + n;
    a->q = a->p + n;
    return 0;
}

static void release(struct problem *a)
{
    free(a->first);
    free(a->column);
    free(a->value);
    free(a->x);
}

static void put(struct problem *a, int *at, int column, double value)
{
    a->column[*at] = column;
    a->value[(*at)++] = value;
}

static void fill(struct problem *a)
{
    int m = a->side, at = 0;

    pdump_region_begin("fill");
    for (int row = 0; row < a->n; row++) {
        if (row >= m)
            put(a, &at, row - m, -1);
        if (row % m > 0)
            put(a, &at, row - 1, -1);
        put(a, &at, row, 4);
        if (row % m < m - 1)
            put(a, &at, row + 1, -1);
        if (row < a->n - m)
            put(a, &at, row + m, -1);
        a->first[row + 1] = at;
    }
    pdump_counter_add("entries", at);
    pdump_region_end("fill");
}

static int assemble(struct problem *a)
{
    int err;

    pdump_region_begin("assemble");
    pdump_region_begin("allocate");
    err = allocate(a);
    pdump_region_end("allocate");
    if (err == 0)
        fill(a);
    pdump_region_end("assemble");
    return err;
}

static void matvec(struct problem *a)
{
    pdump_region_begin("matvec");
    for (int row = 0; row < a->n; row++) {
        double sum = 0;

        for (int k = a->first[row]; k < a->first[row + 1]; k++)
            sum += a->value[k] * a->p[a->column[k]];
        a->q[row] = sum;
    }
    pdump_counter_add("flop", 2 * (int64_t)a->first[a->n]);
    pdump_region_end("matvec");
}

static double dot(const struct problem *a, const double *x, const double *y)
{
    double sum = 0;

    pdump_region_begin("dot");
    for (int i = 0; i < a->n; i++)
        sum += x[i] * y[i];
    pdump_counter_add("flop", 2 * (int64_t)a->n);
    pdump_region_end("dot");
    return sum;
}

/* y = y * scale + x * factor */
static void update(const struct problem *a, double *y, double scale,
                   const double *x, double factor)
{
    pdump_region_begin("update");
    for (int i = 0; i < a->n; i++)
        y[i] = y[i] * scale + x[i] * factor;
    pdump_counter_add("flop", 3 * (int64_t)a->n);
    pdump_region_end("update");
}

/* One step of conjugate gradients; `rr` is the square of the residual. */
static double iterate(struct problem *a, double rr)
{
    double alpha, next;

    pdump_region_begin("iteration");
    matvec(a);
    alpha = rr / dot(a, a->p, a->q);
    update(a, a->x, 1, a->p, alpha);
    update(a, a->r, 1, a->q, -alpha);
    next = dot(a, a->r, a->r);
    update(a, a->p, next / rr, a->r, 1);
    pdump_region_end("iteration");
    return next;
}

static void solve(struct problem *a)
{
    double load = pow(a->side + 1, -2); /* of one point */
    double rr = load * load * a->n, goal = rr * 1e-16;

    pdump_region_begin("solve");
    pdump_parameter_int("side", a->side);
    for (int i = 0; i < a->n; i++)
        a->p[i] = a->r[i] = load;
    for (; rr > goal && a->iterations < ITERATIONS_MAX; a->iterations++)
        rr = iterate(a, rr);
    pdump_region_end("solve");
}

/* Every N_WORKERS-th problem, beginning with that of `data`. */
static void *worker(void *data)
{
    long first = (struct problem *)data - problems;
    char name[32];

    snprintf(name, sizeof(name), "worker %ld", first);
    pdump_thread_name(name);
    for (long i = first; i < N_PROBLEMS; i += N_WORKERS)
        solve(&problems[i]);
    return NULL;
}

static int solve_all(void)
{
    pthread_t thread[N_WORKERS];
    int n = 0;

    pdump_region_begin("wait");
    while (n < N_WORKERS &&
           pthread_create(&thread[n], NULL, worker, &problems[n]) == 0)
        n++;
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    pdump_region_end("wait");
    return n == N_WORKERS ? 0 : -1;
}

static void output(void)
{
    pdump_region_begin("output");
    for (int i = 0; i < N_PROBLEMS; i++) {
        const struct problem *a = &problems[i];
        double top = 0;

        pdump_region_begin("maximum");
        for (int k = 0; k < a->n; k++)
            top = fmax(top, a->x[k]);
        pdump_region_end("maximum");
        pdump_region_begin("print");
        printf("%d x %d: %4d iterations, height %.6f\n", a->side, a->side,
               a->iterations, top);
        pdump_region_end("print");
    }
    pdump_region_end("output");
}

int main(void)
{
    int err = 0;

    pdump_thread_name("main");
    pdump_metadata("solver", "conjugate gradients");
    pdump_region_begin("membrane");
    for (int i = 0; i < N_PROBLEMS && err == 0; i++)
        err = assemble(&problems[i]);
    if (err == 0)
        err = solve_all();
    if (err == 0)
        output();
    pdump_region_end("membrane");
    for (int i = 0; i < N_PROBLEMS; i++)
        release(&problems[i]);
    return err < 0;
}
