"""Ten thousand calls a second of one program on the session bus: each is answered, others are too, and the sound stays that of the render.

    desktop_flood.py PROGRAM

The server gets the name that JACK_DEFAULT_SERVER has, the program's client that of CLIENT_NAME.
"""
import os
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
from recording import Capture, equal_frames, judge, render, undisturbed
from servers import MOVING, Running, Server, server_environment, until
from peer import Peer

NAME = os.environ.get("CLIENT_NAME", "binaural")
SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")
RATE, SECONDS = 10_000, 5
PLAYER = ("org.mpris.MediaPlayer2.binaural", "/org/mpris/MediaPlayer2")


def text(value):
    return struct.pack("<I", len(value)) + value.encode() + b"\0"


def message(serial, destination, path, interface, member, *arguments):
    """A method call whose arguments are texts."""
    signature, body = "s" * len(arguments), b""
    for value in arguments:
        body += b"\0" * (-len(body) % 4) + text(value)
    fields = b""
    for code, kind, value in ((1, b"o", path), (2, b"s", interface), (3, b"s", member), (6, b"s", destination), (8, b"g", signature)):
        if value:
            content = bytes([len(value)]) + value.encode() + b"\0" if kind == b"g" else text(value)
            fields += b"\0" * (-len(fields) % 8) + bytes([code, 1]) + kind + b"\0" + content
    head = b"l\1\0\1" + struct.pack("<III", len(body), serial, len(fields)) + fields
    return head + b"\0" * (-len(head) % 8) + body


class Caller:
    """A connection to the bus; counts the answers of each kind."""

    def __init__(self, address):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(address)
        self.socket.send(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        assert self.socket.recv(4096).startswith(b"OK")
        self.socket.send(b"BEGIN\r\n" + message(1, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello"))
        self.pending, self.answers, self.errors = b"", 0, 0
        threading.Thread(target=self._read, daemon=True).start()

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
                self.pending = self.pending[size:]

    def flood(self, seconds):
        """Sends as many calls a second as RATE says; returns their number."""
        sent, began = 0, time.monotonic()
        while (passed := time.monotonic() - began) < seconds:
            while sent < passed * RATE:
                count = min(20, int(passed * RATE) - sent + 1)
                self.socket.sendall(b"".join(
                    message(10 + sent + each, *PLAYER, "org.freedesktop.DBus.Properties", "GetAll", "org.mpris.MediaPlayer2.Player")
                    for each in range(count)))
                sent += count
            time.sleep(0.001)
        return sent


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
            sent = caller.flood(SECONDS)
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
    percentile = statistics.quantiles(took, n=100)[98] * 1000
    print(f"figure: {sent} calls in {SECONDS} s over the session bus, {caller.answers - 1} carried out and {caller.errors} refused: {equal} frames "
          f"equal to the render in every bit; another peer's ping over OSC {percentile:.1f} ms at the 99th percentile; {xruns} xruns")


def main(path):
    folder = Path(tempfile.mkdtemp(prefix="binaural-desktop-"))
    address = f"{folder}/bus"
    os.environ.update(server_environment(SERVER), DBUS_SESSION_BUS_ADDRESS=f"unix:path={address}")
    try:
        with Running("dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={address}", "--print-address=1") as bus:
            until(lambda: f"no bus: {bus.lines}", lambda: os.path.exists(address))
            with Server(SERVER):
                undisturbed(sound, path, address, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
