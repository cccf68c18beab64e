"""Under freewheel, every shipped patch gives its offline samples.

    freewheel.py PROGRAM PATCHES

One program plays each patch of the folder; all run on one server and are recorded at once. The server is named JACK_DEFAULT_SERVER.
"""
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from recording import Capture, equal_frames, render
from servers import Server, server_environment, until
from peer import Peer
from program import Program

NAME = os.environ.get("CLIENT_NAME", "binaural")
SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")
SECONDS = 10


def main(path, patches):
    os.environ.update(server_environment(SERVER))
    folder = Path(tempfile.mkdtemp(prefix="binaural-freewheel-"))
    try:
        with Server(SERVER) as server, ThreadPoolExecutor(2) as pool, ExitStack() as running:
            programs = [running.enter_context(Program(path, f"{NAME}-f{number}", queue=[patch], files={}))
                        for number, patch in enumerate(patches)]
            ports = [f"{program.name}:{port}" for program in programs for port in ("out_left", "out_right")]
            peers = [Peer(program.port) for program in programs]
            for peer in peers:
                peer.send("replies", 2)
                assert peer.code("play") == 0
            for peer in peers:
                peer.until("now/elapsed", lambda values: values[0] > 0.1)
            with Capture(f"timed-{NAME}", ports, SECONDS) as capture:
                subprocess.run(["jack_freewheel", "y"], check=True, stdout=subprocess.DEVNULL)
                until("the recording does not fill", lambda: "full" in capture.lines)
                # jackd takes long to close a client under freewheel, so it is closed first.
                server.process.kill()
                recorded = capture.finish()[0].samples
            ends = [peer.get("now/elapsed")[0] + 1 for peer in peers]
            rendered = list(pool.map(lambda number: render(
                path, patches[number], "--to", ends[number], to=folder / f"{number}.wav").samples, range(len(patches))))
            for program in programs:
                program.process.terminate()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    frames = []
    for number, patch in enumerate(patches):
        frames.append(equal_frames(recorded[:, 2 * number:2 * number + 2], rendered[number][:, :2]))
        # Cycles before freewheel may have missed their deadlines.
        assert frames[-1] >= 48_000 * (SECONDS - 2), f"{patch}: only {frames[-1]} frames of {len(recorded)} are those of the render"
    silent = [Path(patch).stem for number, patch in enumerate(patches) if not recorded[:, 2 * number:2 * number + 2].any()]
    assert not silent, f"silent: {silent}"
    print(f"figure: {len(patches)} shipped patches under freewheel, all at once: {min(frames)} to {max(frames)} frames of each, equal to the "
          "render in every bit; none is silent")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), sorted(str(patch) for patch in Path(sys.argv[2]).resolve().glob("*.yaml")))
