// JACK, and what Swift cannot import of it: variadic functions, and the processor's denormal switches.
#pragma once
#include <jack/jack.h>
#include <jack/metadata.h>
#include <jack/midiport.h>
#include <jack/statistics.h>
#include <jack/thread.h>
#include <jack/transport.h>
#include <jack/uuid.h>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

/// jack_client_open is variadic. `server` may be NULL: then the environment's or the default one.
static inline jack_client_t *binaural_jack_client_open(
    const char *name, jack_options_t options, jack_status_t *status, const char *server) {
    if (server)
        return jack_client_open(name, (jack_options_t)(options | JackServerName), status, server);
    return jack_client_open(name, options, status);
}

/// Of jack_transport_query, the state and the frame. A jack_position_t is packed.
static inline jack_transport_state_t binaural_transport_query(const jack_client_t *client, jack_nframes_t *frame) {
    jack_position_t position;
    jack_transport_state_t state = jack_transport_query(client, &position);
    *frame = position.frame;
    return state;
}

/// The calling thread takes denormal numbers for zero, as operands and as results (FTZ and DAZ; FZ on ARM).
static inline void binaural_flush_denormals(void) {
#if defined(__SSE__)
    _mm_setcsr(_mm_getcsr() | 0x8040);
#elif defined(__aarch64__)
    unsigned long long control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    __asm__ volatile("msr fpcr, %0" : : "r"(control | (1ULL << 24)));
#endif
}

/// Whether the calling thread does so.
static inline int binaural_flushes_denormals(void) {
#if defined(__SSE__)
    return (_mm_getcsr() & 0x8040) == 0x8040;
#elif defined(__aarch64__)
    unsigned long long control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return (control >> 24) & 1;
#else
    return 0;
#endif
}
