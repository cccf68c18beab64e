"""What the scripts of this folder share: programs that end with the script, servers, recordings, and JACK's transport as it is."""
import atexit
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Conformance"))

# So that what was started is ended as well.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
# Seconds after which something that has not come will not come; as long as a busy machine may need.
PATIENCE = float(os.environ.get("STUDIO_PATIENCE", 120))
MOVING = """\
title: Moving
duration: 30
layers:
  - {name: bed, binaural: {carrier: 200, beat: 10}, gain: -26}
  - {name: rain, noise: {color: pink, correlation: 0.3}, gain: -36}
  - {name: pulse, isochronic: {carrier: 300, pulseRate: 7}, gain: -34}
chapters:
  - {at: 0, title: Settle}
  - {at: 4, title: Drop, over: 10, ease: sineInOut, set: {bed.beat: 4, rain.gain: -30}}
"""


class Lost(Exception):
    """Somebody else asks JACK on several threads at once. Now and then the server understands none of it: then it begins anew."""


def until(what, condition, step=0.02):
    """Waits for something that is told to nobody; returns what the condition did."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        if any("Unknown request" in line for server in Server.running for line in server.lines[-200:]):
            raise Lost()
        assert time.monotonic() < end, what() if callable(what) else what
        time.sleep(step)
    return found


def in_own_network():
    """Begins the script anew in a network of its own, where ports that others choose are free, and nobody else hears what is said."""
    if os.environ.get("STUDIO_NETWORK") != "own":
        os.environ["STUDIO_NETWORK"] = "own"
        user = [] if os.getuid() == 0 else ["--map-root-user"]
        os.execvp("unshare", ["unshare", *user, "--net", sys.executable, "-uB", *sys.argv])
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)


class Running:
    """A program that ends with the `with` block, at the latest with the script, and what it has said."""

    def __init__(self, *command, patient_end=True, **options):
        self.lines, self.patient_end = [], patient_end
        self.process = subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, errors="replace", **options)
        # Also when nothing came of the rest.
        atexit.register(self.close)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip())

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def line(self, condition, since=0):
        """The first line that the condition holds for."""
        def found():
            return next((line for line in self.lines[since:] if condition(line)), None)
        return until(lambda: f"{self.process.args[0]} does not say it: {self.lines[-20:]}", lambda: found() or self._has_ended() and found())

    def _has_ended(self):
        if self.process.poll() is None:
            return False
        self.reader.join()
        raise AssertionError(f"{self.process.args[0]} has ended with {self.process.returncode}: {self.lines[-20:]}")

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30 if self.patient_end else 3)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def server_environment(name):
    return {"JACK_DEFAULT_SERVER": name, "JACK_NO_START_SERVER": "1", "JACK_NO_AUDIO_RESERVATION": "1"}


class Server(Running):
    """jackd with the dummy driver, under a name of its own. It waits for clients that are late, so that what they play is not lost."""
    running = []

    def __init__(self, name, rate=48_000, period=256, **options):
        self.name = name
        super().__init__("jackd", "-n", name, "-R", "-P10", "-p", 256, "-S", "-d", "dummy", "-r", rate, "-p", period, **options)
        Server.running = [self]
        subprocess.run(["jack_wait", "-s", name, "-w", "-t", str(PATIENCE)], check=True, stdout=subprocess.DEVNULL)


class Wave:
    """A WAV file of 32-bit float: `samples` has a row a frame."""

    def __init__(self, path):
        data, place, channels, self.rate = Path(path).read_bytes(), 12, 0, 0
        while place < len(data):
            name, size = data[place:place + 4], int.from_bytes(data[place + 4:place + 8], "little")
            if name == b"fmt ":
                channels = int.from_bytes(data[place + 10:place + 12], "little")
                self.rate = int.from_bytes(data[place + 12:place + 16], "little")
            if name == b"data":
                self.samples = numpy.frombuffer(data[place + 8:place + 8 + size], "<f4").reshape(-1, channels)
            place += 8 + size + size % 2


def render(program, *arguments, to):
    subprocess.run([program, "render", *map(str, arguments), "-o", str(to), "--depth", "32f"], check=True,
                   stdout=subprocess.DEVNULL)
    return Wave(to)


class Capture(Running):
    """Records ports, with JACK's transport in every cycle: Tests/AcceptancePeers/timed_capture.c."""

    def __init__(self, name, ports, seconds=60, launcher=(), **options):
        self.folder = tempfile.TemporaryDirectory(prefix="binaural-capture-")
        tool, self.file = f"{self.folder.name}/timed_capture", f"{self.folder.name}/capture.wav"
        subprocess.run(["cc", "-O2", "-o", tool, HERE.parent / "AcceptancePeers/timed_capture.c", "-ljack", "-pthread"], check=True)
        super().__init__(*launcher, tool, name, self.file, seconds, *ports, **options)
        self.line(lambda line: line == "recording")

    @property
    def recorded(self):
        return next((int(line[7:]) for line in reversed(self.lines) if line.startswith("frames ")), 0)

    def advance(self, frames=24_000):
        """Waits until so much more has been recorded."""
        wanted = self.recorded + frames
        until(lambda: f"the recording stands still: {self.lines[-5:]}", lambda: self.recorded >= wanted)

    def finish(self):
        """What was recorded, its cycles as rows of first sample, microseconds and the transport's frame or -1, and the xruns meanwhile."""
        self.process.stdin.close()
        assert self.process.wait(PATIENCE) == 0, self.lines[-5:]
        self.reader.join()
        cycles = numpy.loadtxt(self.file + ".cycles", dtype=numpy.int64, ndmin=2)
        xruns = next(int(line[6:]) for line in self.lines if line.startswith("xruns "))
        return Wave(self.file), cycles, xruns

    def close(self):
        super().close()
        self.folder.cleanup()


