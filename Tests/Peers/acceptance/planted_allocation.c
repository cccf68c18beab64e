// Preloaded behind the shim: every look at a port's buffer, which only a process callback does, allocates and frees.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

static void *volatile kept;

void *jack_port_get_buffer(void *port, uint32_t frames) {
    static void *(*real)(void *, uint32_t);
    if (!real) real = (void *(*)(void *, uint32_t))dlsym(RTLD_NEXT, "jack_port_get_buffer");
    kept = malloc(64);
    free(kept);
    return real(port, frames);
}
