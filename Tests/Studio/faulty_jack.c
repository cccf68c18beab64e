// Preloaded into the program: a JACK library whose faults come when the test wants them.
//
//   FAULTY_CLOSE=1        jack_client_close never returns
//   FAULTY_LATE=PATH      the thread that tells of the server's end has more to do for a while; a client that is closed meanwhile makes PATH
//   FAULTY_ZOMBIE=PATH    as soon as PATH is there, the client is told that it was thrown out, while the server goes on
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <jack/jack.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static JackInfoShutdownCallback told;
static void *told_context;
static atomic_int is_telling;

int jack_client_close(jack_client_t *client) {
    if (getenv("FAULTY_CLOSE"))
        for (;;) pause();
    char *late = getenv("FAULTY_LATE");
    if (late && atomic_load(&is_telling)) close(open(late, O_CREAT | O_WRONLY, 0600));
    int (*real)(jack_client_t *) = (int (*)(jack_client_t *))dlsym(RTLD_NEXT, "jack_client_close");
    return real(client);
}

static void *throw_out(void *path) {
    while (access(path, F_OK) != 0) usleep(10000);
    unlink(path);
    told(JackFailure | JackClientZombie, "zombified", told_context);
    return NULL;
}

static void tell_late(jack_status_t code, const char *reason, void *context) {
    atomic_store(&is_telling, 1);
    told(code, reason, context);
    usleep(200000);
    atomic_store(&is_telling, 0);
}

void jack_on_info_shutdown(jack_client_t *client, JackInfoShutdownCallback callback, void *context) {
    void (*real)(jack_client_t *, JackInfoShutdownCallback, void *) =
        (void (*)(jack_client_t *, JackInfoShutdownCallback, void *))dlsym(RTLD_NEXT, "jack_on_info_shutdown");
    told = callback;
    told_context = context;
    real(client, getenv("FAULTY_LATE") ? tell_late : callback, context);
    char *path = getenv("FAULTY_ZOMBIE");
    pthread_t thread;
    if (path && pthread_create(&thread, NULL, throw_out, path) == 0) pthread_detach(thread);
}