class Position(ctypes.Structure):
    """jack_position_t"""
    _pack_ = 1
    _fields_ = [("unique_1", ctypes.c_uint64), ("usecs", ctypes.c_uint64), ("frame_rate", ctypes.c_uint32), ("frame", ctypes.c_uint32),
                ("valid", ctypes.c_uint32), ("bar", ctypes.c_int32), ("beat", ctypes.c_int32), ("tick", ctypes.c_int32),
                ("bar_start_tick", ctypes.c_double), ("beats_per_bar", ctypes.c_float), ("beat_type", ctypes.c_float),
                ("ticks_per_beat", ctypes.c_double), ("beats_per_minute", ctypes.c_double), ("rest", ctypes.c_uint8 * 256)]


TIMEBASE = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_uint32, ctypes.POINTER(Position), ctypes.c_int, ctypes.c_void_p)


class Transport:
    """JACK's transport as any client sees and moves it."""

    def __init__(self, name):
        self.jack = ctypes.CDLL("libjack.so.0")
        self.jack.jack_client_open.restype = ctypes.c_void_p
        self.client = ctypes.c_void_p(self.jack.jack_client_open(name.encode(), 1, None))
        assert self.client, "no client for the transport"
        assert self.jack.jack_activate(self.client) == 0

    def look(self):
        """Whether it rolls, its frame, and the beats a minute that a timebase master says, None without one."""
        position = Position()
        state = self.jack.jack_transport_query(self.client, ctypes.byref(position))
        return state == 1, position.frame, position.beats_per_minute if position.valid & 0x10 else None

    @property
    def rolls(self):
        return self.look()[0]

    @property
    def frame(self):
        return self.look()[1]

    @property
    def tempo(self):
        return self.look()[2]

    def start(self):
        self.jack.jack_transport_start(self.client)

    def stop(self):
        self.jack.jack_transport_stop(self.client)

    def locate(self, frame):
        assert self.jack.jack_transport_locate(self.client, ctypes.c_uint32(frame)) == 0

    def timebase_is_free(self):
        """Whether nobody is the master: asked by becoming it on that condition, and letting go."""
        callback = TIMEBASE(lambda *_: None)
        answer = self.jack.jack_set_timebase_callback(self.client, 1, callback, None)
        if answer == 0:
            self.jack.jack_release_timebase(self.client)
            self.callback = callback  # as long as a cycle may still call it
        return answer == 0

    def close(self):
        self.jack.jack_client_close(self.client)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def stretches(cycles):
    """(first, last) rows of each stretch of cycles in which the transport rolled on without a break."""
    found, begin = [], None
    for row in range(len(cycles) + 1):
        if begin is not None and (row == len(cycles) or cycles[row][2] < 0
                                  or cycles[row][2] - cycles[row - 1][2] != cycles[row][0] - cycles[row - 1][0]):
            found.append((begin, row - 1))
            begin = None
        if row < len(cycles) and cycles[row][2] >= 0 and begin is None:
            begin = row
    return found


def equal_tail(wave, cycles, stretch, rendered):
    """Frames at the end of a stretch that are, bit for bit, those of the render at the transport's frame."""
    begin, frame = cycles[stretch[0]][0], cycles[stretch[0]][2]
    end = cycles[stretch[1] + 1][0] if stretch[1] + 1 < len(cycles) else len(wave.samples)
    # Past the end of the patch there is silence.
    part = numpy.zeros((end - begin, 2), "<f4")
    there = rendered.samples[frame:frame + end - begin]
    part[:len(there)] = there
    differs = numpy.nonzero((wave.samples[begin:end, :2] != part).any(axis=1))[0]
    return end - begin - (differs[-1] + 1 if len(differs) else 0)
