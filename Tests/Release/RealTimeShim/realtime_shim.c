// Preloaded into an untouched program: counts what its JACK process callback does that a real-time thread must not do, and its xrun callback,
// which PipeWire calls on the same thread just before a cycle: so does this, in every eighth one.
//
//   cc -O2 -shared -fPIC -o realtime_shim.so realtime_shim.c -ldl -pthread
//   REALTIME_SHIM_REPORT=report.txt LD_PRELOAD=./realtime_shim.so PROGRAM
//
// The report has a line for each kind, "malloc 0", the number of cycles, and the stacks of the first offences. It is written when the
// program ends. "syscall" counts cycles in which any system call was made, by whatever way it was made, as the kernel sees it
// (syscall user dispatch, Linux 5.11); it is -1 where the kernel cannot do that.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

enum kind { MALLOC, CALLOC, REALLOC, MEMALIGN, FREE, LOCK, UNLOCK, WAIT, WAKE, SLEEP, INPUT_OUTPUT, MAPPING, RETAIN, RELEASE, SYSCALL, KINDS };
static const char *const names[KINDS] = {
    "malloc", "calloc", "realloc", "memalign", "free", "lock", "unlock", "wait", "wake", "sleep", "input-output", "mapping", "retain", "release",
    "syscall"};

static atomic_long counts[KINDS];
static atomic_long cycles;
static __thread int inside __attribute__((tls_model("initial-exec")));
static __thread volatile char selector __attribute__((tls_model("initial-exec")));
static __thread int dispatching __attribute__((tls_model("initial-exec")));
static atomic_int dispatch_missing;

#define STACKS 6
#define DEPTH 24
static struct { enum kind kind; int depth; void *frames[DEPTH]; } stacks[STACKS];
static atomic_int stack_count;

static void count(enum kind kind) {
    if (inside != 1) return;
    inside = 2; // what the book-keeping itself does is not counted
    selector = 0;
    atomic_fetch_add(&counts[kind], 1);
    int index = atomic_fetch_add(&stack_count, 1);
    if (index < STACKS) {
        stacks[index].kind = kind;
        stacks[index].depth = backtrace(stacks[index].frames, DEPTH);
    }
    selector = dispatching == 1;
    inside = 1;
}

