"""Kills, terminates, stops and restarts the JACK server under a program that plays, again and again.

    restarts.py PROGRAM TIMES

Every time: it is noticed, OSC answers throughout, the position stands still, the state is afterwards what it was, bit for bit, and sound
and connections are there again. How long that took is told, in lines that begin with "figure", and half of the times have to be within
LIMITS. The server gets the name that JACK_DEFAULT_SERVER has, the program's client that of STUDIO_NAME.
"""
import math
import os
import random
import signal
import sys
import time

from studio import PATIENCE, Server, until
from peer import Missing, Peer
from program import Program

SERVER = os.environ["JACK_DEFAULT_SERVER"]
NAME = os.environ.get("STUDIO_NAME", "binaural")
# What goes on by itself, counts what happened, or concerns the peer that asks.
MOVES = {"now/elapsed", "now/frame", "position", "position/norm", "now/norm", "now/tick", "now/text", "meter", "status", "clock",
         "lifecycle", "log", "session/dirty", "bundles", "info", "ping", "ramp/done", "replies", "progress"}
KINDS = ("kill", "terminate", "stop", "stop and kill")
# Seconds that half of the times may take; a single one may take longer where the machine is busy.
LIMITS = {"dead": 0.5, "stalled": 0.5, "sound": 1.0, "resumed": 1.0}


def readable(peer):
    """The paths of everything that can be read and stays as it is."""
    found, waiting = [], [""]
    while waiting:
        path = waiting.pop()
        since = peer.mark
        peer.send("describe", path)
        peer.wait("describe/end", since=since)
        for child in peer.inbox[since:]:
            if child.path == "describe" and child.values[0] != path:
                waiting.append(child.values[0])
                if "r" in child.values[2] and child.values[0] not in MOVES:
                    found.append(child.values[0])
    return sorted(set(found))


def picture(peer, paths):
    # Once more for an answer that was lost: UDP promises nothing.
    values = {}
    for path in paths:
        for attempt in range(5):
            try:
                since = peer.mark
                peer.send(path)
                values[path] = peer.wait(path, since=since, patience=5).values
                break
            except Missing:
                assert attempt < 4, f"{path} is not answered"
    return repr(values)


def is_silent(peer):
    return max(peer.get("meter")[:2]) <= -100


def tell(name, seconds, limit):
    """Tells the figure, and returns whether half of them are within the limit."""
    ordered = sorted(1000 * s for s in seconds)
    def part(p): return ordered[min(len(ordered) - 1, math.ceil(p * len(ordered)) - 1)]
    print(f"figure: {name}: median {part(0.5):.0f} ms, 99th percentile {part(0.99):.0f} ms, longest {ordered[-1]:.0f} ms, "
          f"of {len(ordered)}; limit of the median {1000 * limit:.0f} ms", flush=True)
    return part(0.5) <= 1000 * limit


def main(path, times):
    server = Server(SERVER, is_patient=False)
    server.answers()
    figures = {"dead": [], "stalled": [], "sound": [], "resumed": []}
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
            before = picture(peer, paths)
            assert len(paths) > 60, paths
            chance = random.Random(times)
            for number in range(times):
                kind = KINDS[number % len(KINDS)]
                mark, began = peer.mark, time.time()
                stop = kind.startswith("stop")
                server.process.send_signal({"kill": signal.SIGKILL, "terminate": signal.SIGTERM}.get(kind, signal.SIGSTOP))
                state = peer.wait("jack/state", lambda m: m.values == ["stalled" if stop else "away"], mark, PATIENCE)
                figures["stalled" if stop else "dead"].append(state.at - began)
                interrupted = peer.wait("now/state", lambda m: m.values == ["interrupted"], mark, PATIENCE)
                lost = peer.wait("now/frame", lambda m: m.bundle == interrupted.bundle, mark, PATIENCE)
                assert peer.get("jack/state") == state.values
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
                figures["resumed" if kind == "stop" else "sound"].append(time.time() - back)
                after = picture(peer, paths)
                assert after == before, f"the state was\n{before}\nand is\n{after}"
                # A day's worth of messages is not to be searched.
                if peer.mark > 20_000:
                    del peer.inbox[:-100]
            program.end()
    finally:
        server.process.kill()
    names = {"dead": "a dead server is noticed after", "stalled": "a stopped server is noticed after",
             "sound": "sound and connections are back, counted from the new server's socket, after",
             "resumed": "sound is back, counted from the stopped server's going on, after"}
    late = [kind for kind, name in names.items() if not tell(name, figures[kind], LIMITS[kind])]
    assert not late, f"half of them took longer than their limits: {late}"
    print(f"restarts: {times} times, the state of {len(paths)} addresses equal in every bit")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), int(sys.argv[2]))
