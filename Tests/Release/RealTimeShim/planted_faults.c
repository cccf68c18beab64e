// A JACK client whose process callback commits the faults that its arguments name, for showing that the shim sees them; or its xrun callback.
//
//   planted_faults NAME CYCLES [malloc|lock|write|raw|xrun|clean]...      ends after so many cycles
#define _GNU_SOURCE
#include <fcntl.h>
#include <jack/jack.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int allocates, locks, writes, calls, notifies;
static long wanted;
static atomic_long done;
static jack_port_t *port;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *volatile kept;
static int null_device;

static int process(jack_nframes_t frames, void *context) {
    (void)context;
    memset(jack_port_get_buffer(port, frames), 0, frames * sizeof(float));
    long cycle = atomic_fetch_add(&done, 1);
    if (cycle >= wanted) return 0;
    if (allocates) { kept = malloc(64); free(kept); }
    if (locks) { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); }
    if (writes) { if (write(null_device, "x", 1) != 1) abort(); }
    if (calls) syscall(SYS_gettid);
    return 0;
}

// As a program does that puts what happened into a box for another thread.
static int xrun(void *context) {
    (void)context;
    if (!notifies || atomic_load(&done) >= wanted) return 0;
    pthread_mutex_lock(&mutex);
    kept = malloc(64);
    free(kept);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(int count, char **arguments) {
    if (count < 3) return 64;
    wanted = atol(arguments[2]);
    for (int index = 3; index < count; index++) {
        allocates |= !strcmp(arguments[index], "malloc");
        locks |= !strcmp(arguments[index], "lock");
        writes |= !strcmp(arguments[index], "write");
        calls |= !strcmp(arguments[index], "raw");
        notifies |= !strcmp(arguments[index], "xrun");
    }
    null_device = open("/dev/null", O_WRONLY);
    jack_client_t *client = jack_client_open(arguments[1], JackNoStartServer, NULL);
    if (!client) return 69;
    port = jack_port_register(client, "out", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
    jack_set_xrun_callback(client, xrun, NULL);
    jack_set_process_callback(client, process, NULL);
    jack_activate(client);
    while (atomic_load(&done) < wanted) usleep(1000);
    jack_client_close(client);
    printf("%ld cycles\n", wanted);
    return 0;
}
