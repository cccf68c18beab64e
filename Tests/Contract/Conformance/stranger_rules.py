"""Peers in another network."""
import contextlib
import itertools
import os
import shutil
import subprocess
import sys
import threading

from suite import case, check
from wire import FOLDER


STRANGER = r"""
import random, socket, sys, time
sys.path.insert(0, sys.argv[2])
from wire import bundle, message
host, port = sys.argv[1], int(sys.argv[3])
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect((host, port))
sent = got = 0
worst = -1 << 60
dice = random.Random(1)
def hello(padding): return message("hello", "me", bytes(padding))
packets = [message(p) for p in ("info", "status", "ping", "play", "now/title", "queue/list", "session/list", "quit", "/ping", "layer/*/gain")]
packets += [message("subscribe", t) for t in ("now", "layers", "tick/20", "meters/40")] + [message("describe", ""), message("hello", "me")]
packets += [hello(n) for n in (0, 4, 8, 40, 200, 1000)]
packets += [message("subscribe", "now", 0, 30, "no such cookie")]
packets += [bytes(dice.randrange(256) for _ in range(dice.randrange(1, 200))) for _ in range(200)]
packets += [bundle(p) for p in packets[:16]]
s.settimeout(0.02)
welcome = None
for packet in packets:
    sent += len(s.send(packet) * b"x")
    try:
        while True:
            data = s.recv(65536)
            got += len(data)
            if data.startswith(b"/binaural/welcome"): welcome = data
    except TimeoutError: pass
    worst = max(worst, got - sent)
s.settimeout(2)
try:
    while True:
        got += len(s.recv(65536)); worst = max(worst, got - sent)
except TimeoutError: pass
print("unproven", sent, got, worst, flush=True)
# Verified by its cookie: it learns what is missing.
cookie = welcome[24:].split(b"\0")[0].decode() if welcome else ""
s.send(message("subscribe", "now", 0, 30, cookie))
s.settimeout(5)
proven = 0
try:
    proven += len(s.recv(65536))
except TimeoutError: pass
print("proven", proven, flush=True)
"""


@contextlib.contextmanager
def second_network():
    """A second network: the address of this machine in it, and how to run a script there. `None` if it cannot be created."""
    name = f"bin{os.getpid() % 10000}{next(networks)}"
    subnet = f"10.{os.getpid() // 256 % 200 + 20}.{os.getpid() % 256}"
    commands = [f"ip netns add {name}", f"ip link add {name}a type veth peer name {name}b netns {name}",
                f"ip addr add {subnet}.1/24 dev {name}a", f"ip link set {name}a up",
                f"ip -n {name} addr add {subnet}.2/24 dev {name}b", f"ip -n {name} link set {name}b up"]
    if os.geteuid() != 0 or not shutil.which("ip"):
        print("SKIPPED a stranger: a second network needs root and ip(8)", flush=True)
        yield None, None
        return
    with one_network:
        try:
            for command in commands:
                made = subprocess.run(command.split(), capture_output=True, text=True)
                if made.returncode != 0:
                    print(f"SKIPPED a stranger: {command}: {made.stderr.strip()}", flush=True)
                    yield None, None
                    return

            def run(script, port):
                """Its output: the first word of each line to the rest."""
                ended = subprocess.run(
                    ["ip", "netns", "exec", name, sys.executable, "-c", script, f"{subnet}.1", FOLDER, str(port)],
                    capture_output=True, text=True, timeout=120)
                check(ended.returncode == 0, f"{ended.stdout} {ended.stderr}")
                return dict(line.partition(" ")[::2] for line in ended.stdout.splitlines())
            yield f"{subnet}.1", run
        finally:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)
            subprocess.run(["ip", "link", "del", f"{name}a"], capture_output=True)


networks = itertools.count()
one_network = threading.Lock()


@case("an address without a valid cookie never gets more bytes than it sent, seen from another network", [],
      ["no more bytes out than in"], patient=True)
def stranger(_, new_peer, new_program):
    with second_network() as (address, run):
        if not address:
            return
        # Somebody else is allowed.
        with new_program("--osc-listen", address, "--osc-allow", "192.0.2.0/24=control") as program:
            lines = run(STRANGER, program.port)
            sent, got, worst = map(int, lines["unproven"].split())
            print(f"figure: bytes from an unproven address {sent}, to it {got}", flush=True)
            check(worst <= 0, f"{worst} bytes more out than in")
            check(int(lines["proven"]) > 0, "the cookie of welcome is not taken")
            check(program.process.poll() is None, f"{program.lines}")


EAGER = r"""
import socket, sys, time
sys.path.insert(0, sys.argv[2])
from wire import contents, message
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect((sys.argv[1], int(sys.argv[3])))
s.settimeout(30)
def answer(path):
    while True:
        found = contents(s.recv(65536))
        if path in found: return found[path]
s.send(message("hello", "me", bytes(200)))
s.send(message("subscribe", "session", 0, 30, answer("welcome")[0]))
answer("snapshot/end")
s.send(message("play"))
while True:
    s.send(message("now/state"))
    if answer("now/state")[0] == "playing": break
pongs, errors = 0, []
def take(seconds):
    global pongs
    s.settimeout(seconds)
    try:
        while True:
            found = contents(s.recv(65536))
            pongs += "pong" in found
            if "error" in found: errors.append(found["error"][1])
    except (TimeoutError, BlockingIOError): pass
began = time.monotonic()
for count in range(6000):
    s.send(message("ping"))
    # Neither end loses waiting packets.
    if count % 20 == 0: take(0.0005)
spent = time.monotonic() - began
s.send(message("panic"))
take(2)
print("pongs", pongs, round(spent, 3))
print("errors", *errors)
s.settimeout(30)
s.send(message("now/state"))
print("state", answer("now/state")[0])
"""


@case("a remote peer that sends more than 500 messages a second gets an error, and panic is accepted", [], ["code 429"], patient=True)
def eager(_, new_peer, new_program):
    with second_network() as (address, run):
        if not address:
            return
        with new_program("--osc-listen", address, "--osc-allow", f"{address}/24=control") as program:
            lines = run(EAGER, program.port)
            pongs, spent = lines["pongs"].split()
            check(int(pongs) <= 1000 + 500 * (float(spent) + 1), f"{pongs} answers in {spent} s")
            errors = set(lines["errors"].split())
            check(errors == {"429"}, f"{errors}")
            check(lines["state"] == "stopped", lines["state"])
