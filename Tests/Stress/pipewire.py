"""PipeWire in place of jackd: block size and sample rate change while it plays, the daemon is killed and comes back, names clash.

    pipewire.py PROGRAM

PipeWire runs in its own folder and on its own message bus. After each change the position continues where it was, the sound is bit-identical
to the render at the new rate, and all constant values are unchanged. A ping is sent every 20 ms, and an answer never takes longer than
Pinging.LIMIT. The median time to notice the end of the daemon is at most NOTICED, and the median time until sound and connections are back is
at most BACK. CLIENT_NAME is the name of the program's client.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
from pinging import Pinging
from disturbance import judge, undisturbed
from recording import Capture, render
from state import picture, readable, same
from patience import PATIENCE
from servers import Running, until
from peer import Peer
from program import Program

NAME = os.environ.get("CLIENT_NAME", "binaural")
KILLS = 4
# Seconds after the daemon's end, and after the next one's sink has its ports.
NOTICED, BACK = 0.5, 1.0
NOISE = "title: Noise\nduration: 600\nlayers:\n  - {name: snow, noise: {color: white}, gain: -30}\n"
SINK = ("{ factory.name=support.null-audio-sink node.name=testsink media.class=Audio/Sink object.linger=true "
        "audio.position=[FL FR] }")


class PipeWire:
    """Its programs have other names here: a `play --start-server` of another test would take them for the user's."""

    def __init__(self, folder):
        self.folder, self.programs = folder, []
        # Where a server of jackd is named, the program does not look for PipeWire.
        os.environ.pop("JACK_DEFAULT_SERVER", None)
        for name in ("pipewire", "wireplumber"):
            (folder / f"test-{name}").symlink_to(shutil.which(name))
        os.environ.update(PIPEWIRE_RUNTIME_DIR=str(folder), XDG_RUNTIME_DIR=str(folder), XDG_STATE_HOME=str(folder / "state"),
                          XDG_CONFIG_HOME=str(folder / "config"), HOME=str(folder))
        self.start()

    def start(self):
        """Restarts it; returns the times of its socket and of the sink."""
        self.programs = [Running(self.folder / "test-pipewire", "-c", "pipewire.conf")]
        until(lambda: f"PipeWire has no socket: {self.programs[0].lines}", (self.folder / "pipewire-0").exists, 0.002)
        socket = time.time()
        until(lambda: f"PipeWire does not answer: {self.programs[0].lines}", lambda: self.asks("pw-cli", "info", "0"))
        # It gives up if PipeWire is not there yet, and then the sink gets no ports.
        self.programs.append(Running(self.folder / "test-wireplumber", "-c", "wireplumber.conf"))
        assert self.asks("pw-cli", "create-node", "adapter", SINK)
        until(lambda: f"the sink is not there: {self.programs[1].lines}", lambda: "testsink" in self.said("pw-link", "-i"))
        return socket, time.time()

    def kill(self):
        for program in self.programs:
            program.process.kill()
            program.process.wait()
        (self.folder / "pipewire-0").unlink(missing_ok=True)

    def said(self, *command):
        return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE).stdout

    def asks(self, *command):
        return subprocess.run(command, capture_output=True, timeout=PATIENCE).returncode == 0

    def force(self, what, value):
        assert self.asks("pw-metadata", "-n", "settings", "0", f"clock.force-{what}", str(value))

    def close(self):
        for program in reversed(self.programs):
            program.close()


def start(path, name, *options):
    return Program(path, name, "--connect", "testsink", *options, queue=["noise.yaml"], files={"noise.yaml": NOISE})


def peer_of(program):
    peer = Peer(program.port)
    peer.send("replies", 2)
    return peer


def sounds(peer):
    return peer.get("now/state") == ["playing"] and peer.get("meter")[0] > -60


def runs(peer, rate, size):
    """Waits until the program reports that rate and block size, and sounds."""
    until(lambda: f"not at {rate}/{size}: {peer.get('status')}",
          lambda: peer.get("status")[0] == "running" and peer.get("status")[1:3] == [rate, size] and sounds(peer))


def place(captured, rendered):
    """The position of the sound in the render: its last frames, found bit for bit; None if they are missing."""
    part = captured[-4_800:, 0]
    for begin in (rendered.samples[:, 0] == part[0]).nonzero()[0]:
        if (rendered.samples[begin:begin + len(part), :2] == captured[-4_800:]).all():
            return begin
    return None


