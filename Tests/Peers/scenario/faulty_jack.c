// Preloaded into the program: a JACK library whose faults come when the test wants them.
//
//   FAULTY_CLOSE=1        jack_client_close never returns
//   FAULTY_LATE=PATH      the thread that reports the server's end stays busy for a while; a client that is closed meanwhile makes PATH
//   FAULTY_ZOMBIE=PATH    as soon as PATH exists, the client is notified that it was thrown out, while the server continues
//   FAULTY_HOLD=PATH      while PATH exists, one callback that is about to render waits; PATH.held exists meanwhile
//   FAULTY_RATE=PATH      as soon as PATH exists, the client is notified of the sample rate in it, or of 44,100 Hz if it has none
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <jack/jack.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static JackInfoShutdownCallback shutdown_callback;
static void *shutdown_context;
static atomic_int is_reporting;

int jack_client_close(jack_client_t *client) {
    if (getenv("FAULTY_CLOSE"))
        for (;;) pause();
    char *late = getenv("FAULTY_LATE");
    if (late && atomic_load(&is_reporting)) close(open(late, O_CREAT | O_WRONLY, 0600));
    int (*real)(jack_client_t *) = (int (*)(jack_client_t *))dlsym(RTLD_NEXT, "jack_client_close");
    return real(client);
}

int jack_get_cycle_times(
    const jack_client_t *client, jack_nframes_t *frames, jack_time_t *time, jack_time_t *next, float *period) {
    static int (*real)(const jack_client_t *, jack_nframes_t *, jack_time_t *, jack_time_t *, float *);
    if (!real)
        real = (int (*)(const jack_client_t *, jack_nframes_t *, jack_time_t *, jack_time_t *, float *))dlsym(
            RTLD_NEXT, "jack_get_cycle_times");
    char *hold = getenv("FAULTY_HOLD");
    static atomic_int is_held;
    if (hold && access(hold, F_OK) == 0 && !atomic_exchange(&is_held, 1)) {
        char held[4096];
        snprintf(held, sizeof held, "%s.held", hold);
        close(open(held, O_CREAT | O_WRONLY, 0600));
        while (access(hold, F_OK) == 0) usleep(1000);
        unlink(held);
        atomic_store(&is_held, 0);
    }
    return real(client, frames, time, next, period);
}

static JackSampleRateCallback rate_callback;
static void *rate_context;

static void *change_rate(void *path) {
    for (;;) {
        while (access(path, F_OK) != 0) usleep(10000);
        unsigned rate = 44100;
        FILE *file = fopen(path, "r");
        if (file && fscanf(file, "%u", &rate) != 1) rate = 44100;
        if (file) fclose(file);
        unlink(path);
        rate_callback(rate, rate_context);
    }
    return NULL;
}

int jack_set_sample_rate_callback(jack_client_t *client, JackSampleRateCallback callback, void *context) {
    static atomic_int is_watching;
    int (*real)(jack_client_t *, JackSampleRateCallback, void *) =
        (int (*)(jack_client_t *, JackSampleRateCallback, void *))dlsym(RTLD_NEXT, "jack_set_sample_rate_callback");
    rate_callback = callback;
    rate_context = context;
    char *path = getenv("FAULTY_RATE");
    pthread_t thread;
    if (path && !atomic_exchange(&is_watching, 1) && pthread_create(&thread, NULL, change_rate, path) == 0) pthread_detach(thread);
    return real(client, callback, context);
}

static void *throw_out(void *path) {
    while (access(path, F_OK) != 0) usleep(10000);
    unlink(path);
    shutdown_callback(JackFailure | JackClientZombie, "zombified", shutdown_context);
    return NULL;
}

static void report_late(jack_status_t code, const char *reason, void *context) {
    atomic_store(&is_reporting, 1);
    shutdown_callback(code, reason, context);
    usleep(200000);
    atomic_store(&is_reporting, 0);
}

void jack_on_info_shutdown(jack_client_t *client, JackInfoShutdownCallback callback, void *context) {
    void (*real)(jack_client_t *, JackInfoShutdownCallback, void *) =
        (void (*)(jack_client_t *, JackInfoShutdownCallback, void *))dlsym(RTLD_NEXT, "jack_on_info_shutdown");
    shutdown_callback = callback;
    shutdown_context = context;
    real(client, getenv("FAULTY_LATE") ? report_late : callback, context);
    char *path = getenv("FAULTY_ZOMBIE");
    pthread_t thread;
    if (path && pthread_create(&thread, NULL, throw_out, path) == 0) pthread_detach(thread);
}
