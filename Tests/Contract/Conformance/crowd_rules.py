"""Many subscribers, and floods."""
import os
import random
import socket
import subprocess
import sys
import time
from pathlib import Path

from wire import FOLDER, contents, message, unpack, wait_for
from suite import case, check

FLOOD = int(os.environ.get("CONFORMANCE_FLOOD_SECONDS", 3))


def anonymous_memory(program):
    """The private memory of the program, in kB."""
    status = Path(f"/proc/{program.process.pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("RssAnon")))


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


@case("with 64 subscribers, half of whom never read, the others get everything", [], ["64 subscribers, half of whom never read"], patient=True)
def crowd(_, new_peer, new_program):
    program = new_program()
    sockets = []
    try:
        for index in range(63):
            each = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            if index % 2:
                each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            each.connect(("127.0.0.1", program.port))
            each.send(message("subscribe", "now"))
            sockets.append(each)
        # The 64th gives the commands.
        driver = new_peer(program)
        driver.send("replies", 2)
        driver.subscribe("jack")
        readers = sockets[::2]
        for each in readers:
            wait_for(each, lambda data: "snapshot/end" in unpack(data)[1])
        delays, commands = [], []
        dice = random.Random(1)
        for step in range(40):
            # A peer gets at most 50 packets a second: faster commands would measure that limit.
            time.sleep(dice.uniform(0.05, 0.1))
            began = time.monotonic()
            check(driver.code("rating", step % 5 + 1) == 0)
            commands.append(time.monotonic() - began)
            for each in readers:
                wait_for(each, lambda data: "now/rating" in unpack(data)[1] and rating(data) == step % 5 + 1)
                delays.append(time.monotonic() - began)
        print(f"figure: now playing at {len(readers)} subscribers while {len(sockets) - len(readers)} never read: "
              f"{percentile(delays, .5) * 1000:.1f} ms, 99th percentile {percentile(delays, .99) * 1000:.1f} ms; "
              f"a command meanwhile {percentile(commands, .99) * 1000:.1f} ms", flush=True)
    finally:
        for each in sockets:
            each.close()
        program.close()


def rating(data):
    """now/rating in a bundle."""
    return contents(data)["now/rating"][0]


FLOODER = r"""
import random, socket, sys, time
sys.path.insert(0, sys.argv.pop(1))
from wire import message
port, seconds, seed = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
dice = random.Random(seed)
gets = [message(p) for p in ("now/title", "layer/1/beat", "status", "repeat", "layer/*/gain", "undo/depth")]
def garbage():
    kind = dice.randrange(6)
    if kind == 0: return bytes(dice.randrange(256) for _ in range(dice.randrange(1, 120)))
    if kind == 1: return b"/*?*?*?*?*?*?*?*?*?#\0\0\0\0,\0\0\0"
    if kind == 2: return message("master/gain", float("nan"))
    if kind == 3: return (b"#bundle\0" + bytes(7) + b"\1" + b"\0\0\0\x10") * dice.randrange(1, 30)
    if kind == 4: return message("nowhere", 1)
    return dice.choice(gets)
packets = [garbage() for _ in range(4096)]
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect(("127.0.0.1", port))
end, count, began = time.monotonic() + seconds, 0, time.monotonic()
while (now := time.monotonic()) < end:
    due = int((now - began) * 50000) - count
    for _ in range(max(0, min(due, 2000))):
        try: s.send(packets[count % 4096])
        except OSError: pass
        count += 1
    if due < 50: time.sleep(0.001)
print(count / (time.monotonic() - began))
"""


@case("a flood from one peer costs no memory, and another peer's commands take effect", [], ["a flood"], patient=True)
def flood(_, new_peer, new_program):
    with new_program() as program:
        driver = new_peer(program)
        driver.send("replies", 2)
        check(driver.code("play") == 0)

        def run(seconds, seed):
            flooder = subprocess.Popen([sys.executable, "-c", FLOODER, FOLDER, str(program.port), str(seconds), str(seed)],
                                       stdout=subprocess.PIPE, text=True)
            delays = []
            while flooder.poll() is None:
                value = 400.0 + len(delays) % 100
                began = time.monotonic()
                # Packets that the kernel dropped, because the flood filled the socket's buffer, are sent again, as by any client.
                while True:
                    driver.send("tuning/a4", value)
                    since = driver.mark
                    driver.send("tuning/a4")
                    driver.pump(0.05)
                    if any(m.path == "tuning/a4" and m.values == [value] for m in driver.inbox[since:]):
                        break
                    check(time.monotonic() - began < 30, "a command did not take effect")
                delays.append(next(m.at for m in driver.inbox[since:] if m.path == "tuning/a4") - time.time() + time.monotonic() - began)
                driver.inbox.clear()
            return float(flooder.stdout.read()), delays
        # The memory that it needs when busy.
        run(1, 1)
        before = anonymous_memory(program)
        rate, delays = run(FLOOD, 2)
        after = anonymous_memory(program)
        print(f"figure: flood of {rate:.0f} packets a second for {FLOOD} s: memory {before} kB before, {after} kB after; another peer's "
              f"command takes effect after {percentile(delays, .5) * 1000:.1f} ms, 99th percentile {percentile(delays, .99) * 1000:.1f} ms, "
              f"of {len(delays)}", flush=True)
        check(after - before <= 1024, f"memory grew from {before} to {after} kB")
        check(len(delays) > 3)
        driver.pump(0.5)
        check(driver.code("stop") == 0)


@case("3000 bundles far in the future do not increase the memory", [], ["7 what may wait"], patient=True)
def far_bundles(_, new_peer, new_program):
    with new_program() as program:
        peer = new_peer(program)

        def send(count):
            for index in range(count):
                peer.send_bundle(("layer/1/gain", -30.0), ("layer/2/gain", -30.0), after=50)
                if index % 50 == 49:
                    peer.settle()
        # The picture drawn at startup and the session saved after a change take memory too.
        peer.until("now/artwork", lambda values: values[0] != "")
        send(300)
        peer.send("replies", 2)
        check(peer.code("session/save") == 0)
        peer.pump(3)
        send(300)
        before = anonymous_memory(program)
        send(3000)
        after = anonymous_memory(program)
        check(after - before <= 1024, f"memory grew from {before} to {after} kB")