def heard(peer, program, path, rate, folder):
    """Records, and finds the sound in the render at that rate; returns its start there, in frames."""
    def measure():
        before = peer.get("status")[5]
        with Capture(f"timed-{NAME}", [f"{NAME}:out_left", f"{NAME}:out_right"], 60, launcher=["pw-jack"]) as capture:
            capture.advance(rate // 4)
            elapsed = peer.get("now/elapsed")[0] * rate
            recording, cycles, xruns = capture.finish()
        rendered = render(path, program.folder / "noise.yaml", "--from", 0, "--to", elapsed / rate + 20, "--sample-rate", rate,
                          to=folder / "rendered.wav")
        assert rendered.rate == rate
        begin = place(recording.samples, rendered)
        # PipeWire reports each client's own xruns, but not a late cycle that skipped another one.
        late = int((numpy.diff(cycles[:, 1]) > 1.5e6 * 512 / rate).sum())
        judge(begin is not None, f"what sounds at {rate} Hz is not the render", xruns + peer.get("status")[5] - before + late)
        return begin
    return undisturbed(measure)


def killed(pipewire, peer, wires):
    """Kills the daemon without notice and starts the next one; returns the frame at which the sound ended."""
    paths = readable(peer)
    until("no picture is drawn", lambda: peer.get("now/artwork") != [""])
    before = picture(peer, paths)
    noticed, found, sounding = [], [], []
    for _ in range(KILLS):
        mark, began = peer.mark, time.time()
        pipewire.kill()
        gone = peer.wait("jack/state", lambda m: m.values != ["running"], mark)
        # Feedback has the latest state, so a short one may be skipped.
        assert gone.values in (["stalled"], ["away"]), gone
        peer.wait("jack/state", lambda m: m.values == ["away"], mark)
        lost = peer.get("now/frame")
        assert peer.get("now/state") == ["interrupted"]
        # Otherwise this might be found as the later sound.
        until("the meter continues", lambda: max(peer.get("meter")[:2]) <= -100)
        assert peer.get("now/frame") == lost, "the timeline stands still"
        assert peer.code("jack/reconnect") == 120
        socket, sink = pipewire.start()
        back = peer.wait("jack/state", lambda m: m.values == ["running"], mark)
        until("no sound", lambda: sounds(peer), 0.005)
        until(lambda: f"not connected again: {peer.get('jack/connections')}", lambda: peer.get("jack/connections") == wires, 0.005)
        # The program may be back before this script sees the sink.
        for seconds, taken in ((noticed, gone.at - began), (found, back.at - socket), (sounding, time.time() - sink)):
            seconds.append(max(0, taken))
        assert peer.get("now/frame")[0] >= lost[0], "it does not continue where it was"
        same(before, picture(peer, paths))
    late = []
    for name, seconds, limit in (("it is noticed", noticed, NOTICED), ("the next one is found, counted from its socket,", found, None),
                                 ("there are sound and connections, counted from the sink,", sounding, BACK)):
        ordered = sorted(seconds)
        print(f"figure: PipeWire killed without notice: {name} after {', '.join(f'{1000 * s:.0f}' for s in ordered)} ms")
        if limit and ordered[len(ordered) // 2 - 1] > limit:
            late.append(f"{name} {ordered}")
    assert not late, f"half of them took longer than their limits: {late}"
    print(f"figure: PipeWire killed {KILLS} times: the state of {len(paths)} addresses equal in every bit")
    return lost[0]


def changes(pipewire, path, folder):
    """Quantum and sample rate, live; then the daemon's end."""
    with start(path, NAME) as program:
        peer = peer_of(program)
        for command in (("master/gain", 0.0), ("rating", 4.0), ("play",)):
            assert peer.code(*command) == 0
        for topic in ("now", "jack"):
            peer.subscribe(topic)
        until("it does not sound", lambda: sounds(peer))
        wires = peer.get("jack/connections")
        assert len(wires) == 4 and all("testsink" in wire for wire in wires[1::2]), wires

        assert peer.code("jack/connect", "out_left", wires[1]) == 0, "it is connected already"

        pinging = Pinging(program.port)
        rate = peer.get("status")[1]
        mark = peer.mark
        for size in (256, 1024, 64, 512):
            pipewire.force("quantum", size)
            runs(peer, rate, size)
        # The sound continued all the time.
        lost = [m for m in peer.inbox[mark:] if m.path == "jack/state" and m.values != ["running"]]
        assert not lost, lost
        heard(peer, program, path, rate, folder)
        frames = 0
        for rate in (44_100, 96_000, 48_000):
            before = peer.get("now/elapsed")[0]
            pipewire.force("rate", rate)
            runs(peer, rate, 512)
            assert peer.get("jack/connections") == wires
            # Not from the start, nor anywhere else: from where it was.
            begin = heard(peer, program, path, rate, folder)
            assert begin / rate >= before, (begin, rate, before)
            frames += 4_800
        print(f"figure: PipeWire's sample rate changed live three times: {frames} frames, equal to the render at the new rate in every bit")

        lost = killed(pipewire, peer, wires)
        assert heard(peer, program, path, peer.get("status")[1], folder) >= lost
        took = pinging.end()
        print(f"figure: OSC under PipeWire, a ping every {1000 * Pinging.INTERVAL:.0f} ms during all of this: {len(took)}, {pinging.lost} of them lost, the "
              f"longest silence {1000 * took[-1]:.0f} ms")
        program.end()


def neighbours(pipewire, path):
    """Two instances with one name."""
    with start(path, NAME) as first, start(path, NAME) as second:
        one = peer_of(first)
        assert one.code("play") == 0
        until("the first does not sound", lambda: sounds(one))
        two = peer_of(second)
        assert two.code("play") == 0
        until("the second does not sound", lambda: sounds(two))
        names = [one.get("info")[0], two.get("info")[0]]
        assert names[0] == NAME and names[1] != NAME and names[1].startswith(NAME), names
        ports = pipewire.said("pw-jack", "jack_lsp").split()
        for name in names:
            assert f"{name}:out_left" in ports, (names, ports)
        assert two.get("jack/connections")[0] == f"{names[1]}:out_left"
        for program in (second, first):
            program.end()
        print(f"figure: two of one name under PipeWire: {names[0]} and {names[1]}")


def main(path):
    folder = Path(tempfile.mkdtemp(prefix="binaural-pipewire-"))
    pipewire = None
    try:
        pipewire = PipeWire(folder)
        changes(pipewire, path, folder)
        neighbours(pipewire, path)
    finally:
        if pipewire:
            pipewire.close()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if "SCENARIO_BUS" not in os.environ:
        os.environ["SCENARIO_BUS"] = "own"
        os.execvp("dbus-run-session", ["dbus-run-session", "--", sys.executable, "-uB", *sys.argv])
    main(os.path.abspath(sys.argv[1]))
