// Linked into a program with RealtimeSanitizer's runtime, in place of its jack_set_process_callback (ld --wrap): whatever the callback
// does that a real-time thread must not do ends the program, with a stack.
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

// The toolchain's header declares them for C++ and for a compiler that instruments; the runtime has them for all.
void __rtsan_realtime_enter(void);
void __rtsan_realtime_exit(void);

typedef int (*process_callback)(uint32_t, void *);
static struct target { process_callback callback; void *context; } targets[64];
static atomic_int target_count;
static atomic_long cycles;

static int watched(uint32_t frames, void *context) {
    struct target *target = context;
    __rtsan_realtime_enter();
    int result = target->callback(frames, target->context);
    __rtsan_realtime_exit();
    cycles++;
    return result;
}

int __real_jack_set_process_callback(void *client, process_callback callback, void *context);

int __wrap_jack_set_process_callback(void *client, process_callback callback, void *context) {
    int index = target_count++;
    if (index >= 64) return 1;
    targets[index] = (struct target){callback, context};
    return __real_jack_set_process_callback(client, watched, &targets[index]);
}

__attribute__((destructor)) static void tell(void) { fprintf(stderr, "watched cycles: %ld\n", cycles); }
