"""Kills, terminates, stops and restarts the JACK server under a program that plays, again and again.

    restarts.py PROGRAM TIMES

Every time the program notices it, the position stops, and afterwards the state is the same, bit for bit, and sound and connections are
back. OSC answers throughout: a ping is sent every 20 ms, and the silence is never longer than Pinging.LIMIT. The times are printed for each kind
of fault, in lines that begin with "figure", and the median of each kind must be within LIMITS. The server is named
JACK_DEFAULT_SERVER, and the program's client CLIENT_NAME.
"""
import math
import os
import signal
import sys
import time

from pinging import Pinging
from state import picture, readable, same
from servers import Server, dice, until
from peer import Peer
from program import Program

SERVER = os.environ["JACK_DEFAULT_SERVER"]
NAME = os.environ.get("CLIENT_NAME", "binaural")
# The faults of the server, in turn, with their names.
KINDS = {"kill": "killed", "terminate": "terminated", "stop": "stopped", "stop and kill": "stopped and then killed"}
# The limit in seconds for the median of a kind; a single time may be longer on a busy machine.
LIMITS = {"noticed": 0.5, "back": 1.0}


def is_silent(peer):
    return max(peer.get("meter")[:2]) <= -100


def part(seconds, p):
    """The p quantile in milliseconds."""
    ordered = sorted(1000 * s for s in seconds)
    return ordered[min(len(ordered) - 1, math.ceil(p * len(ordered)) - 1)]


def report(name, seconds, limit):
    """Prints the figure, and returns whether half of them are within the limit."""
    print(f"figure: {name}: median {part(seconds, 0.5):.0f} ms, 90th percentile {part(seconds, 0.9):.0f} ms, 98th {part(seconds, 0.98):.0f} ms, "
          f"longest {part(seconds, 1):.0f} ms, of {len(seconds)}; limit of the median {1000 * limit:.0f} ms", flush=True)
    return part(seconds, 0.5) <= 1000 * limit


def main(path, times):
    server = Server(SERVER, is_patient=False)
    server.answers()
    figures = {(kind, what): [] for kind in KINDS for what in LIMITS}
    try:
        # The last of two options applies: the server's ports are connected.
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
            chance = dice(times)
            for number in range(times):
                kind = list(KINDS)[number % len(KINDS)]
                mark, began = peer.mark, time.time()
                stop = kind.startswith("stop")
                server.process.send_signal({"kill": signal.SIGKILL, "terminate": signal.SIGTERM}.get(kind, signal.SIGSTOP))
                state = peer.wait("jack/state", lambda m: m.values == ["stalled" if stop else "away"], mark)
                figures[kind, "noticed"].append(state.at - began)
                interrupted = peer.wait("now/state", lambda m: m.values == ["interrupted"], mark)
                lost = peer.wait("now/frame", lambda m: m.bundle == interrupted.bundle, mark)
                assert peer.get("jack/state") == state.values
                # Otherwise this might be found as the later sound.
                until("the meter continues", lambda: is_silent(peer))
                # Regardless of how long it takes.
                peer.pump(chance.uniform(0, 0.4))
                assert peer.get("now/frame") == lost.values, "the timeline stands still"
                if kind == "stop":
                    mark, back = peer.mark, time.time()
                    server.process.send_signal(signal.SIGCONT)
                else:
                    if stop:
                        server.process.kill()
                        peer.wait("jack/state", lambda m: m.values == ["away"], mark)
                    server.process.wait()
                    server.close()
                    mark = peer.mark
                    server = Server(SERVER, is_patient=False)
                    back = server.came
                peer.wait("jack/state", lambda m: m.values == ["running"], mark)
                playing = peer.wait("now/state", lambda m: m.values == ["playing"], mark)
                frames = [m for m in peer.inbox[mark:] if m.path == "now/frame" and m.bundle == playing.bundle]
                if not frames:
                    frames = [peer.wait("now/frame", lambda m: m.bundle == playing.bundle, mark)]
                # It continues where it was; the cycles up to the report have passed by then.
                passed = frames[0].values[0] - lost.values[0]
                assert 0 <= passed <= 48_000 * (playing.at - back) + 512, f"it resumed {passed} frames from where it was"
                until("no sound", lambda: not is_silent(peer), 0.002)
                until("no connections", lambda: peer.get("jack/connections") == connections, 0.002)
                figures[kind, "back"].append(time.time() - back)
                same(before, picture(peer, paths))
                # Old messages are dropped, to keep searches short.
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
        name = "it continues, and sound is back after" if (kind, what) == ("stop", "back") else names[what]
        if not report(f"the server is {KINDS[kind]}: {name}", seconds, LIMITS[what]):
            late.append(f"{kind}: {what}")
    assert not late, f"half of them took longer than their limits: {late}"
    print(f"restarts: {times} times, the state of {len(paths)} addresses equal in every bit")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), int(sys.argv[2]))
