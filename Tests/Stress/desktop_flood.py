"""Ten thousand calls a second of one program on the session bus, and long calls with a queue of 4000 items: each is answered, others are
answered soon, and the sound stays that of the render.

    desktop_flood.py PROGRAM

The server is named JACK_DEFAULT_SERVER, and the program's client CLIENT_NAME.
"""
import os
import re
import shutil
import socket
import statistics
import struct
import sys
import tempfile
import threading
import time
from pathlib import Path

from pinging import Pinging
from program import Program
from disturbance import judge, undisturbed
from recording import Capture, equal_frames, render
from servers import MOVING, Running, Server, server_environment, until
from peer import Peer

NAME = os.environ.get("CLIENT_NAME", "binaural")
SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")
RATE, SECONDS = 10_000, 5
PLAYER = ("org.mpris.MediaPlayer2.binaural", "/org/mpris/MediaPlayer2")


def text(value):
    return struct.pack("<I", len(value)) + value.encode() + b"\0"


def texts(*values):
    """Texts, or paths, one after the other."""
    body = b""
    for value in values:
        body += b"\0" * (-len(body) % 4) + text(value)
    return body


def message(serial, destination, path, interface, member, signature="", body=b""):
    """A method call."""
    fields = b""
    for code, kind, value in ((1, b"o", path), (2, b"s", interface), (3, b"s", member), (6, b"s", destination), (8, b"g", signature)):
        if value:
            content = bytes([len(value)]) + value.encode() + b"\0" if kind == b"g" else text(value)
            fields += b"\0" * (-len(fields) % 8) + bytes([code, 1]) + kind + b"\0" + content
    head = b"l\1\0\1" + struct.pack("<III", len(body), serial, len(fields)) + fields
    return head + b"\0" * (-len(head) % 8) + body


