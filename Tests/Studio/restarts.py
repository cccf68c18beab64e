"""Kills, terminates, stops and restarts the JACK server under a program that plays, again and again.

    restarts.py PROGRAM TIMES

Every time: it is noticed, the position stands still, the state is afterwards what it was, bit for bit, and sound and connections are there
again. All the time OSC answers: a ping is sent every 20 ms, and it is never silent for longer than Pinging.LIMIT. How long things took is told, for each kind of fault by
itself, in lines that begin with "figure", and half of the times of each kind have to be within LIMITS. The server gets the name that
JACK_DEFAULT_SERVER has, the program's client that of STUDIO_NAME.
"""
import math
import os
import random
import signal
import sys
import time

from pinging import Pinging
from state import picture, readable, same
from studio import PATIENCE, Server, until
from peer import Peer
from program import Program

SERVER = os.environ["JACK_DEFAULT_SERVER"]
NAME = os.environ.get("STUDIO_NAME", "binaural")
# What is done to the server, in turn, and how that is called.
KINDS = {"kill": "killed", "terminate": "terminated", "stop": "stopped", "stop and kill": "stopped and then killed"}
# Seconds that half of the times of a kind may take; a single one may take longer where the machine is busy.
LIMITS = {"noticed": 0.5, "back": 1.0}


def is_silent(peer):
    return max(peer.get("meter")[:2]) <= -100


def part(seconds, p):
    """In milliseconds, that below which a part p of them lies."""
    ordered = sorted(1000 * s for s in seconds)
    return ordered[min(len(ordered) - 1, math.ceil(p * len(ordered)) - 1)]


def tell(name, seconds, limit):
    """Tells the figure, and returns whether half of them are within the limit."""
    print(f"figure: {name}: median {part(seconds, 0.5):.0f} ms, 90th percentile {part(seconds, 0.9):.0f} ms, 98th {part(seconds, 0.98):.0f} ms, "
          f"longest {part(seconds, 1):.0f} ms, of {len(seconds)}; limit of the median {1000 * limit:.0f} ms", flush=True)
    return part(seconds, 0.5) <= 1000 * limit


def main(path, times):
    server = Server(SERVER, is_patient=False)
    server.answers()
    figures = {(kind, what): [] for kind in KINDS for what in LIMITS}
    try:
        # The second of two options counts: what the server has is connected.
        with Program(path, NAME, "--connect", "system:playback_[12]$", queue=["endless.yaml"]) as program:
            peer = Peer(program.port)
            peer.send("replies", 2)
            for command in (("layer/1/carrier", 333.0), ("master/gain", -7.0), ("rating", 4.0), ("preset/save", "one"),
                            ("layer/1/gain", -30.0), ("undo",), ("play",)):
                assert peer.code(*command) == 0, command
            until("not playing", lambda: peer.get("now/state") == ["playing"] and not is_silent(peer))
            connections = peer.get("jack/connections")
            assert len(connections) == 4, connections
            for topic in ("now", "jack"):
                peer.subscribe(topic)
            paths = readable(peer)
            until("no picture is drawn", lambda: peer.get("now/artwork") != [""])
            pinging = Pinging(program.port)
            before = picture(peer, paths)
            chance = random.Random(times)
            for number in range(times):
                kind = list(KINDS)[number % len(KINDS)]
                mark, began = peer.mark, time.time()
                stop = kind.startswith("stop")
                server.process.send_signal({"kill": signal.SIGKILL, "terminate": signal.SIGTERM}.get(kind, signal.SIGSTOP))
                state = peer.wait("jack/state", lambda m: m.values == ["stalled" if stop else "away"], mark, PATIENCE)
                figures[kind, "noticed"].append(state.at - began)
                interrupted = peer.wait("now/state", lambda m: m.values == ["interrupted"], mark, PATIENCE)
                lost = peer.wait("now/frame", lambda m: m.bundle == interrupted.bundle, mark, PATIENCE)
                assert peer.get("jack/state") == state.values
                # Else the sound that is looked for afterwards might be this.
                until("the meter goes on", lambda: is_silent(peer))
                # However long it takes.
                peer.pump(chance.uniform(0, 0.4))
                assert peer.get("now/frame") == lost.values, "the timeline stands still"
                if kind == "stop":
                    mark, back = peer.mark, time.time()
                    server.process.send_signal(signal.SIGCONT)
                else:
                    if stop:
                        server.process.kill()
                        peer.wait("jack/state", lambda m: m.values == ["away"], mark, PATIENCE)
                    server.process.wait()
                    server.close()
                    mark = peer.mark
                    server = Server(SERVER, is_patient=False)
                    back = server.came
                peer.wait("jack/state", lambda m: m.values == ["running"], mark, PATIENCE)
                playing = peer.wait("now/state", lambda m: m.values == ["playing"], mark, PATIENCE)
                frames = [m for m in peer.inbox[mark:] if m.path == "now/frame" and m.bundle == playing.bundle]
                if not frames:
                    frames = [peer.wait("now/frame", lambda m: m.bundle == playing.bundle, mark, PATIENCE)]
                # It goes on where it was; the cycles up to the telling have passed by then.
                passed = frames[0].values[0] - lost.values[0]
                assert 0 <= passed <= 48_000 * (playing.at - back) + 512, f"it went on {passed} frames from where it was"
                until("no sound", lambda: not is_silent(peer), 0.002)
                until("no connections", lambda: peer.get("jack/connections") == connections, 0.002)
                figures[kind, "back"].append(time.time() - back)
                same(before, picture(peer, paths))
                # A day's worth of messages is not to be searched.
                if peer.mark > 20_000:
                    del peer.inbox[:-100]
            took = pinging.end()
            program.end()
    finally:
        server.process.kill()
    print(f"figure: OSC during all of this, a ping every {1000 * Pinging.INTERVAL:.0f} ms: {len(took)}, {pinging.lost} of them lost, half answered within "
          f"{part(took, 0.5):.1f} ms, 99 % within {part(took, 0.99):.1f} ms, the longest silence {part(took, 1):.0f} ms", flush=True)
    names = {"noticed": "it is noticed after", "back": "sound and connections are back, counted from the new server's socket, after"}
    late = []
    for (kind, what), seconds in figures.items():
        name = "it goes on, and there is sound again after" if (kind, what) == ("stop", "back") else names[what]
        if not tell(f"the server is {KINDS[kind]}: {name}", seconds, LIMITS[what]):
            late.append(f"{kind}: {what}")
    assert not late, f"half of them took longer than their limits: {late}"
    print(f"restarts: {times} times, the state of {len(paths)} addresses equal in every bit")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), int(sys.argv[2]))
