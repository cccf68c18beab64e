"""64 layers of all kinds under starts, seeks, pauses and edits every 50 ms at 64 frames a period: xruns, beside those of the same server without them.

    peaks.py PROGRAM

Every minute of it follows a minute in which the program is paused: the machine's own xruns. Under use there may be more of them than that in one of
a hundred commands at most, and it has to sound. With BINAURAL_STRESS it takes twenty minutes, else twenty seconds. The server is named
JACK_DEFAULT_SERVER.
"""
import os
import sys
import tempfile
import time
from pathlib import Path

from servers import Server, dice, server_environment, until
from peer import Peer
from program import Program
from recording import render

NAME = os.environ.get("CLIENT_NAME", "binaural")
SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")
SECONDS, ROUNDS = (60, 10) if os.environ.get("BINAURAL_STRESS") else (10, 1)
KINDS = ("binaural: {carrier: %d, beat: 6}", "tone: {carrier: %d}", "monaural: {carrier: %d, beat: 6}", "isochronic: {carrier: %d, pulseRate: 9}",
         "bilateral: {carrier: %d, pulseRate: 2}", "phase: {carrier: %d, beat: 4}", "harmonicBox: {carrier: %d, beat: 6}", "bell: {carrier: %d}",
         "noise: {color: pink, seed: %d}", "noise: {color: brown, seed: %d}", "noise: {color: white, seed: %d}", "spin: {beat: 0.5, seed: %d}",
         "noise: {color: pink, seed: %d, pulseRate: 9, bands: [200, 800]}", "file: {path: SOUND}", "input: {}", "keys: {}")
LAYERS = 64
# Commands for each xrun that they may cause.
COMMANDS = 100


def patch(first, sound):
    layers = "".join(f"  - {{name: l{index}, {KINDS[index % len(KINDS)].replace('%d', str(first + 11 * index)).replace('SOUND', str(sound))}, gain: -60}}\n" for index in range(LAYERS))
    return (f"duration: 600\nlayers:\n{layers}chapters:\n  - {{at: 0, title: One}}\n  - {{at: 20, title: Two, over: 500, ease: sineInOut, "
            "set: {l0.beat: 2, l1.carrier: 300, l8.gain: -50}}\n")


def xruns(peer):
    return peer.get("status")[5]


def use(peer, chance):
    """One start, seek or edit."""
    layer = chance.randint(1, LAYERS)
    match chance.randint(0, 4):
        case 0: peer.send("position", chance.uniform(0, 500))
        case 1: peer.send("play" if chance.random() < 0.7 else "pause")
        case 2: peer.send("queue/select", chance.randint(1, 2))
        case 3: peer.send(f"layer/{layer}/gain", chance.uniform(-70, -55))
        case _: peer.send(f"layer/{layer}/carrier", chance.uniform(100, 900))


def measure(program, counts):
    """Adds the xruns of all rounds to counts; returns the number of commands."""
    chance, peer, commands = dice(1), Peer(program.port), 0

    def sounds():
        peer.send("play")
        return peer.get("now/state") == ["playing"] and peer.get("meter")[0] > -100

    until("it does not sound", sounds)
    peer.send("pause")
    for _ in range(ROUNDS):
        for what in counts:
            before = xruns(peer)
            end = time.monotonic() + SECONDS
            while (left := end - time.monotonic()) > 0:
                if what != "paused":
                    use(peer, chance)
                    commands += 1
                time.sleep(min(0.05, left))
            peer.send("pause")
            peer.sync()
            counts[what] += xruns(peer) - before
    until("it does not sound after all of that", sounds)
    status = peer.get("status")
    assert status[6] == 0, f"guards have acted: {status}"
    return commands


def main(path):
    os.environ.update(server_environment(SERVER))
    paused, used = "paused", "under starts, seeks, pauses and edits"
    counts = {paused: 0, used: 0}
    with tempfile.TemporaryDirectory(prefix="binaural-peaks-") as folder, Server(SERVER, period=64, is_patient=False):
        (Path(folder) / "tone.yaml").write_text("duration: 60\nlayers: [{name: tone, tone: {carrier: 220}}]\n")
        render(path, Path(folder) / "tone.yaml", to=(sound := Path(folder) / "tone.wav"))
        patches = {f"{name}.yaml": patch(first, sound) for name, first in (("one", 100), ("two", 137))}
        with Program(path, NAME, queue=[*patches], files=patches, connect=("--connect", "system:playback")) as program:
            commands = measure(program, counts)
            program.end()
    for what, count in counts.items():
        print(f"figure: xruns in {ROUNDS * SECONDS} s at 64 frames a period, 64 layers of all kinds {what}: {count}")
    assert counts[used] - counts[paused] <= commands / COMMANDS, f"{counts} at {commands} commands"


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
