"""Beats of 1/4 under a timebase master, klick: they fall on its beats, and get there without a step.

    tempo.py PROGRAM

The tones of both ears and one pulsing tone are recorded from the ports, through a start and locates that move them off the bar. The phase of the
beat is measured every millisecond. A step would appear as a beat that is faster by tens of hertz for a moment; a planted step shows that it
does. The server is named JACK_DEFAULT_SERVER, and the program's client CLIENT_NAME.
"""
import os
import sys

import numpy
from clicks import peak_above
from jack_transport import Transport
from disturbance import Disturbed, judge, undisturbed
from recording import Capture
from servers import Running, Server, server_environment, until
from peer import Peer
from program import Program

NAME = os.environ.get("CLIENT_NAME", "binaural")
SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")
TEMPO, RATE = 97, 48_000
BEAT = RATE * 60 / TEMPO
BEATS = """\
title: Beats
layers:
  - {name: ears, binaural: {carrier: 200, beat: 1/4}, gain: -20}
  - {name: swelling, monaural: {carrier: 1200, beat: 1/4}, gain: -20}
"""
# Frames that a beat may differ from the master's: 1.5 ms, above which it is shifted, a tick of the master, and the measurement error.
BESIDE = 72 + 16 + 8
# Hertz that a beat may be faster or slower while it shifts to the bar: at most half a beat in half a second.
FASTER = 1.0
WINDOW, HOP = 960, 48


def tone(samples, frequency):
    """A tone's amplitude and phase every millisecond, as complex numbers; the first is for the window's middle at WINDOW / 2."""
    frames = numpy.arange(len(samples))
    turned = samples * numpy.exp(-2j * numpy.pi * frequency / RATE * frames)
    smooth = numpy.convolve(turned, numpy.hanning(WINDOW) / (WINDOW / 2), "valid")
    return smooth[::HOP]


def ears(samples):
    """The number of beats that have passed, from the phase of the left ear's tone relative to the right one's."""
    return numpy.unwrap(numpy.angle(tone(samples[:, 0], 200) * numpy.conj(tone(samples[:, 1], 200)))) / (2 * numpy.pi)


def fastest(beats):
    """The largest difference in Hertz between the beat and the tempo, over 10 ms each."""
    return numpy.abs((beats[10:] - beats[:-10]) / 0.01 - TEMPO / 60).max()


def masters(cycles, frames):
    """Beats of the timebase master at frames of the recording; NaN where the transport does not roll."""
    rows = numpy.searchsorted(cycles[:, 0], frames, "right") - 1
    beats = 4 * cycles[rows, 3] / 1e9 + (frames - cycles[rows, 0]) / BEAT
    return numpy.where((cycles[rows, 2] >= 0) & (cycles[rows, 3] >= 0), beats, numpy.nan)


def beside(one, other):
    """The difference in beats, from -0.5 to 0.5."""
    return one - other - numpy.round(one - other)


def record(path):
    with Server(SERVER), Transport(f"watch-{NAME}") as transport, Program(
            path, NAME, queue=["beats.yaml"], files={"beats.yaml": BEATS}) as program, Running(
                "klick", "-n", f"klick-{NAME}", "-T", "4/4", TEMPO, env=dict(os.environ, HOME=str(program.folder))):
        peer = Peer(program.port)
        peer.send("replies", 2)
        assert peer.code("play") == 0
        until("klick is not the timebase master", lambda: transport.tempo == TEMPO)
        marks = []
        transport.start()
        until("the transport does not roll", lambda: transport.rolls)
        peer.until("transport/tempo", lambda values: values == [TEMPO])
        with Capture(f"timed-{NAME}", [f"{NAME}:out_left", f"{NAME}:out_right"], 60) as capture:
            capture.advance(3 * RATE)
            for place in (0.4, 0.7, 0.15):
                marks.append(capture.recorded)
                transport.locate(round((100 + place) * BEAT))
                capture.advance(int(3.2 * RATE))
            marks.append(capture.recorded)
            wave, cycles, xruns = capture.finish()
        program.end()
    return wave.samples[:, :2].astype(float), cycles, marks, xruns


def measure(path):
    samples, cycles, marks, xruns = record(path)
    beats = ears(samples)
    frames = WINDOW // 2 + HOP * numpy.arange(len(beats))
    swelling = numpy.abs(tone(samples[:, 0], 1200)) ** 2
    way, off, loudest = [], [], []
    for mark in marks:
        # Half a second before the next locate, or the end, it has long arrived.
        there = (frames > mark - RATE) & (frames < mark - RATE / 4)
        off.append(numpy.nanmax(numpy.abs(beside(beats, masters(cycles, frames))[there])))
        # The envelope of one beat, and its maximum.
        period = numpy.nonzero(frames > mark - RATE)[0][:round(BEAT / HOP)]
        turned = swelling[period] * numpy.exp(-2j * numpy.pi * masters(cycles, frames[period]))
        loudest.append(abs(numpy.angle(turned.sum())) / (2 * numpy.pi))
    for mark in marks[:-1]:
        # From the position of the locate to the final one.
        begin = numpy.nonzero(frames > mark + RATE / 4)[0][0]
        way.append(abs(beside(beats[begin], masters(cycles, frames[begin:begin + 1]))[0]))
    if max(way) < 0.1:
        raise Disturbed(f"no locate has put it far beside the bar: {way}")
    judge(max(off + loudest) * BEAT <= BESIDE, f"beside the bar by {off} and {loudest} beats", xruns)
    speed = fastest(beats)
    judge(speed <= 1.1 * FASTER, f"a beat is {speed:.2f} Hz faster than the tempo", xruns)
    # A planted fault: a step of a tenth of a beat.
    stepped = beats + 0.1 * (numpy.arange(len(beats)) > len(beats) // 2)
    assert fastest(stepped) > 3, "a step would not be seen"
    # Faded in and out, since it starts and ends in the middle of the sound.
    edge = numpy.minimum(1, numpy.minimum(numpy.arange(len(samples)), numpy.arange(len(samples))[::-1]) / 9_600)
    level = peak_above(6_000, samples * numpy.sin(numpy.pi / 2 * edge)[:, None] ** 4)
    judge(level < -90, f"{level:.0f} dB above 6 kHz in tones of 200 and 1200 Hz", xruns)
    return (f"{max(way):.2f} beats of way after {len(way)} locates, at most {speed:.2f} Hz faster or slower than the tempo (a step of 0.1 beats "
            f"would be {fastest(stepped):.0f} Hz), {level:.0f} dB above 6 kHz; then beside the master's beats by {max(off) * BEAT:.0f} frames "
            f"between the ears and {max(loudest) * BEAT:.0f} in loudness")


def main(path):
    os.environ.update(server_environment(SERVER))
    print(f"figure: beats of 1/4 at {TEMPO}: {undisturbed(measure, path)}")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
