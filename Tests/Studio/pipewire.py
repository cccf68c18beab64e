"""PipeWire in place of jackd: block size and sample rate change while it plays, the daemon is killed and comes back, names clash.

    pipewire.py PROGRAM

A PipeWire of its own, in a folder of its own, on a message bus of its own. Whatever changes, the position goes on where it was, and what
sounds at the new rate is, bit for bit, the render at that rate. STUDIO_NAME is the name of the program's client.
"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from recording import Capture, judge, render, undisturbed
from studio import PATIENCE, Running, until
from peer import Peer
from program import Program

NAME = os.environ.get("STUDIO_NAME", "binaural")
NOISE = "title: Noise\nduration: 600\nlayers:\n  - {name: snow, noise: {color: white}, gain: -30}\n"
SINK = ("{ factory.name=support.null-audio-sink node.name=studiosink media.class=Audio/Sink object.linger=true "
        "audio.position=[FL FR] }")


class PipeWire:
    """Its programs bear other names here: a `play --start-server` of a test nearby would take them for the user's."""

    def __init__(self, folder):
        self.folder, self.programs = folder, []
        for name in ("pipewire", "wireplumber"):
            (folder / f"studio-{name}").symlink_to(shutil.which(name))
        os.environ.update(PIPEWIRE_RUNTIME_DIR=str(folder), XDG_RUNTIME_DIR=str(folder), XDG_STATE_HOME=str(folder / "state"),
                          XDG_CONFIG_HOME=str(folder / "config"), HOME=str(folder))
        self.start()

    def start(self):
        self.programs = [Running(self.folder / "studio-pipewire", "-c", "pipewire.conf")]
        until(lambda: f"PipeWire does not answer: {self.programs[0].lines}", lambda: self.asks("pw-cli", "info", "0"))
        # It gives up where there is no PipeWire yet, and nobody gives the sink its ports.
        self.programs.append(Running(self.folder / "studio-wireplumber", "-c", "wireplumber.conf"))
        assert self.asks("pw-cli", "create-node", "adapter", SINK)
        until(lambda: f"the sink is not there: {self.programs[1].lines}", lambda: "studiosink" in self.said("pw-link", "-i"))

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
    return Program(path, name, "--connect", "studiosink", *options, queue=["noise.yaml"], files={"noise.yaml": NOISE},
                   launcher=["pw-jack"])


def peer_of(program):
    peer = Peer(program.port)
    peer.send("replies", 2)
    return peer


def sounds(peer):
    return peer.get("now/state") == ["playing"] and peer.get("meter")[0] > -60


def runs(peer, rate, size):
    """Waits until the program says that rate and block size, and sounds."""
    until(lambda: f"not at {rate}/{size}: {peer.get('status')}",
          lambda: peer.get("status")[0] == "running" and peer.get("status")[1:3] == [rate, size] and sounds(peer))


def place(captured, rendered):
    """Where what is heard stands in the render: its last frames, looked for bit for bit; None where they are not there."""
    part = captured[-4_800:, 0]
    for begin in (rendered.samples[:, 0] == part[0]).nonzero()[0]:
        if (rendered.samples[begin:begin + len(part), :2] == captured[-4_800:]).all():
            return begin
    return None


def heard(peer, program, path, rate, folder):
    """Records, and finds it in the render at that rate; where in it that begins, in frames."""
    def measure():
        before = peer.get("status")[5]
        with Capture(f"timed-{NAME}", [f"{NAME}:out_left", f"{NAME}:out_right"], 60, launcher=["pw-jack"]) as capture:
            capture.advance(rate // 4)
            told = peer.get("now/elapsed")[0] * rate
            recording, _, xruns = capture.finish()
        rendered = render(path, program.folder / "noise.yaml", "--from", 0, "--to", told / rate + 20, "--sample-rate", rate,
                          to=folder / "rendered.wav")
        assert rendered.rate == rate
        begin = place(recording.samples, rendered)
        # PipeWire tells each client of its own.
        judge(begin is not None, f"what sounds at {rate} Hz is not the render", xruns + peer.get("status")[5] - before)
        return begin
    return undisturbed(measure)


def changes(pipewire, path, folder):
    """Quantum and sample rate, live; then the daemon's end, of which it gives no notice."""
    with start(path, NAME) as program:
        peer = peer_of(program)
        for command in (("master/gain", 0.0), ("rating", 4.0), ("play",)):
            assert peer.code(*command) == 0
        for topic in ("now", "jack"):
            peer.subscribe(topic)
        until("it does not sound", lambda: sounds(peer))
        wires = peer.get("jack/connections")
        assert len(wires) == 4 and all("studiosink" in wire for wire in wires[1::2]), wires

        assert peer.code("jack/connect", "out_left", wires[1]) == 0, "it is connected already"

        rate = peer.get("status")[1]
        mark = peer.mark
        for size in (256, 1024, 64, 512):
            pipewire.force("quantum", size)
            runs(peer, rate, size)
        # The sound went on all the time.
        lost = [m for m in peer.inbox[mark:] if m.path == "jack/state" and m.values != ["running"]]
        assert not lost, lost
        heard(peer, program, path, rate, folder)
        frames = 0
        for rate in (44_100, 96_000, 48_000):
            before = peer.get("now/elapsed")[0]
            pipewire.force("rate", rate)
            runs(peer, rate, 512)
            assert peer.get("jack/connections") == wires
            # Not from the beginning, nor anywhere else: on from where it was.
            begin = heard(peer, program, path, rate, folder)
            assert begin / rate >= before, (begin, rate, before)
            frames += 4_800
        print(f"figure: PipeWire's sample rate changed live three times: {frames} frames, equal to the render at the new rate in every bit")

        for _ in range(2):
            mark = peer.mark
            pipewire.kill()
            gone = peer.wait("jack/state", lambda m: m.values == ["stalled"], mark, PATIENCE)
            lost = peer.get("now/frame")
            assert peer.get("now/state") == ["interrupted"] and peer.get("rating") == [4.0]
            peer.wait("jack/state", lambda m: m.values == ["away"], mark, PATIENCE)
            assert peer.get("now/frame") == lost, "the timeline stands still"
            assert peer.code("jack/reconnect") == 120
            pipewire.start()
            peer.wait("jack/state", lambda m: m.values == ["running"], mark, PATIENCE)
            until("no sound", lambda: sounds(peer))
            until(lambda: f"not connected again: {peer.get('jack/connections')}", lambda: peer.get("jack/connections") == wires)
            assert peer.get("now/frame")[0] >= lost[0]
            rate = peer.get("status")[1]
            begin = heard(peer, program, path, rate, folder)
            assert begin >= lost[0]
        print(f"figure: PipeWire killed without notice: {gone.values[0]} is told, and sound and connections come back with the next one")
        program.end()


def neighbours(pipewire, path):
    """Two of one name."""
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
    if "STUDIO_BUS" not in os.environ:
        os.environ["STUDIO_BUS"] = "own"
        os.execvp("dbus-run-session", ["dbus-run-session", "--", sys.executable, "-uB", *sys.argv])
    main(os.path.abspath(sys.argv[1]))
