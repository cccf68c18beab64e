// The part of JACK that calls a process callback, on a thread of its own.
#include <pthread.h>
#include <stdint.h>
#include <stddef.h>

typedef int (*process_callback)(uint32_t, void *);
static process_callback callback;
static void *context;

int jack_set_process_callback(void *client, process_callback new_callback, void *new_context) {
    (void)client;
    callback = new_callback;
    context = new_context;
    return 0;
}

// No cycle is missed here.
int jack_set_xrun_callback(void *client, int (*new_callback)(void *), void *new_context) {
    (void)client;
    (void)new_callback;
    (void)new_context;
    return 0;
}

static void *run(void *count) {
    for (int cycle = 0; cycle < *(int *)count; cycle++) callback(64, context);
    return NULL;
}

void jack_run_cycles(int count) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, &count);
    pthread_join(thread, NULL);
}
