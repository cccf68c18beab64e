// Records the ports of a JACK client and when each cycle began, all in one process callback: which sample was played at which time.
//
//   timed_capture NAME FILE SECONDS PORT...
//
// Connects to the ports (full names), prints "recording" once it runs, "frames N" while it does, and "transport N" when
// JACK's transport has stopped at another frame than before; N is -1 once it rolls. When its standard input ends it writes FILE, a WAV file
// of 32-bit float, and FILE.cycles, with a line for each cycle: "first-sample unix-microseconds transport-frame
// billionths-of-a-whole-note". The last two are -1 while the transport does not roll, and without a timebase master. Last it prints
// "xruns N", the xruns while it recorded.
#include <errno.h>
#include <jack/jack.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_PORTS 128

static jack_client_t *client;
static jack_port_t *ports[MAX_PORTS];
static int port_count;
static float *samples;
static long capacity;
static atomic_long recorded, standing = -1;
// The cycles to go until it records, plus one; 0 before it is connected, and at the end.
static atomic_int countdown, xruns;
static struct cycle { long sample; jack_time_t time; long transport; double whole_notes; } *cycles;
static long cycle_count;

// The whole notes since bar 1, by the tempo of JACK's timebase master; -1 without a master.
static double whole_notes(const jack_position_t *position) {
    if (!(position->valid & JackPositionBBT)) return -1;
    double beats = (position->bar - 1.0) * position->beats_per_bar + (position->beat - 1.0) + position->tick / position->ticks_per_beat;
    return beats / position->beat_type;
}

static int process(jack_nframes_t frames, void *context) {
    (void)context;
    int cycles_to_go = atomic_load(&countdown);
    if (cycles_to_go > 1) atomic_store(&countdown, cycles_to_go - 1);
    if (cycles_to_go != 1) return 0;
    jack_nframes_t frame;
    jack_time_t begin, next;
    float period;
    long done = atomic_load(&recorded);
    if (done + frames > capacity) return 0;
    if (jack_get_cycle_times(client, &frame, &begin, &next, &period) != 0) begin = jack_get_time();
    jack_position_t position;
    int rolls = jack_transport_query(client, &position) == JackTransportRolling;
    atomic_store(&standing, rolls ? -1 : (long)position.frame);
    cycles[cycle_count++] = (struct cycle){done, begin, rolls ? (long)position.frame : -1, whole_notes(&position)};
    for (int port = 0; port < port_count; port++) {
        const float *input = jack_port_get_buffer(ports[port], frames);
        for (jack_nframes_t index = 0; index < frames; index++) samples[(done + index) * port_count + port] = input[index];
    }
    atomic_store(&recorded, done + frames);
    return 0;
}

static int xrun(void *context) {
    (void)context;
    if (atomic_load(&countdown) == 1) atomic_fetch_add(&xruns, 1);
    return 0;
}

static void word(FILE *file, uint32_t value, int bytes) { fwrite(&value, 1, bytes, file); }

static void write_wave(const char *path, long frames, unsigned rate) {
    FILE *file = fopen(path, "wb");
    if (!file) exit(73);
    uint32_t size = frames * port_count * 4;
    fwrite("RIFF", 1, 4, file);
    word(file, 36 + size, 4);
    fwrite("WAVEfmt ", 1, 8, file);
    word(file, 16, 4);
    word(file, 3, 2);
    word(file, port_count, 2);
    word(file, rate, 4);
    word(file, rate * port_count * 4, 4);
    word(file, port_count * 4, 2);
    word(file, 32, 2);
    fwrite("data", 1, 4, file);
    word(file, size, 4);
    fwrite(samples, 4, frames * port_count, file);
    if (fclose(file)) exit(74);
}

static void write_cycles(const char *path) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    // Both clocks read next to each other, off by less than a microsecond or two.
    int64_t offset = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000 - (int64_t)jack_get_time();
    char name[4096];
    snprintf(name, sizeof name, "%s.cycles", path);
    FILE *file = fopen(name, "w");
    if (!file) exit(73);
    for (long index = 0; index < cycle_count; index++)
        fprintf(
            file, "%ld %lld %ld %lld\n", cycles[index].sample, (long long)((int64_t)cycles[index].time + offset), cycles[index].transport,
            (long long)(cycles[index].whole_notes * 1e9));
    if (fclose(file)) exit(74);
}

int main(int count, char **arguments) {
    if (count < 5 || count - 4 > MAX_PORTS) return 64;
    client = jack_client_open(arguments[1], JackNoStartServer | JackUseExactName, NULL);
    if (!client) return 69;
    unsigned rate = jack_get_sample_rate(client);
    port_count = count - 4;
    capacity = (long)(atof(arguments[3]) * rate);
    samples = calloc(capacity * port_count, sizeof *samples);
    cycles = calloc(capacity / 16 + 2, sizeof *cycles);
    memset(samples, 1, capacity * port_count * sizeof *samples); // touched, so that the callback meets no page fault
    memset(cycles, 1, (capacity / 16 + 2) * sizeof *cycles);
    jack_set_process_callback(client, process, NULL);
    jack_set_xrun_callback(client, xrun, NULL);
    for (int port = 0; port < port_count; port++) {
        char name[16];
        snprintf(name, sizeof name, "in_%d", port + 1);
        ports[port] = jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
    }
    if (jack_activate(client)) return 69;
    for (int port = 0; port < port_count; port++) {
        // The other side may remember us, and be quicker.
        int code = jack_connect(client, arguments[4 + port], jack_port_name(ports[port]));
        if (code != 0 && code != EEXIST) return 66;
    }
    // A connection may take effect a cycle after jack_connect has returned.
    atomic_store(&countdown, 4);
    setvbuf(stdout, NULL, _IOLBF, 0);
    long printed = 0, printed_standing = -2;
    struct pollfd input = {.fd = 0, .events = POLLIN};
    for (;;) {
        long done = atomic_load(&recorded);
        if (done > 0 && printed == 0) printf("recording\n");
        if (done > printed) printf("frames %ld\n", printed = done);
        long stands = atomic_load(&standing);
        if (stands != printed_standing) printf("transport %ld\n", printed_standing = stands);
        char byte;
        if (poll(&input, 1, 2) > 0 && read(0, &byte, 1) <= 0) break;
    }
    atomic_store(&countdown, 0);
    int happened = atomic_load(&xruns);
    jack_deactivate(client);
    printf("frames %ld\n", atomic_load(&recorded));
    write_wave(arguments[2], atomic_load(&recorded), rate);
    write_cycles(arguments[2]);
    printf("xruns %d\n", happened);
    jack_client_close(client);
    return 0;
}