class Caller:
    """A connection to the bus; counts the answers of each kind, also that of Hello."""

    def __init__(self, address):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(address)
        self.socket.send(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        assert self.socket.recv(4096).startswith(b"OK")
        self.socket.send(b"BEGIN\r\n" + message(1, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello"))
        self.pending, self.answers, self.errors, self.body, self.reasons = b"", 0, 0, b"", set()
        threading.Thread(target=self._read, daemon=True).start()
        until("the bus does not answer", lambda: self.answers)

    def _read(self):
        while block := self.socket.recv(1 << 20):
            self.pending += block
            while len(self.pending) >= 16:
                body, _, fields = struct.unpack("<III", self.pending[4:16])
                size = 16 + fields + -fields % 8 + body
                if len(self.pending) < size:
                    break
                self.answers += self.pending[1] == 2
                self.errors += self.pending[1] == 3
                # That of the last answer, and those of the errors.
                self.body = self.pending[size - body:size]
                if self.pending[1] == 3:
                    self.reasons.add(self.body)
                self.pending = self.pending[size:]

    def flood(self, seconds, *call, rate=RATE):
        """Sends as many calls a second as the rate says; returns their number."""
        sent, began = 0, time.monotonic()
        while (passed := time.monotonic() - began) < seconds:
            while sent < passed * rate:
                count = min(20, int(passed * rate) - sent + 1)
                self.socket.sendall(b"".join(message(10 + sent + each, *PLAYER, *call) for each in range(count)))
                sent += count
            time.sleep(0.001)
        return sent

    def ask(self, *call):
        """The body of the answer of one call; until it succeeds, which is when the program has come up."""
        answered = self.answers

        def succeeds():
            before = self.answers + self.errors
            self.socket.sendall(message(9, *PLAYER, *call))
            until(lambda: f"no answer of {call[1]}", lambda: self.answers + self.errors > before)
            return self.answers > answered

        until(lambda: f"{call[1]} fails: {self.reasons}", succeeds)
        return self.body


def all_of(interface):
    """A call for all properties of an interface."""
    return "org.freedesktop.DBus.Properties", "GetAll", "s", texts(f"org.mpris.MediaPlayer2.{interface}")


def sound(path, address, folder):
    with Program(path, NAME, queue=["moving.yaml"], files={"moving.yaml": MOVING}) as program:
        peer = Peer(program.port)
        peer.send("replies", 2)
        caller = Caller(address)
        with Capture(f"timed-{NAME}", [f"{NAME}:out_left", f"{NAME}:out_right"], 30) as capture:
            assert peer.code("play") == 0
            peer.until("now/elapsed", lambda values: values[0] > 0.1)
            capture.advance(24_000)
            pinging = Pinging(program.port)
            start = capture.recorded
            sent = caller.flood(SECONDS, *all_of("Player"))
            assert peer.code("like", 1) == 0
            took = pinging.end()
            flooded = capture.recorded - start
            until(lambda: f"{sent} calls, {caller.answers} answers, {caller.errors} errors",
                  lambda: caller.answers + caller.errors >= sent)
            capture.advance(24_000)
            wave, _, xruns = capture.finish()
        rendered = render(path, program.folder / "moving.yaml", to=folder / "rendered.wav").samples
        program.end()
    assert caller.errors > sent / 2 and caller.answers > 1000, f"{caller.answers} answers, {caller.errors} errors"
    equal = equal_frames(wave.samples[:, :2], rendered[:, :2])
    judge(equal >= flooded + 24_000, f"only {equal} frames of {len(wave.samples)} are those of the render", xruns)
    median, percentile = statistics.median(took) * 1000, statistics.quantiles(took, n=100)[98] * 1000
    assert median < 20, f"a ping takes {median:.1f} ms"
    print(f"figure: {sent} calls in {SECONDS} s over the session bus, {caller.answers - 1} carried out and {caller.errors} refused: {equal} frames "
          f"equal to the render in every bit; another peer's ping over OSC {percentile:.1f} ms at the 99th percentile; {xruns} xruns")


def long_queue(path, address, folder):
    """With a queue of 4000 items, no kind of call keeps another peer waiting, nor another program on the bus."""
    layers = "".join(f"  - {{name: layer{each}, tone: {{carrier: {100 + each / 100}}}, gain: -60}}\n" for each in range(12))
    chapters = "".join(f"  - {{at: {each / 10}, title: Chapter {each}, set: {{layer1.gain: -50}}}}\n" for each in range(4000))
    large = folder / "large.yaml"
    large.write_text(f"title: Large\nduration: 1000\nlayers:\n{layers}chapters:\n{chapters}")
    short = "title: Short\nlayers:\n  - {name: tone, tone: {carrier: 200}, gain: -40}\n"
    session = "format: 1\nqueue:\n" + "  - {patch: short.yaml}\n" * 4000 + "play: {state: stopped}\n"
    with Program(path, NAME, "--session", "long.yaml", queue=[], files={"short.yaml": short, "long.yaml": session}) as program:
        other = Caller(address)
        body = other.ask("org.freedesktop.DBus.Properties", "Get", "ss", texts("org.mpris.MediaPlayer2.TrackList", "Tracks"))
        assert body[:4] == b"\2ao\0", body[:20]
        paths = [each.decode() for each in re.findall(rb"/binaural/track/\d+", body)]
        assert len(paths) == 4000, len(paths)
        last = texts(*paths[-500:])
        tracks = "org.mpris.MediaPlayer2.TrackList"
        body = texts(f"file://{large}", paths[0])
        add = tracks, "AddTrack", "sob", body + b"\0" * (-len(body) % 4) + struct.pack("<I", 0)
        many = Caller(address)
        many.socket.sendall(b"".join(message(10 + each, *PLAYER, *add) for each in range(20)))
        until(lambda: f"{many.answers} answers, {many.errors} errors", lambda: many.answers + many.errors >= 21)
        assert many.answers >= 9 and any(b"files are still being read" in each for each in many.reasons), many.reasons
        for name, call, rate in (
                ("GetAll TrackList", all_of("TrackList"), 1000),
                ("GetTracksMetadata", (tracks, "GetTracksMetadata", "ao", struct.pack("<I", len(last)) + last), 500),
                ("AddTrack", add, 40)):
            caller = Caller(address)
            pinging = Pinging(program.port)
            waits = []
            flooding = threading.Thread(target=lambda: waits.append(caller.flood(SECONDS, *call, rate=rate)))
            flooding.start()
            began = time.monotonic()
            asked = 0
            while flooding.is_alive():
                other.ask(*all_of("Player"))
                asked += 1
                time.sleep(0.02)
            interval = (time.monotonic() - began) / asked
            took = pinging.end()
            until(lambda: f"{waits} calls, {caller.answers} answers, {caller.errors} errors",
                  lambda: caller.answers + caller.errors >= waits[0])
            assert caller.errors and caller.answers > 1, f"{name}: {caller.answers} answers, {caller.errors} errors"
            median, most = statistics.median(took) * 1000, statistics.quantiles(took, n=20)[18] * 1000
            print(f"figure: with 4000 items, {name}: {caller.answers - 1} of {waits[0]} calls carried out; another peer's ping over OSC "
                  f"{median:.1f} ms (median), {most:.1f} ms at the 95th percentile; another program on the bus is answered every "
                  f"{interval * 1000:.0f} ms")
            assert median < 20 and most < 100, f"{name}: a ping takes {median:.1f} ms, {most:.1f} ms at the 95th percentile"
            assert interval < 0.2, f"{name}: another program waits for {interval:.2f} s"
        program.end()


def main(path):
    folder = Path(tempfile.mkdtemp(prefix="binaural-desktop-"))
    address = f"{folder}/bus"
    os.environ.update(server_environment(SERVER), DBUS_SESSION_BUS_ADDRESS=f"unix:path={address}")
    try:
        with Running("dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={address}", "--print-address=1") as bus:
            until(lambda: f"no bus: {bus.lines}", lambda: os.path.exists(address))
            with Server(SERVER):
                undisturbed(sound, path, address, folder)
                long_queue(path, address, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
