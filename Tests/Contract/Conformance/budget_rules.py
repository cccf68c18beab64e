"""The packet rate of a peer, however fast things change."""
import select
import socket
import struct
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from patience import PATIENCE, ended, note
from wire import FOLDER, Listener, contents, decode, message, wait_for
from suite import case, check

# Asks the kernel for the moments at which packets arrive, since this process may read them late. Python has no name for it.
SO_TIMESTAMPNS = 35

FAST = r"""
import select, socket, sys
sys.path.insert(0, sys.argv.pop(1))
from wire import message
host, port = sys.argv[1], int(sys.argv[2])
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect((host, port))
count = 0
while not select.select([sys.stdin], [], [], 0.004)[0]:
    s.send(message("rating", float(count % 5 + 1)))
    s.send(message("master/gain", float(-(count % 30))))
    count += 1
# The program answers others first: what it has not read yet comes before the answer to a ping.
s.settimeout(1)
answer = b""
while b"/pong" not in answer:
    s.send(message("ping"))
    try: answer = s.recv(65536)
    except TimeoutError: pass
"""


def packet(listener):
    """The next packet, and when it arrived, in seconds."""
    listener.socket.settimeout(PATIENCE)
    data, [(_, _, stamp)], *_ = listener.socket.recvmsg(65536, socket.CMSG_SPACE(16))
    seconds, nanoseconds = struct.unpack("qq", stamp)
    return data, seconds + nanoseconds / 1e9


@case("a peer gets at most 50 packets a second, however fast things change, and the latest value in the end", [],
      ["50 packets a second"], patient=True)
def budget(_, new_peer, new_program):
    # Texts as long as they may be: now playing takes two packets.
    texts = "".join(f"{key}: {'x' * 300}\n" for key in ("title", "artist", "album", "composer", "genre", "comment"))
    layers = "duration: 300\nlayers:\n  - {name: snow, noise: {color: white}, gain: -40}\n"
    with new_program(queue=["long.yaml"], files={"long.yaml": texts + layers}) as program:
        listener = Listener(program.port, "now", "mixer", "tick/20", "meters/40")
        listener.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        ends = []
        wait_for(listener.socket, lambda data: (ends.extend(path for path, _ in decode(data) if path.endswith("snapshot/end")), len(ends) == 4)[1])
        sender = subprocess.Popen([sys.executable, "-c", FAST, FOLDER, "127.0.0.1", str(program.port)], stdin=subprocess.PIPE)
        began, arrivals, halves, gain, full = time.monotonic(), [], 0, None, False

        def take():
            nonlocal halves, gain
            data, arrival = packet(listener)
            if "pong" in contents(data):
                return
            if len(arrivals) % 200 == 0:
                # It renews the lease.
                listener.socket.send(message("ping"))
            arrivals.append(arrival)
            halves += b"now/comment\0" in data and b"now/state\0" not in data
            gain = contents(data).get("master/gain", gain)

        def in_a_second(first):
            return sum(1 for other in arrivals if 0 <= other - first < 1)
        # Until the limit has been reached, and there were sets in two packets.
        while halves <= 20 or not full:
            check(time.monotonic() - began < PATIENCE, f"{len(arrivals)} packets, {halves} sets in two packets")
            take()
            full = full or in_a_second(arrivals[-1] - 0.999) > 30
        sender.stdin.close()

        def final():
            check(ended(sender) == 0)
            peer = new_peer(program)
            peer.settle()
            return peer.get("master/gain")
        # It is read meanwhile: the kernel drops packets that find no room in the socket's buffer.
        with ThreadPoolExecutor() as other:
            found = other.submit(final)
            while not found.done():
                if select.select([listener.socket], [], [], 0.05)[0]:
                    take()
        last = found.result()
        # Other values may still wait for their turn.
        while gain != last:
            check(time.monotonic() - began < PATIENCE, f"the last one is {gain}, not {last}")
            take()
        note(began)
        # The program may be interrupted between its clock and the kernel's: allow two more.
        worst = max(map(in_a_second, arrivals))
        check(worst <= 52, f"{worst} packets in a second")
        listener.close()
