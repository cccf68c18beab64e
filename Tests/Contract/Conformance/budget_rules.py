"""The packet rate of a peer, however fast things change."""
import subprocess
import sys
import time

from wire import FOLDER, Listener, contents
from suite import case, check, expect

FAST = r"""
import socket, sys, time
sys.path.insert(0, sys.argv.pop(1))
from wire import message
host, port, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect((host, port))
began, count = time.monotonic(), 0
while time.monotonic() - began < seconds:
    s.send(message("rating", float(count % 5 + 1)))
    s.send(message("master/gain", float(-(count % 30))))
    count += 1
    time.sleep(0.004)
"""


@case("a peer gets at most 50 packets a second, however fast things change, and the latest value in the end", [],
      ["50 packets a second"], patient=True)
def budget(_, new_peer, new_program):
    # Texts as long as they may be: now playing takes two packets.
    texts = "".join(f"{key}: {'x' * 300}\n" for key in ("title", "artist", "album", "composer", "genre", "comment"))
    layers = "duration: 300\nlayers:\n  - {name: snow, noise: {color: white}, gain: -40}\n"
    with new_program(queue=["long.yaml"], files={"long.yaml": texts + layers}) as program:
        listener = Listener(program.port, "now", "mixer", "tick/20", "meters/40")
        listener.packets(3)
        sender = subprocess.Popen([sys.executable, "-c", FAST, FOLDER, "127.0.0.1", str(program.port), "3"])
        # Three seconds longer than the sender: it may start late, and what it has sent may still wait in the program, on a busy machine.
        arrivals, found, end = [], [], None
        while end is None or time.monotonic() < end:
            if end is None and sender.poll() is not None:
                end = time.monotonic() + 3
            for data in listener.packets(0.002):
                arrivals.append(time.monotonic())
                found.append(data)
        check(sender.wait() == 0)
        # Packets that waited in the socket while this process did not run may count for the wrong second: allow two more.
        worst = max(sum(1 for other in arrivals if 0 <= other - each < 1) for each in arrivals)
        check(30 < worst <= 52, f"{worst} packets in a second")
        halves = [data for data in found if b"now/comment\0" in data and b"now/state\0" not in data]
        check(len(halves) > 20, f"{len(halves)} sets in two packets")
        peer = new_peer(program)
        last = [contents(data) for data in found]
        gain = [each["master/gain"] for each in last if "master/gain" in each][-1]
        expect(peer.get("master/gain"), gain)
        listener.close()
