// JACK, and what Swift cannot import from its headers: variadic functions and the processor's denormal flags.
#pragma once
#include <jack/jack.h>
#include <jack/metadata.h>
#include <jack/midiport.h>
#include <jack/statistics.h>
#include <jack/thread.h>
#include <jack/transport.h>
#include <jack/uuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

/// jack_client_open is variadic. If `server` is NULL, JACK uses the server named by the environment, or the default one.
static inline jack_client_t *binaural_jack_client_open(
    const char *name, jack_options_t options, jack_status_t *status, const char *server) {
    if (server)
        return jack_client_open(name, (jack_options_t)(options | JackServerName), status, server);
    return jack_client_open(name, options, status);
}

/// jack_transport_query: the state, the frame, and the timebase master's tempo in quarter notes a minute (0 without a master) and position
/// in whole notes from bar 1 to that frame. A jack_position_t is packed.
static inline jack_transport_state_t binaural_transport_query(
    const jack_client_t *client, jack_nframes_t *frame, double *tempo, double *whole_notes) {
    jack_position_t position;
    jack_transport_state_t state = jack_transport_query(client, &position);
    *frame = position.frame;
    *tempo = *whole_notes = 0;
    int is_known = (position.valid & JackPositionBBT) && position.beats_per_minute > 0
        && position.beat_type > 0 && position.beats_per_bar > 0 && position.ticks_per_beat > 0;
    if (is_known) {
        double beats = (position.bar - 1.0) * position.beats_per_bar + (position.beat - 1.0) + position.tick / position.ticks_per_beat;
        if ((position.valid & JackBBTFrameOffset) && position.frame_rate > 0)
            beats += position.bbt_offset * position.beats_per_minute / (60.0 * position.frame_rate);
        double quarters = position.beats_per_minute * 4 / position.beat_type, notes = beats / position.beat_type;
        // Ignores an implausible tempo or a bar that is infinitely far away. Comparisons with NaN are false.
        if (quarters >= 1 && quarters <= 10000 && notes > -1e12 && notes < 1e12) {
            *tempo = quarters;
            *whole_notes = notes;
        }
    }
    return state;
}

/// The kernel's id of the calling thread. gettid(2)
static inline int binaural_thread_number(void) {
    return (int)syscall(SYS_gettid);
}

/// Makes the calling thread treat denormal numbers as zero, as operands and as results (FTZ and DAZ; FZ on ARM).
static inline void binaural_flush_denormals(void) {
#if defined(__SSE__)
    _mm_setcsr(_mm_getcsr() | 0x8040);
#elif defined(__aarch64__)
    unsigned long long control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    __asm__ volatile("msr fpcr, %0" : : "r"(control | (1ULL << 24)));
#endif
}

/// Whether the calling thread treats denormal numbers as zero.
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
