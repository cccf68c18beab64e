// Linked into a program with RealtimeSanitizer's runtime, in place of its jack_set_process_callback and jack_set_xrun_callback (ld --wrap):
// whatever the callbacks do that a real-time thread must not do ends the program, with a stack. PipeWire calls the second one on the thread of
// the first, just before a cycle: so does this, in every eighth one.
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

// The toolchain's header declares them for C++ and for a compiler that instruments; the runtime has them for all.
void __rtsan_realtime_enter(void);
void __rtsan_realtime_exit(void);

typedef int (*process_callback)(uint32_t, void *);
typedef int (*xrun_callback)(void *);
static struct xrun_target { void *client; xrun_callback callback; void *context; } xrun_targets[64];
static atomic_int xrun_target_count;
static struct target { process_callback callback; void *context; struct xrun_target *xrun; } targets[64];
static atomic_int target_count;
static atomic_long cycles;

static int watched(uint32_t frames, void *context) {
    struct target *target = context;
    __rtsan_realtime_enter();
    if (target->xrun && cycles % 8 == 0) target->xrun->callback(target->xrun->context);
    int result = target->callback(frames, target->context);
    __rtsan_realtime_exit();
    cycles++;
    return result;
}

int __real_jack_set_xrun_callback(void *client, xrun_callback callback, void *context);

int __wrap_jack_set_xrun_callback(void *client, xrun_callback callback, void *context) {
    int index = xrun_target_count++;
    if (index < 64) xrun_targets[index] = (struct xrun_target){client, callback, context};
    return __real_jack_set_xrun_callback(client, callback, context);
}

static struct xrun_target *xrun_target_of(void *client) {
    for (int index = (xrun_target_count < 64 ? xrun_target_count : 64) - 1; index >= 0; index--)
        if (xrun_targets[index].client == client) return &xrun_targets[index];
    return NULL;
}

int __real_jack_set_process_callback(void *client, process_callback callback, void *context);

int __wrap_jack_set_process_callback(void *client, process_callback callback, void *context) {
    int index = target_count++;
    if (index >= 64) return 1;
    targets[index] = (struct target){callback, context, xrun_target_of(client)};
    return __real_jack_set_process_callback(client, watched, &targets[index]);
}

__attribute__((destructor)) static void report(void) { fprintf(stderr, "watched cycles: %ld\n", cycles); }
