"""JACK's transport starts, stops and locates, followed and led: nothing clicks.

    clicks.py PROGRAM

A tone of 200 Hz is recorded from the ports, from silence to silence; anything above 2 kHz was added by the changes. To show that a
click would be detected, some frames of the same recording are removed. The server is named JACK_DEFAULT_SERVER, and the program's client CLIENT_NAME.
"""
import os
import sys

import numpy
from jack_transport import Transport
from disturbance import judge, undisturbed
from recording import Capture
from servers import Server, server_environment, until
from peer import Peer
from program import Program

NAME = os.environ.get("CLIENT_NAME", "binaural")
SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")
TONE = "title: Tone\nduration: 600\nlayers:\n  - {name: tone, tone: {carrier: 200}, gain: -20}\n"
# dB of full scale, as in ClickTests for the engine alone.
LIMIT = -100


def peak_above(frequency, samples, rate=48_000):
    """The highest sample above a frequency, in dB."""
    spectrum = numpy.fft.rfft(samples, axis=0)
    bands = numpy.fft.rfftfreq(len(samples), 1 / rate)
    # Vertical edges would ring.
    spectrum *= numpy.clip((bands - 0.75 * frequency) / (0.25 * frequency), 0, 1)[:, None]
    return 20 * numpy.log10(numpy.abs(numpy.fft.irfft(spectrum, len(samples), axis=0)).max() + 1e-12)


def left_out(samples, count=37):
    """The same with some frames removed from the sound."""
    sounding = numpy.nonzero(numpy.abs(samples[:, 0]) > 0.05)[0]
    place = sounding[len(sounding) // 2]
    return numpy.delete(samples, numpy.s_[place:place + count], axis=0)


def followed(peer, transport, capture):
    """Starts, stops and locates by another client; returns their number."""
    def comes_to(state):
        peer.until("now/state", lambda values: values == [state])
        capture.advance(6_000)

    for frame in (96_017, 480_123):
        transport.start()
        comes_to("playing")
        # In sequence, the second within the fade of the first or not.
        transport.locate(frame)
        until("it is not located", lambda: frame <= transport.frame < frame + 480_000)
        transport.locate(3 * frame + 77)
        until("it is not located", lambda: transport.frame >= 3 * frame)
        capture.advance(6_000)
        transport.stop()
        comes_to("paused")
    return 8


def led(peer, transport, capture):
    """The program's own commands, which drive the transport; returns their number."""
    assert peer.code("transport/mode", "lead") == 0
    for position in (12.3456, 3.21):
        assert peer.code("play") == 0
        until("it does not roll", lambda: transport.rolls)
        capture.advance(6_000)
        assert peer.code("position", position) == 0
        capture.advance(6_000)
        assert peer.code("pause") == 0
        until("it rolls on", lambda: not transport.rolls)
        capture.advance(6_000)
    return 6


def measure(path):
    with Server(SERVER), Transport(f"watch-{NAME}") as transport, Program(
            path, NAME, "--transport", "follow", queue=["tone.yaml"], files={"tone.yaml": TONE}) as program:
        peer = Peer(program.port)
        peer.send("replies", 2)
        recordings = {}
        for how, move in (("followed", followed), ("led", led)):
            with Capture(f"timed-{NAME}", [f"{NAME}:out_left", f"{NAME}:out_right"], 60) as capture:
                capture.advance(2_000)
                changes = move(peer, transport, capture)
                wave, _, xruns = capture.finish()
                recordings[how] = (changes, wave.samples[:, :2].astype(float), xruns)
        program.end()
    results = []
    for how, (changes, samples, xruns) in recordings.items():
        assert not samples[:480].any() and not samples[-480:].any(), "it does not begin and end in silence"
        level = peak_above(2_000, samples)
        judge(level < LIMIT, f"{how}: {level:.0f} dB above 2 kHz", xruns)
        planted = peak_above(2_000, left_out(samples))
        assert planted > LIMIT + 30, f"a click is not seen: {planted:.0f} dB"
        results.append(f"{how}, {changes} starts, stops and locates: {level:.0f} dB (with 37 frames left out {planted:.0f} dB)")
    return results


def main(path):
    os.environ.update(server_environment(SERVER))
    for line in undisturbed(measure, path):
        print(f"figure: above 2 kHz in a tone of 200 Hz while JACK's transport is {line}")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
