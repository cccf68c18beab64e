"""A playing patch's file that is half-written, emptied, deleted, replaced by a folder, a pipe or 200 MB: each is reported, and changes no bit
of the sound. The next valid save is used.

    reread_faults.py PROGRAM

The server is named JACK_DEFAULT_SERVER, and the program's client CLIENT_NAME.
"""
import os
import shutil
import sys
import tempfile
from pathlib import Path

from recording import Capture, equal_frames, render
from servers import Server, server_environment, until
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


def remove(path):
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    else:
        path.unlink(missing_ok=True)


def half_written(path):
    path.write_text(RAIN[:RAIN.index("correlation")])


def folder_in_its_place(path):
    remove(path)
    path.mkdir()


def pipe_in_its_place(path):
    remove(path)
    os.mkfifo(path)


def grown(path):
    remove(path)
    with open(path, "wb") as file:
        for _ in range(200):
            file.write(bytes(1_000_000))


FAULTS = (
    (half_written, "'rain.yaml' was saved again, but cannot be read."), (lambda path: path.write_text(""), "the file is empty"),
    (remove, "The file of 'rain.yaml' is gone:"), (folder_in_its_place, "it is a folder, not a file"),
    (pipe_in_its_place, "it is a named pipe, not a file"), (grown, "the file has more than 1048576 bytes"),
)


def measure(path, folder):
    with Program(path, NAME, "--session", str(folder / "session.yaml"), queue=["rain.yaml"], files={"rain.yaml": RAIN}) as program:
        peer, file = Peer(program.port), program.folder / "rain.yaml"
        peer.send("replies", 2)
        assert peer.code("play") == 0
        peer.until("now/elapsed", lambda values: values[0] > 0.1)
        with Capture(f"timed-{NAME}", [f"{NAME}:out_left", f"{NAME}:out_right"], 200) as capture:
            capture.advance()
            for fault, words in FAULTS:
                mark = len(program.lines)
                fault(file)
                until(f"no line says {words}", lambda: any(words in line for line in program.lines[mark:]))
                assert peer.get("now/state") == ["playing"], words
                # A replacement would fade in within this time.
                capture.advance()
            wave, _, xruns = capture.finish()
        end = peer.get("now/elapsed")[0] + 1
        remove(file)
        # An editor's way: a complete file gets the name.
        (program.folder / "new").write_text(RAIN.replace("300, pulse", "310, pulse"))
        (program.folder / "new").rename(file)
        peer.until("layer/2/carrier", lambda values: values == [310.0])
        (folder / "rain.yaml").write_text(RAIN)
        rendered = render(path, folder / "rain.yaml", "--to", end, to=folder / "rendered.wav").samples
        program.end()
    count, frames = len(wave.samples), equal_frames(wave.samples, rendered)
    assert frames == count, f"of {count} frames only the last {frames} are those of the render, {xruns} xruns"
    return frames


def main(path):
    os.environ.update(server_environment(SERVER))
    folder = Path(tempfile.mkdtemp(prefix="binaural-reread-faults-"))
    try:
        with Server(SERVER):
            frames = measure(path, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"figure: {len(FAULTS)} faults of a playing patch's file: {frames} frames, equal to the render in every bit")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