// ---- Memory. glibc exports its own under these names, so no look-up is needed, which would itself allocate.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) { count(MALLOC); return __libc_malloc(size); }
void *calloc(size_t number, size_t size) { count(CALLOC); return __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { count(REALLOC); return __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { count(MEMALIGN); return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { count(MEMALIGN); return __libc_memalign(alignment, size); }
int posix_memalign(void **result, size_t alignment, size_t size) {
    count(MEMALIGN);
    void *memory = __libc_memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}
void free(void *memory) { count(FREE); __libc_free(memory); }

// ---- Everything else is looked up at its first use, which is outside a callback except for the first offence.
#define WRAP(KIND, RESULT, NAME, PARAMETERS, ARGUMENTS)                      \
    RESULT NAME PARAMETERS {                                                 \
        static RESULT(*real) PARAMETERS;                                     \
        count(KIND);                                                         \
        if (!real) {                                                         \
            int before = inside;                                             \
            inside = 2;                                                      \
            real = (RESULT(*) PARAMETERS)dlsym(RTLD_NEXT, #NAME);            \
            inside = before;                                                 \
        }                                                                    \
        return real ARGUMENTS;                                               \
    }

WRAP(LOCK, int, pthread_mutex_lock, (pthread_mutex_t * m), (m))
WRAP(LOCK, int, pthread_mutex_trylock, (pthread_mutex_t * m), (m))
WRAP(UNLOCK, int, pthread_mutex_unlock, (pthread_mutex_t * m), (m))
WRAP(LOCK, int, pthread_rwlock_rdlock, (pthread_rwlock_t * l), (l))
WRAP(LOCK, int, pthread_rwlock_wrlock, (pthread_rwlock_t * l), (l))
WRAP(UNLOCK, int, pthread_rwlock_unlock, (pthread_rwlock_t * l), (l))
WRAP(LOCK, int, pthread_spin_lock, (pthread_spinlock_t * l), (l))
WRAP(WAIT, int, pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t *m), (c, m))
WRAP(WAIT, int, pthread_cond_timedwait, (pthread_cond_t * c, pthread_mutex_t *m, const struct timespec *t), (c, m, t))
WRAP(WAKE, int, pthread_cond_signal, (pthread_cond_t * c), (c))
WRAP(WAKE, int, pthread_cond_broadcast, (pthread_cond_t * c), (c))
WRAP(WAIT, int, sem_wait, (sem_t * s), (s))
WRAP(WAIT, int, sem_timedwait, (sem_t * s, const struct timespec *t), (s, t))
WRAP(WAKE, int, sem_post, (sem_t * s), (s))
WRAP(SLEEP, int, nanosleep, (const struct timespec *t, struct timespec *r), (t, r))
WRAP(SLEEP, int, clock_nanosleep, (clockid_t c, int f, const struct timespec *t, struct timespec *r), (c, f, t, r))
WRAP(SLEEP, int, usleep, (useconds_t t), (t))
WRAP(SLEEP, int, sched_yield, (void), ())
WRAP(INPUT_OUTPUT, ssize_t, read, (int f, void *b, size_t n), (f, b, n))
WRAP(INPUT_OUTPUT, ssize_t, write, (int f, const void *b, size_t n), (f, b, n))
WRAP(INPUT_OUTPUT, int, close, (int f), (f))
WRAP(INPUT_OUTPUT, int, poll, (struct pollfd * p, nfds_t n, int t), (p, n, t))
WRAP(INPUT_OUTPUT, size_t, fwrite, (const void *b, size_t s, size_t n, FILE *f), (b, s, n, f))
WRAP(INPUT_OUTPUT, int, fflush, (FILE * f), (f))
WRAP(MAPPING, void *, mmap, (void *a, size_t n, int p, int g, int f, off_t o), (a, n, p, g, f, o))
WRAP(MAPPING, int, munmap, (void *a, size_t n), (a, n))
WRAP(MAPPING, int, mprotect, (void *a, size_t n, int p), (a, n, p))
WRAP(MAPPING, int, madvise, (void *a, size_t n, int v), (a, n, v))

// ---- Swift's counting of references: a release may be the last one, and then frees. The runtime's own calls of these go another way, but
// what is compiled of the program's sources goes through here.
#define WRAP_VOID(KIND, NAME, PARAMETERS, ARGUMENTS)                         \
    void NAME PARAMETERS {                                                   \
        static void(*real) PARAMETERS;                                       \
        count(KIND);                                                         \
        if (!real) {                                                         \
            int before = inside;                                             \
            inside = 2;                                                      \
            real = (void(*) PARAMETERS)dlsym(RTLD_NEXT, #NAME);              \
            inside = before;                                                 \
        }                                                                    \
        real ARGUMENTS;                                                      \
    }

WRAP(RETAIN, void *, swift_retain, (void *o), (o))
WRAP(RETAIN, void *, swift_retain_n, (void *o, uint32_t n), (o, n))
WRAP(RETAIN, void *, swift_bridgeObjectRetain, (void *o), (o))
WRAP(RETAIN, void *, swift_bridgeObjectRetain_n, (void *o, int n), (o, n))
WRAP(RETAIN, void *, swift_unknownObjectRetain, (void *o), (o))
WRAP_VOID(RELEASE, swift_release, (void *o), (o))
WRAP_VOID(RELEASE, swift_release_n, (void *o, uint32_t n), (o, n))
WRAP_VOID(RELEASE, swift_bridgeObjectRelease, (void *o), (o))
WRAP_VOID(RELEASE, swift_bridgeObjectRelease_n, (void *o, int n), (o, n))
WRAP_VOID(RELEASE, swift_unknownObjectRelease, (void *o), (o))

// ---- The kernel's own view. While `selector` is 1, a system call of this thread raises SIGSYS instead.
static void system_call_was_made(int signal, siginfo_t *information, void *context) {
    (void)signal;
    (void)information;
    selector = 0;
    dispatching = 2; // the rest of this cycle goes unhindered
    count(SYSCALL);
#if defined(__x86_64__)
    // The call was not made; back to its two bytes, to make it now.
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] -= 2;
#elif defined(__aarch64__)
    ((ucontext_t *)context)->uc_mcontext.pc -= 4;
#endif
}

static void begin_dispatch(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = system_call_was_made;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSYS, &action, NULL);
    selector = 0;
    if (prctl(PR_SET_SYSCALL_USER_DISPATCH, 1L, 0L, 0L, &selector) == 0)
        dispatching = 1;
    else {
        dispatching = -1;
        atomic_store(&dispatch_missing, 1);
    }
}

// ---- The callback.
typedef int (*process_callback)(uint32_t, void *);
typedef int (*xrun_callback)(void *);
struct xrun_target { void *client; xrun_callback callback; void *context; };
static struct xrun_target xrun_targets[64];
static atomic_int xrun_target_count;
static atomic_long xruns;
struct target { process_callback callback; void *context; struct xrun_target *xrun; };
static struct target targets[64];
static atomic_int target_count;

static int counted_callback(uint32_t frames, void *context) {
    struct target *target = context;
    if (dispatching == 0) begin_dispatch();
    if (dispatching == 2) dispatching = 1;
    inside = 1;
    selector = dispatching == 1;
    if (target->xrun && atomic_load(&cycles) % 8 == 0) {
        target->xrun->callback(target->xrun->context);
        atomic_fetch_add(&xruns, 1);
    }
    int result = target->callback(frames, target->context);
    selector = 0;
    inside = 0;
    atomic_fetch_add(&cycles, 1);
    return result;
}

int jack_set_xrun_callback(void *client, xrun_callback callback, void *context) {
    static int (*real)(void *, xrun_callback, void *);
    if (!real) real = (int (*)(void *, xrun_callback, void *))dlsym(RTLD_NEXT, "jack_set_xrun_callback");
    int index = atomic_fetch_add(&xrun_target_count, 1);
    if (index < 64) xrun_targets[index] = (struct xrun_target){client, callback, context};
    return real(client, callback, context);
}

/// The one that was set last for the client: an address may be that of a client that is closed.
static struct xrun_target *xrun_target_of(void *client) {
    int count = atomic_load(&xrun_target_count);
    for (int index = (count < 64 ? count : 64) - 1; index >= 0; index--)
        if (xrun_targets[index].client == client) return &xrun_targets[index];
    return NULL;
}

int jack_set_process_callback(void *client, process_callback callback, void *context) {
    static int (*real)(void *, process_callback, void *);
    if (!real) real = (int (*)(void *, process_callback, void *))dlsym(RTLD_NEXT, "jack_set_process_callback");
    int index = atomic_fetch_add(&target_count, 1);
    if (index >= 64) return real(client, callback, context);
    targets[index] = (struct target){callback, context, xrun_target_of(client)};
    return real(client, counted_callback, &targets[index]);
}

// ---- The report.
static void write_report(void) {
    static atomic_int written;
    const char *path = getenv("REALTIME_SHIM_REPORT");
    if (!path || atomic_load(&cycles) == 0 || atomic_exchange(&written, 1)) return;
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return;
    dprintf(file, "cycles %ld\n", atomic_load(&cycles));
    dprintf(file, "xruns %ld\n", atomic_load(&xruns));
    for (int kind = 0; kind < KINDS; kind++) {
        long number = kind == SYSCALL && atomic_load(&dispatch_missing) ? -1 : atomic_load(&counts[kind]);
        dprintf(file, "%s %ld\n", names[kind], number);
    }
    int number = atomic_load(&stack_count);
    for (int index = 0; index < number && index < STACKS; index++) {
        dprintf(file, "stack %s\n", names[stacks[index].kind]);
        backtrace_symbols_fd(stacks[index].frames, stacks[index].depth, file);
    }
    close(file);
}

__attribute__((constructor)) static void begin(void) {
    void *frames[2];
    backtrace(frames, 2); // its first call loads a library
}

__attribute__((destructor)) static void end(void) { write_report(); }

void _exit(int code) {
    write_report();
    syscall(SYS_exit_group, code);
    __builtin_unreachable();
}
void _Exit(int code) { _exit(code); }
