"""Listening to the panel's streams: what is heard, who may listen, what happens without JACK, and that the player's sound does not change.

    listening.py PROGRAM

The server is named JACK_DEFAULT_SERVER, and the program's client CLIENT_NAME.
"""
import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy
import websocket
from listening_page import in_browser
from panel_host import send
from recording import Capture, Wave, as_rendered
from servers import MOVING, PATIENCE, Server, server_environment, until
from peer import Peer
from program import Program

NAME = os.environ.get("CLIENT_NAME", "binaural")
SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")
BEAT = "title: Beat\nduration: 600\nlayers:\n  - {name: bed, binaural: {carrier: 200.01, beat: 4}, gain: -12}\n"
EARS = (202.01, 198.01)
DEVICE = "studio.test"


def start(path, *options, patch="beat.yaml"):
    return Program(path, NAME, "--web", "auto", "--web-listen", "127.0.0.1", "--web-host", DEVICE, "--web-proxy", "0", *options, queue=[patch],
                   files={"beat.yaml": BEAT, "moving.yaml": MOVING})


def peer_of(program):
    peer = Peer(program.port)
    peer.send("replies", 2)
    return peer


class Listener:
    """A client that reads a stream on a thread of its own, up to its end."""

    def __init__(self, port, path, host=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self.connection.request("GET", path, headers={"Host": host} if host else {})
        # The connection forgets its socket when the server announces that it will close it.
        self.socket = self.connection.sock
        self.answer = self.connection.getresponse()
        self.status, self.bytes, self.fault = self.answer.status, bytearray(), None
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        try:
            while part := self.answer.read1(65_536):
                self.bytes += part
        except (OSError, http.client.HTTPException, ValueError, AttributeError) as fault:
            self.fault = fault

    def has(self, count):
        before = len(self.bytes)
        until("nothing more is heard", lambda: len(self.bytes) >= before + count)

    def ends(self):
        """Waits for the end, which the server has to have marked as such."""
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive() and not self.fault, self.fault
        return bytes(self.bytes)

    def leave(self):
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join(PATIENCE)
        self.connection.close()
        return bytes(self.bytes)


def decoded(data, folder):
    """The frames that ffmpeg decodes, as rows of left and right, and the sample rate. Missing frames at the end are not an error."""
    source, target = Path(folder) / "stream", Path(folder) / "decoded.wav"
    source.write_bytes(data)
    subprocess.run(["ffmpeg", "-v", "quiet", "-y", "-i", source, "-c:a", "pcm_f32le", target], check=True)
    wave = Wave(target)
    return wave.samples.astype(float), wave.rate


def lasts(listener, seconds, folder):
    """Waits until the listener has so many seconds of sound; returns its frames."""
    def found():
        # The first bytes are not a stream yet.
        with contextlib.suppress(subprocess.CalledProcessError):
            samples, rate = decoded(bytes(listener.bytes), folder)
            return [samples] if len(samples) > seconds * rate else None

    return until(f"{seconds} s of sound do not come", found, step=0.2)[0]


def plays_on(peer, seconds=6):
    """Waits until so many seconds of the item have been played."""
    begin = peer.get("now/elapsed")[0]
    peer.until("now/elapsed", lambda values: values[0] > begin + seconds)


def level(samples, frequency, rate):
    """The level of a frequency in dBFS, under a Hann window."""
    window = numpy.hanning(len(samples))
    phase = numpy.exp(-2j * numpy.pi * frequency / rate * numpy.arange(len(samples)))
    return 20 * numpy.log10(2 * abs((window * samples * phase).sum()) / window.sum() + 1e-12)


def hears_the_beat(listener, folder):
    """Waits until, for three seconds, each ear has heard its own frequency at -12 dB and next to nothing of the other; returns the sample rate.

    A stream leaves out what a busy machine is too late for: another three seconds are whole."""
    last = []

    def found():
        # The first bytes are not a stream yet.
        with contextlib.suppress(subprocess.CalledProcessError):
            samples, rate = decoded(bytes(listener.bytes), folder)
            part = samples[-3 * rate - rate // 4:-rate // 4]
            if len(part) < 3 * rate:
                return None
            last[:] = [[level(ear, frequency, rate) for frequency in EARS] for ear in part.T]
            return [rate] if all(abs(own + 12) < 0.7 and other < own - 40 for own, other in (last[0], last[1][::-1])) else None

    return until(lambda: f"the ears do not hear {EARS} Hz at -12 dB, but {last}", found, step=0.5)[0]


def processor_time(process):
    return sum(map(int, Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")


def own_memory(process):
    return next(int(line.split()[1]) for line in Path(f"/proc/{process.pid}/status").read_text().splitlines() if line.startswith("RssAnon"))


def formats(program, peer, folder):
    """Every format is decoded by another program, and the beat is in it; the stream is silent while the player is paused."""
    assert peer.code("play") == 0
    peer.until("now/elapsed", lambda values: values[0] > 0.5)
    begin, used = time.monotonic(), processor_time(program.process)
    # The processor time is measured over seconds, here without and below with listeners.
    plays_on(peer)
    idle = (processor_time(program.process) - used) / (time.monotonic() - begin)
    for name in ("mp3", "opus", "flac"):
        listeners = [Listener(program.panel_port, f"/listen.{name}") for _ in range(8)]
        assert {listener.status for listener in listeners} == {200}
        begin, used = time.monotonic(), processor_time(program.process)
        plays_on(peer)
        took = time.monotonic() - begin
        more = processor_time(program.process) - used - idle * took
        print(f"figure: 20 s as {name} take {more / took * 20 / 8:.2f} s of processor time and {len(listeners[0].bytes) / took / 1000:.0f} kB/s")
        hears_the_beat(listeners[-1], folder)
        for listener in listeners:
            listener.leave()
    # A peer that was silent for long is forgotten.
    peer = peer_of(program)
    assert peer.code("pause") == 0
    until("it is not silent", lambda: max(peer.get("meter")[:2]) <= -100)
    for name in ("mp3", "opus", "flac"):
        listener = Listener(program.panel_port, f"/listen.{name}")
        samples = lasts(listener, 2.5, folder)
        listener.leave()
        assert abs(samples).max() < 1e-5, (name, abs(samples).max())


def crowd(program, peer):
    """Eight listen to what JACK gets in every bit as rendered; the ninth waits; one that does not read is dropped, and its place is free."""
    start = own_memory(program.process)
    listeners = [Listener(program.panel_port, f"/listen.{name}") for name in ("mp3", "opus", "flac") * 2 + ("mp3",)]
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.connect(("127.0.0.1", program.panel_port))
    deaf.sendall(b"GET /listen.flac HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert deaf.recv(15).startswith(b"HTTP/1.1 200 ")
    ninth = Listener(program.panel_port, "/listen.mp3")
    assert ninth.status == 503 and b"8 devices are already listening" in ninth.ends(), ninth.status
    with Capture(f"timed-{NAME}", [f"{NAME}:out_left", f"{NAME}:out_right"], 60) as capture:
        assert peer.code("position", 0.0) == 0 and peer.code("play") == 0
        for listener in listeners:
            assert listener.status == 200
            listener.has(20_000)
        print(f"figure: {own_memory(program.process) - start} KB more memory with 8 listeners")

        def has_room():
            more = Listener(program.panel_port, "/listen.mp3")
            return more if more.status == 200 else more.leave() and None
        listeners.append(until("a listener that does not read keeps its place", has_room, step=0.2))
        peer.until("now/elapsed", lambda values: values[0] > 10)
        wave, _, xruns = capture.finish()
    equal, count = as_rendered(wave, program.path, program.folder / "moving.yaml")
    assert equal == count > 240_000, f"{equal} of {count} frames are those of the render, {xruns} xruns"
    print(f"figure: while 8 listen, {equal} of {count} frames are those of the render in every bit")
    for listener in listeners:
        listener.has(1000)
        listener.leave()
    deaf.close()
    assert peer.code("stop") == 0


def heard_sound(path):
    with start(path, patch="moving.yaml") as program:
        crowd(program, peer_of(program))
        program.end()


def tickets(program, folder):
    """Another device listens with a ticket that its paired page has asked for."""
    port = program.panel_port
    for query in ("", "?ticket=", "?ticket=" + "0" * 32):
        refused = Listener(port, f"/listen.mp3{query}", DEVICE)
        assert refused.status == 403 and b"ticket" in refused.ends(), query
    link = subprocess.run([program.path, "web", "pair"], env=program.environment, check=True, capture_output=True, text=True).stdout.split()[0]
    page = websocket.create_connection(f"ws://127.0.0.1:{port}/osc", timeout=PATIENCE, suppress_origin=True, host=f"{DEVICE}:{port}")
    page.send(json.dumps({"token": link.split("#")[1], "name": "Phone"}))
    assert json.loads(page.recv())["role"] == "control"
    page.send(json.dumps({"listen": True}))
    ticket = json.loads(page.recv())["ticket"]
    first = Listener(port, f"/listen.opus?ticket={ticket}", DEVICE)
    assert first.status == 200
    first.has(1000)
    # A ticket is for one listener: one who uses it again gets the stream instead.
    second = Listener(port, f"/listen.opus?ticket={ticket}", DEVICE)
    first.ends()
    second.has(1000)
    send(page, "pause")
    page.close()
    # The phone's screen is off, and it still listens, until it is revoked.
    second.has(1000)
    subprocess.run([program.path, "web", "revoke", "1"], env=program.environment, check=True, stdout=subprocess.DEVNULL)
    second.ends()


def restarts(program, peer, server, folder):
    """A stream ends with the server, completely; afterwards one can listen again, at the new server's sample rate."""
    assert peer.code("play") == 0
    listener = Listener(program.panel_port, "/listen.flac")
    listener.has(10_000)
    server.close()
    decoded(listener.ends(), folder)
    away = Listener(program.panel_port, "/listen.flac")
    assert away.status == 503 and b"JACK is away" in away.ends(), away.status
    with Server(SERVER, rate=44_100):
        until("it does not sound again", lambda: max(peer.get("meter")[:2]) > -20)
        for name, rate in (("flac", 44_100), ("opus", 48_000), ("mp3", 44_100)):
            listener = Listener(program.panel_port, f"/listen.{name}")
            assert listener.status == 200
            assert hears_the_beat(listener, folder) == rate, name
            listener.leave()
        listener = Listener(program.panel_port, "/listen.mp3")
        listener.has(1000)
        program.end()
        listener.ends()


def main(path):
    os.environ.update(server_environment(SERVER))
    with tempfile.TemporaryDirectory(prefix="binaural-listening-") as folder:
        with Server(SERVER) as server:
            heard_sound(path)
            with start(path) as program:
                formats(program, peer_of(program), folder)
                tickets(program, folder)
                with in_browser(program, peer_of(program)) as plays_again:
                    server.close()
                    with Server(SERVER) as server:
                        plays_again()
                        restarts(program, peer_of(program), server, folder)
    print("listening: every format is the sound; listeners are bounded, and change nothing")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
