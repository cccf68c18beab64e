// Sends MIDI events to JACK, each on a given frame, and marks that frame in an audio port.
//
//   midi_player NAME DESTINATION
//
// Connects its port "out" to DESTINATION (a full name) and prints "ready". Standard input has a line for each event: "DELAY BYTE...",
// in frames after the event before (from now on where that has passed), the bytes in hexadecimal. The audio port "mark" has a sample of
// 1 on the frame of each event. It prints "sent N", the events sent so far, and ends with its standard input.
#include <jack/jack.h>
#include <jack/midiport.h>
#include <jack/ringbuffer.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct event {
    unsigned delay, size;
    unsigned char bytes[16];
};

static jack_client_t *client;
static jack_port_t *out, *mark;
static jack_ringbuffer_t *ring;
static atomic_long sent;

static int process(jack_nframes_t frames, void *context) {
    (void)context;
    // Frames from the beginning of this cycle to the event before.
    static long last = -1000000;
    void *events = jack_port_get_buffer(out, frames);
    float *marks = jack_port_get_buffer(mark, frames);
    jack_midi_clear_buffer(events);
    memset(marks, 0, frames * sizeof *marks);
    struct event event;
    while (jack_ringbuffer_peek(ring, (char *)&event, sizeof event) == sizeof event) {
        long frame = last + (long)event.delay < 0 ? 0 : last + (long)event.delay;
        if (frame >= (long)frames) break;
        jack_ringbuffer_read_advance(ring, sizeof event);
        if (jack_midi_event_write(events, frame, event.bytes, event.size) == 0) atomic_fetch_add(&sent, 1);
        marks[frame] = 1;
        last = frame;
    }
    last -= frames;
    return 0;
}

static void take(char *line) {
    struct event event = {0};
    char *rest = line;
    event.delay = strtoul(rest, &rest, 10);
    for (;;) {
        char *end;
        unsigned long byte = strtoul(rest, &end, 16);
        if (end == rest || event.size == sizeof event.bytes) break;
        event.bytes[event.size++] = byte;
        rest = end;
    }
    while (jack_ringbuffer_write_space(ring) < sizeof event) usleep(1000);
    jack_ringbuffer_write(ring, (char *)&event, sizeof event);
}

int main(int count, char **arguments) {
    if (count != 3) return 64;
    client = jack_client_open(arguments[1], JackNoStartServer | JackUseExactName, NULL);
    if (!client) return 69;
    ring = jack_ringbuffer_create(65536 * sizeof(struct event));
    jack_ringbuffer_mlock(ring);
    out = jack_port_register(client, "out", JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput, 0);
    mark = jack_port_register(client, "mark", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
    jack_set_process_callback(client, process, NULL);
    if (!out || !mark || jack_activate(client)) return 69;
    if (jack_connect(client, jack_port_name(out), arguments[2])) return 66;
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("ready\n");
    static char buffer[1 << 16];
    size_t held = 0;
    long printed = 0;
    struct pollfd input = {.fd = 0, .events = POLLIN};
    for (;;) {
        long done = atomic_load(&sent);
        if (done > printed) printf("sent %ld\n", printed = done);
        if (poll(&input, 1, 2) <= 0) continue;
        ssize_t got = read(0, buffer + held, sizeof buffer - held - 1);
        if (got <= 0) break;
        held += got;
        buffer[held] = 0;
        char *line = buffer, *end;
        while ((end = strchr(line, '\n'))) {
            *end = 0;
            take(line);
            line = end + 1;
        }
        held -= line - buffer;
        memmove(buffer, line, held);
    }
    jack_client_close(client);
    return 0;
}
