"""Many subscribers, and floods."""
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

from patience import PATIENCE, note
from wire import FOLDER, contents, message, unpack, wait_for
from suite import case, check, dice

FLOOD = int(os.environ.get("CONFORMANCE_FLOOD_SECONDS", 3))
# Another peer's commands during a flood, at least.
COMMANDS = 5


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
        pauses = dice(1)
        for step in range(40):
            # A peer gets at most 50 packets a second: faster commands would measure that limit.
            time.sleep(pauses.uniform(0.05, 0.1))
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
import random, socket, sys, threading, time
sys.path.insert(0, sys.argv.pop(1))
from wire import useless
port, seed = int(sys.argv[1]), int(sys.argv[2])
dice = random.Random(seed)
packets = [useless(dice) for _ in range(4096)]
is_over = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), is_over.set()), daemon=True).start()
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect(("127.0.0.1", port))
count, began = 0, time.monotonic()
while not is_over.is_set():
    due = int((time.monotonic() - began) * 50000) - count
    for _ in range(max(0, min(due, 2000))):
        try: s.send(packets[count % 4096])
        except OSError: pass
        count += 1
    if due < 50: time.sleep(0.001)
print(count / (time.monotonic() - began))
"""


@case("during a flood from one peer another peer's commands take effect", [], ["a flood"], patient=True)
def flood(_, new_peer, new_program):
    with new_program() as program:
        driver = new_peer(program)
        driver.send("replies", 2)
        check(driver.code("play") == 0)

        def run(seed):
            flooder = subprocess.Popen([sys.executable, "-c", FLOODER, FOLDER, str(program.port), str(seed)],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            delays, end = [], time.monotonic() + FLOOD
            while len(delays) < COMMANDS or time.monotonic() < end:
                check(flooder.poll() is None, "the flood is over")
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
                    check(time.monotonic() - began < PATIENCE, f"a command did not take effect, seed {seed}")
                note(began)
                delays.append(next(m.at for m in driver.inbox[since:] if m.path == "tuning/a4") - time.time() + time.monotonic() - began)
                driver.inbox.clear()
            return float(flooder.communicate()[0]), delays
        before = anonymous_memory(program)
        rate, delays = run(2)
        after = anonymous_memory(program)
        print(f"figure: flood of {rate:.0f} packets a second for {FLOOD} s: memory {before} kB before, {after} kB after; another peer's "
              f"command takes effect after {percentile(delays, .5) * 1000:.1f} ms, 99th percentile {percentile(delays, .99) * 1000:.1f} ms, "
              f"of {len(delays)}", flush=True)
        # Until everything before it has been read.
        driver.settle()
        check(driver.code("stop") == 0)


@case("of 3000 bundles far in the future at most 256 wait", [], ["7 what may wait"], patient=True)
def far_bundles(_, new_peer, new_program):
    with new_program() as program:
        peer = new_peer(program)

        def send(count):
            for index in range(count):
                peer.send_bundle(("layer/1/gain", -30.0), ("layer/2/gain", -30.0), after=50)
                if index % 50 == 49:
                    peer.settle()
            return peer.get("bundles")[0]
        for count in (300, 3000):
            before = anonymous_memory(program)
            waiting = send(count)
            check(0 < waiting <= 256, f"{waiting} wait")
        print(f"figure: 3000 bundles far in the future: memory {before} kB before, {anonymous_memory(program)} kB after", flush=True)
