"""Timebase masters with invalid numbers, and connections to ports with invalid names, while a program plays: neither changes a bit of the
sound, nor the session.

    wild_masters.py PROGRAM

Other invalid input is tested elsewhere: mappings and patterns in InstanceTests, a locate beyond the end in transport.py, a folder that cannot
be written in session_faults.py, a storm of MIDI and what follows a tempo of 0 in AcceptanceTests, a pattern in qjackctl's patchbay in
PatchbayTests. The server is named JACK_DEFAULT_SERVER, and the program's client CLIENT_NAME.
"""
import os
import shutil
import sys
import tempfile
from pathlib import Path

from jack_transport import Transport
from recording import Capture, equal_frames, render
from servers import Running, Server, server_environment, until
from peer import Peer
from program import Program

NAME = os.environ.get("CLIENT_NAME", "binaural")
SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")
RAIN = """\
title: Rain
duration: 300
layers:
  - {name: rain, noise: {color: pink, correlation: 0.3}, gain: -36}
  - {name: pulse, isochronic: {carrier: 300, pulseRate: 1/4}, gain: -34}
"""
NAMES = ("[", "system:(", "*[", "")
NAN, ENDLESS = float("nan"), float("inf")
WILD = ([{"beats_per_minute": value} for value in (NAN, ENDLESS, -120, 1e9, 1e-18)] + [{"beat_type": value} for value in (0, -4, NAN, 1e-45)]
        + [{"ticks_per_beat": value} for value in (0, NAN)] + [{"beats_per_bar": value} for value in (0, NAN)])

# They hardly move: a period is very long.
CRAWLING = ({"beats_per_minute": 1, "ticks_per_beat": 1e300}, {"beats_per_minute": 1, "ticks_per_beat": 1e12, "beats_per_bar": 1e30})


def ports(peer):
    wires = peer.get("jack/connections")
    for name in NAMES:
        assert peer.code("jack/connect", "out_left", name) != 0, name
    assert peer.get("jack/connections") == wires


def tempo():
    """A timebase master with the tempo 0."""
    with Transport(f"watch-{NAME}") as transport, Running("jack_transport", env=dict(os.environ)) as master:
        # Before it is the master: its own 120 would be followed.
        master.say("tempo 0")
        master.say("master")
        transport.start()
        until("nobody is timebase master", lambda: transport.tempo == 0)
        until("the transport does not roll", lambda: transport.frame > 24_000)
        transport.stop()
        transport.locate(0)


def masters(kind, count=40):
    """Timebase masters, each for this many cycles."""
    with Transport(f"wild-{NAME}") as transport:
        transport.start()
        for values in kind:
            transport.be_master(**values)
            until(f"nobody hears {values}", lambda: transport.asked > count)
        transport.stop()
        transport.locate(0)


def measure(path, folder):
    session = folder / "session.yaml"
    with Program(path, NAME, "--session", str(session), queue=["rain.yaml"], files={"rain.yaml": RAIN}) as program:
        peer = Peer(program.port)
        peer.send("replies", 2)
        assert peer.code("jack/connect", "out_left", "system:playback_1") == 0
        assert peer.code("play") == 0
        peer.until("now/elapsed", lambda values: values[0] > 0.1)
        rate = peer.get("layer/2/pulseRate")
        with Capture(f"timed-{NAME}", [f"{NAME}:out_left", f"{NAME}:out_right"], 200) as capture:
            ports(peer)
            tempo()
            masters(WILD)
            assert peer.get("transport/tempo") == [0.0] and peer.get("layer/2/pulseRate") == rate
            assert peer.get("now/state") == ["playing"]
            capture.advance()
            wave, _, xruns = capture.finish()
        end = peer.get("now/elapsed")[0] + 1
        # A second of each, the time it takes until their tempo is known.
        masters(CRAWLING, 400)
        assert peer.get("transport/tempo") == [1.0] and peer.get("now/state") == ["playing"]
        rendered = render(path, program.folder / "rain.yaml", "--to", end, to=folder / "rendered.wav").samples
        program.end()
    text = session.read_text()
    assert "{port: out_left, to: system:playback_1," in text, text
    count, frames = len(wave.samples), equal_frames(wave.samples, rendered)
    assert frames == count, f"of {count} frames only the last {frames} are those of the render, {xruns} xruns"
    return frames


def main(path):
    os.environ.update(server_environment(SERVER))
    folder = Path(tempfile.mkdtemp(prefix="binaural-wild-masters-"))
    try:
        with Server(SERVER):
            frames = measure(path, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"figure: invalid ports and timebase masters while it plays: {frames} frames, equal to the render in every bit")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
