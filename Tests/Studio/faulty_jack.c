// Preloaded into the program: a JACK library whose faults come when the test wants them.
//
//   FAULTY_CLOSE=1        jack_client_close never returns
//   FAULTY_ZOMBIE=PATH    as soon as PATH is there, the client is told that it was thrown out, while the server goes on
#define _GNU_SOURCE
#include <dlfcn.h>
#include <jack/jack.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static JackInfoShutdownCallback told;
static void *told_context;

int jack_client_close(jack_client_t *client) {
    if (getenv("FAULTY_CLOSE"))
        for (;;) pause();
    int (*real)(jack_client_t *) = (int (*)(jack_client_t *))dlsym(RTLD_NEXT, "jack_client_close");
    return real(client);
}

static void *throw_out(void *path) {
    while (access(path, F_OK) != 0) usleep(10000);
    unlink(path);
    told(JackFailure | JackClientZombie, "zombified", told_context);
    return NULL;
}

void jack_on_info_shutdown(jack_client_t *client, JackInfoShutdownCallback callback, void *context) {
    void (*real)(jack_client_t *, JackInfoShutdownCallback, void *) =
        (void (*)(jack_client_t *, JackInfoShutdownCallback, void *))dlsym(RTLD_NEXT, "jack_on_info_shutdown");
    real(client, callback, context);
    told = callback;
    told_context = context;
    char *path = getenv("FAULTY_ZOMBIE");
    pthread_t thread;
    if (path && pthread_create(&thread, NULL, throw_out, path) == 0) pthread_detach(thread);
}
