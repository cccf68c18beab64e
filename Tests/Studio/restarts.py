"""Kills, terminates, stops and restarts the JACK server under a program that plays, again and again.

    restarts.py PROGRAM TIMES

Every time: it is noticed, OSC answers throughout, the position stands still, the state is afterwards what it was, bit for bit, and sound
and connections are there again. How long that took is told, in lines that begin with "figure"; a busy machine is no fault. The server gets the name that
JACK_DEFAULT_SERVER has, the program's client that of STUDIO_NAME.
"""
import math
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Conformance"))
from peer import Missing, Peer  # noqa: E402
from program import Program  # noqa: E402

SERVER = os.environ["JACK_DEFAULT_SERVER"]
NAME = os.environ.get("STUDIO_NAME", "binaural")
PATIENCE = 120
# What goes on by itself, or counts what happened.
MOVES = {"now/elapsed", "now/frame", "now/state", "now/rate", "position", "position/norm", "now/norm", "now/tick", "now/text", "meter",
         "status", "clock", "jack/state", "jack/connections", "lifecycle", "log", "session/dirty", "bundles", "info", "ping", "ramp/done",
         "now/chapter", "undo/depth", "replies", "progress"}
KINDS = ("kill", "terminate", "stop", "stop and kill")


def start_server():
    return subprocess.Popen(["jackd", "-n", SERVER, "-R", "-P10", "-p", "64", "-d", "dummy", "-r", "48000", "-p", "256"],
                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for_server(server):
    """Until it answers; looked for by its socket first, since jack_wait looks once a second."""
    socket = Path(f"/dev/shm/jack_{SERVER}_{os.getuid()}_0")
    end = time.monotonic() + PATIENCE
    while not socket.exists():
        assert time.monotonic() < end and server.poll() is None, "the server does not come up"
        time.sleep(0.002)
    return time.time()


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
                if "r" in child.values[2] and child.values[0] not in MOVES and not child.values[0].endswith("/enabled"):
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


def until(peer, what, condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"{what}: {peer.inbox[-8:]}"
        peer.pump(0.002)
    return time.time()


def tell(name, seconds):
    if seconds:
        ordered = sorted(1000 * s for s in seconds)
        def part(p): return ordered[min(len(ordered) - 1, math.ceil(p * len(ordered)) - 1)]
        print(f"figure: {name}: median {part(0.5):.0f} ms, 99th percentile {part(0.99):.0f} ms, longest {ordered[-1]:.0f} ms, "
              f"of {len(ordered)}", flush=True)


def main(path, times):
    server = start_server()
    wait_for_server(server)
    subprocess.run(["jack_wait", "-s", SERVER, "-w", "-t", "60"], check=True, stdout=subprocess.DEVNULL)
    figures = {"dead": [], "stalled": [], "sound": [], "resumed": []}
    try:
        # The second of two options counts: what the server has is connected.
        with Program(path, NAME, "--connect", "system:playback_[12]$", queue=["endless.yaml"]) as program:
            peer = Peer(program.port)
            peer.send("replies", 2)
            for command in (("layer/1/carrier", 333.0), ("master/gain", -7.0), ("rating", 4.0), ("preset/save", "one"), ("play",)):
                assert peer.code(*command) == 0, command
            until(peer, "not playing", lambda: peer.get("now/state") == ["playing"] and not is_silent(peer))
            connections = peer.get("jack/connections")
            assert len(connections) == 4, connections
            for topic in ("now", "jack"):
                peer.subscribe(topic)
            paths = readable(peer)
            until(peer, "no picture is drawn", lambda: peer.get("now/artwork") != [""])
            before = picture(peer, paths)
            assert len(paths) > 60, paths
            chance = random.Random(times)
            for number in range(times):
                kind = KINDS[number % len(KINDS)]
                mark, began = peer.mark, time.time()
                stop = kind.startswith("stop")
                server.send_signal({"kill": signal.SIGKILL, "terminate": signal.SIGTERM}.get(kind, signal.SIGSTOP))
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
                    server.send_signal(signal.SIGCONT)
                else:
                    if stop:
                        server.kill()
                        peer.wait("jack/state", lambda m: m.values == ["away"], mark, PATIENCE)
                    server.wait()
                    mark = peer.mark
                    server = start_server()
                    back = wait_for_server(server)
                peer.wait("jack/state", lambda m: m.values == ["running"], mark, PATIENCE)
                playing = peer.wait("now/state", lambda m: m.values == ["playing"], mark, PATIENCE)
                frames = [m for m in peer.inbox[mark:] if m.path == "now/frame" and m.bundle == playing.bundle]
                if not frames:
                    frames = [peer.wait("now/frame", lambda m: m.bundle == playing.bundle, mark, PATIENCE)]
                # It goes on where it was; the cycles up to the telling have passed by then.
                passed = frames[0].values[0] - lost.values[0]
                assert 0 <= passed <= 48_000 * (playing.at - back) + 512, f"it went on {passed} frames from where it was"
                until(peer, "no sound", lambda: not is_silent(peer))
                sound = until(peer, "no connections", lambda: peer.get("jack/connections") == connections)
                figures["resumed" if kind == "stop" else "sound"].append(sound - back)
                after = picture(peer, paths)
                assert after == before, f"the state was\n{before}\nand is\n{after}"
                # A day's worth of messages is not to be searched.
                if peer.mark > 20_000:
                    del peer.inbox[:-100]
            program.end()
    finally:
        server.kill()
        server.wait()
    tell("a dead server is noticed after", figures["dead"])
    tell("a stopped server is noticed after", figures["stalled"])
    tell("sound and connections are back, counted from the new server's socket, after", figures["sound"])
    tell("sound is back, counted from the stopped server's going on, after", figures["resumed"])
    print(f"restarts: {times} times, the state of {len(paths)} addresses equal in every bit")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), int(sys.argv[2]))
