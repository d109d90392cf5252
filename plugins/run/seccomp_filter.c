/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out what a seccomp filter does by interpreting its program.  The number
 * of the system call is known, its arguments are not: if a jump depends on
 * them, both branches are tried.
 */
#include "seccomp_filter.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/syscall.h>

/* Filters of real programs take some hundred steps. */
enum { STEPS_MAX = 50000, BRANCHES_MAX = 64 };

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define ARCH AUDIT_ARCH_PPC64LE
#elif defined(__riscv)
#define ARCH AUDIT_ARCH_RISCV64
#else
#define ARCH 0
#endif

struct word {
    uint32_t value;
    bool is_known;
};

struct machine {
    const struct sock_filter *code;
    size_t n, at;
    uint32_t call;
    struct word a, x, memory[BPF_MEMWORDS];
    int *steps, branches;
};

static struct word known_word(uint32_t value)
{
    return (struct word){ value, true };
}

static struct word word_load(const struct machine *m,
                             const struct sock_filter *i)
{
    switch (BPF_MODE(i->code)) {
    case BPF_IMM:
        return known_word(i->k);
    case BPF_LEN:
        return known_word(sizeof(struct seccomp_data));
    case BPF_MEM:
        return i->k < BPF_MEMWORDS ? m->memory[i->k] : (struct word){ 0 };
    case BPF_ABS:
        if (i->k == offsetof(struct seccomp_data, nr))
            return known_word(m->call);
        if (i->k == offsetof(struct seccomp_data, arch))
            return known_word(ARCH);
        break;
    }
    return (struct word){ 0 };
}

static struct word word_compute(struct word a, int operation, struct word b)
{
    uint32_t x = a.value, y = b.value;

    if (operation == BPF_NEG && a.is_known)
        return known_word(-x);
    if (!a.is_known || !b.is_known)
        return (struct word){ 0 };
    switch (operation) {
    case BPF_ADD:
        return known_word(x + y);
    case BPF_SUB:
        return known_word(x - y);
    case BPF_MUL:
        return known_word(x * y);
    case BPF_AND:
        return known_word(x & y);
    case BPF_OR:
        return known_word(x | y);
    case BPF_XOR:
        return known_word(x ^ y);
    case BPF_LSH:
        return known_word(y < 32 ? x << y : 0);
    case BPF_RSH:
        return known_word(y < 32 ? x >> y : 0);
    default:
        return (struct word){ 0 };
    }
}

static bool is_true(uint32_t a, int test, uint32_t b)
{
    switch (test) {
    case BPF_JEQ:
        return a == b;
    case BPF_JGT:
        return a > b;
    case BPF_JGE:
        return a >= b;
    default:
        return a & b;
    }
}

static bool is_deadly(struct word action)
{
    if (!action.is_known)
        return true;
    switch (action.value & SECCOMP_RET_ACTION_FULL) {
    case SECCOMP_RET_ALLOW:
    case SECCOMP_RET_LOG:
    case SECCOMP_RET_TRACE:
    case SECCOMP_RET_USER_NOTIF:
    case SECCOMP_RET_ERRNO:
        return false;
    default:
        return true;
    }
}

static bool machine_kills(struct machine m);

/* Continues after a jump.  Returns true if both branches are possible and the
 * other one kills. */
static bool machine_jump(struct machine *m, const struct sock_filter *i,
                         struct word b)
{
    struct machine other = *m;

    if (BPF_OP(i->code) == BPF_JA) {
        m->at += i->k;
        return false;
    }
    if (m->a.is_known && b.is_known) {
        m->at += is_true(m->a.value, BPF_OP(i->code), b.value) ? i->jt : i->jf;
        return false;
    }
    m->at += i->jf;
    other.at += i->jt;
    other.branches++;
    return machine_kills(other);
}

static void word_store(struct machine *m, uint32_t at, struct word value)
{
    if (at < BPF_MEMWORDS)
        m->memory[at] = value;
}

static bool machine_kills(struct machine m)
{
    while (m.at < m.n && --*m.steps > 0 && m.branches < BRANCHES_MAX) {
        const struct sock_filter *i = &m.code[m.at++];
        struct word b = BPF_SRC(i->code) == BPF_X ? m.x : known_word(i->k);

        switch (BPF_CLASS(i->code)) {
        case BPF_LD:
            m.a = word_load(&m, i);
            break;
        case BPF_LDX:
            m.x = word_load(&m, i);
            break;
        case BPF_ST:
            word_store(&m, i->k, m.a);
            break;
        case BPF_STX:
            word_store(&m, i->k, m.x);
            break;
        case BPF_ALU:
            m.a = word_compute(m.a, BPF_OP(i->code), b);
            break;
        case BPF_JMP:
            if (machine_jump(&m, i, b))
                return true;
            break;
        case BPF_RET:
            return is_deadly(BPF_RVAL(i->code) == BPF_A ? m.a
                                                        : known_word(i->k));
        default:
            *(BPF_MISCOP(i->code) == BPF_TAX ? &m.x : &m.a) =
                BPF_MISCOP(i->code) == BPF_TAX ? m.a : m.x;
        }
    }
    return true; /* too long or too complex: assume the worst */
}

bool filter_kills(const struct sock_filter *code, size_t n, long call)
{
    int steps = STEPS_MAX;

    return machine_kills((struct machine){
        .code = code, .n = n, .call = (uint32_t)call, .steps = &steps });
}

bool filter_kills_ours(const struct sock_filter *code, size_t n)
{
    /* System calls for the store, the counters, a dump and the end of a
     * session. */
    static const long ours[] = {
        SYS_brk,
        SYS_clock_gettime,
        SYS_clone,
        SYS_close,
        SYS_dup,
        SYS_execve,
        SYS_exit_group,
        SYS_faccessat,
        SYS_fallocate,
        SYS_fcntl,
        SYS_flock,
        SYS_fsync,
        SYS_ftruncate,
        SYS_futex,
        SYS_getcwd,
        SYS_getdents64,
        SYS_getpid,
        SYS_getrusage,
        SYS_gettid,
        SYS_ioctl,
        SYS_linkat,
        SYS_lseek,
        SYS_madvise,
        SYS_mkdirat,
        SYS_mmap,
        SYS_mprotect,
        SYS_munmap,
        SYS_nanosleep,
        SYS_openat,
        SYS_perf_event_open,
        SYS_prlimit64,
        SYS_process_vm_readv,
        SYS_pread64,
        SYS_pwrite64,
        SYS_read,
        SYS_readlinkat,
        SYS_renameat2,
        SYS_rt_sigaction,
        SYS_rt_sigprocmask,
        SYS_rt_sigreturn,
        SYS_rt_sigtimedwait,
        SYS_sched_yield,
        SYS_tgkill,
        SYS_timer_create,
        SYS_timer_delete,
        SYS_timer_settime,
        SYS_uname,
        SYS_unlinkat,
        SYS_write,
        SYS_writev,
#ifdef SYS_open /* older architectures also have these */
        SYS_access,
        SYS_mkdir,
        SYS_open,
        SYS_readlink,
        SYS_rename,
        SYS_stat,
        SYS_unlink,
#endif
#ifdef SYS_newfstatat
        SYS_newfstatat,
#endif
#ifdef SYS_fstat
        SYS_fstat,
#endif
    };

    for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
        if (filter_kills(code, n, ours[i]))
            return true;
    return false;
}
