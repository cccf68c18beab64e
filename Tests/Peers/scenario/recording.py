"""Played and rendered sound, and their comparison."""
import subprocess
import tempfile
from pathlib import Path

import numpy
from servers import HERE, Running, until


class Wave:
    """A WAV file of 32-bit float: `samples` has a row per frame."""

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
    """Records ports, with JACK's transport in every cycle: Tests/Peers/acceptance/timed_capture.c."""

    def __init__(self, name, ports, seconds=60, launcher=(), **options):
        self.folder = tempfile.TemporaryDirectory(prefix="binaural-capture-")
        tool, self.file = f"{self.folder.name}/timed_capture", f"{self.folder.name}/capture.wav"
        subprocess.run(["cc", "-O2", "-o", tool, HERE.parent / "acceptance/timed_capture.c", "-ljack", "-pthread"], check=True)
        super().__init__(*launcher, tool, name, self.file, seconds, *ports, **options)
        self.line(lambda line: line == "recording")

    @property
    def recorded(self):
        return next((int(line[7:]) for line in reversed(self.lines) if line.startswith("frames ")), 0)

    def advance(self, frames=24_000):
        """Waits until this many more seconds have been recorded."""
        wanted = self.recorded + frames
        until(lambda: f"the recording stands still: {self.lines[-5:]}", lambda: self.recorded >= wanted)

    def finish(self):
        """The recording, its cycles as rows of first sample, microseconds and the transport's frame or -1, and the number of xruns."""
        self.process.stdin.close()
        assert self.ends() == 0, self.lines[-5:]
        cycles = numpy.loadtxt(self.file + ".cycles", dtype=numpy.int64, ndmin=2)
        xruns = next(int(line[6:]) for line in self.lines if line.startswith("xruns "))
        return Wave(self.file), cycles, xruns

    def close(self):
        super().close()
        self.folder.cleanup()


def stretches(cycles):
    """(first, last) rows of each stretch of cycles in which the transport rolled without interruption."""
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


def equal_frames(captured, rendered):
    """The number of frames at the end that equal frames anywhere in the render, bit for bit."""
    last, longest = captured[-1], 0
    for place in numpy.nonzero((rendered == last).all(axis=1))[0]:
        count = min(place + 1, len(captured))
        differs = numpy.nonzero((captured[-count:] != rendered[place + 1 - count:place + 1]).any(axis=1))[0]
        longest = max(longest, count - (differs[-1] + 1 if len(differs) else 0))
        if longest == len(captured):
            break
    return longest


def as_rendered(wave, program, patch):
    """How many frames at the end of a recording of both outputs are those of a patch's render, bit for bit; and how many there are since the first
    that is not silent."""
    with tempfile.TemporaryDirectory(prefix="binaural-render-") as folder:
        rendered = render(program, patch, to=Path(folder) / "rendered.wav").samples
    captured = wave.samples[:, :2]
    captured = captured[numpy.nonzero(captured.any(axis=1))[0][0]:]
    return equal_frames(captured, rendered), len(captured)
