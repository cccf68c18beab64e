"""Ports for each layer besides those of the mix: they add up to the mix, do not change it, and their connections are remembered.

    layers.py PROGRAM

The server is named JACK_DEFAULT_SERVER, and the program's client CLIENT_NAME.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
from recording import Capture, render
from servers import MOVING, Server, server_environment, until
from peer import Peer
from program import Program

NAME = os.environ.get("CLIENT_NAME", "binaural")
SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")
LAYERS = 16
PORTS = [f"{NAME}:layer_{layer}_{ear}" for layer in range(1, LAYERS + 1) for ear in ("left", "right")]


def start(path, session, outputs, *rest):
    return Program(path, NAME, "--outputs", outputs, "--session", session, *rest, queue=["moving.yaml"], files={"moving.yaml": MOVING})


def peer_of(program):
    peer = Peer(program.port)
    peer.send("replies", 2)
    return peer


def ports(*options):
    return subprocess.run(["jack_lsp", *options], capture_output=True, text=True).stdout


def latency(port):
    """The playback and capture latencies, as shown by jack_lsp."""
    return re.findall(r"port (?:capture|playback) latency = (\[ \d+ \d+ \])", ports("-l", port))


def sound(path, folder):
    """The mix is that of the render; the layers add up to it."""
    with start(path, str(folder / "sound.yaml"), "layers") as program:
        found = [port for port in ports().split("\n") if port.startswith(f"{NAME}:layer_")]
        assert found == PORTS, found
        peer = peer_of(program)
        with Capture(f"timed-{NAME}", [f"{NAME}:out_left", f"{NAME}:out_right", *PORTS], 30) as capture:
            # JACK requests latencies some time after the ports are connected.
            until(lambda: f"latencies {latency(PORTS[3])} and {latency(f'{NAME}:out_left')}",
                  lambda: latency(PORTS[3]) == latency(f"{NAME}:out_left") and latency(PORTS[3])[:1] == ["[ 0 0 ]"])
            assert peer.code("play") == 0
            peer.until("now/elapsed", lambda values: values[0] > 0.1)
            capture.advance(96_000)
            wave, _, xruns = capture.finish()
        rendered = render(path, program.folder / "moving.yaml", to=folder / "rendered.wav").samples
        program.end()
    mix = wave.samples[:, :2]
    total = wave.samples[:, 2:].reshape(len(mix), LAYERS, 2).sum(axis=1, dtype=numpy.float64)
    error = numpy.abs(total - mix).max()
    assert error < 1e-6, f"the layers differ from the mix by {error}"
    silent = [layer for layer in range(LAYERS) if not wave.samples[:, 2 + 2 * layer:4 + 2 * layer].any()]
    assert silent == list(range(3, LAYERS)), silent
    place = next((at for at in numpy.nonzero((rendered == mix[-1]).all(axis=1))[0] if at > 24_000), 0)
    assert place and (rendered[place - 23_999:place + 1] == mix[-24_000:]).all(), f"the mix is not the render, {xruns} xruns"
    print(f"figure: {len(mix)} frames of three layers on ports of their own add up to the mix within {error:.1e}; the mix is the render in "
          "every bit")


def connections(path, folder):
    """The connections are remembered with the others, and kept if there are no such ports."""
    session = folder / "wired.yaml"
    with start(path, str(session), "layers", "--connect", "system:playback_") as program:
        peer = peer_of(program)
        wires = peer.get("jack/connections")
        assert len(wires) == 4, f"--connect is for the mix: {wires}"
        subprocess.run(["jack_connect", f"{NAME}:layer_2_left", "system:playback_1"], check=True)
        assert peer.code("jack/connect", "layer_3_right", "system:playback_2") == 0
        until("it is not learnt", lambda: len(peer.get("jack/connections")) == 8)
        program.end()
    for outputs, expected in (("mix", 4), ("layers", 8), ("layers", 8)):
        text = session.read_text()
        for line in ("{port: layer_2_left, to: system:playback_1,", "{port: layer_3_right, to: system:playback_2,"):
            assert line in text, text
        # The session's connections are restored.
        with Program(path, NAME, "--outputs", outputs, "--session", str(session), queue=["moving.yaml"], files={"moving.yaml": MOVING},
                     connect=()) as program:
            peer = peer_of(program)
            until("the connections are not those of the session", lambda: len(peer.get("jack/connections")) == expected)
            program.end()


BANDS = """\
duration: 30
layers:
  - {name: music, input: {beat: 6, bands: [200, 800]}, gain: -12}
"""


def delay(path):
    """JACK learns by how much the filters of an input delay it, from its start on and until another patch plays."""
    with Program(path, NAME, queue=["moving.yaml", "bands.yaml"], files={"moving.yaml": MOVING, "bands.yaml": BANDS}) as program:
        peer = peer_of(program)
        outputs = [f"{NAME}:out_left", f"{NAME}:out_right"]
        for item, frames in ((2, 1205), (1, 0), (2, 1205)):
            assert peer.code("queue/select", item) == 0
            assert peer.code("play") == 0
            until(lambda: f"the latency of item {item} is {latency(outputs[0])}, not {frames}",
                  lambda: all(latency(port)[1:] == [f"[ {frames} {frames} ]"] for port in outputs))
            assert latency(f"{NAME}:in_left")[:1] == [f"[ {frames} {frames} ]"], latency(f"{NAME}:in_left")
        program.end()


def main(path):
    os.environ.update(server_environment(SERVER))
    folder = Path(tempfile.mkdtemp(prefix="binaural-layers-"))
    try:
        with Server(SERVER):
            sound(path, folder)
            connections(path, folder)
            delay(path)
        refused = subprocess.run([path, "play", "--outputs", "stems"], capture_output=True, text=True)
        assert refused.returncode == 64 and "mix" in refused.stderr, refused
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("layers: on ports of their own, learnt and connected again")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
