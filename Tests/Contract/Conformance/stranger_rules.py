"""Peers in another network."""
import contextlib
import os
import secrets
import shutil
import subprocess
import sys

from patience import PATIENCE
from suite import case, check
from wire import FOLDER

SEED = 1
STRANGER = r"""
import random, socket, sys, time
sys.path.insert(0, sys.argv[2])
from patience import PATIENCE
from wire import bundle, message
host, port = sys.argv[1], int(sys.argv[3])
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect((host, port))
sent = got = 0
worst = -1 << 60
dice = random.Random(int(sys.argv[4]))
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
s.settimeout(PATIENCE)
proven = 0
try:
    proven += len(s.recv(65536))
except TimeoutError: pass
print("proven", proven, flush=True)
"""


@contextlib.contextmanager
def second_network():
    """A second network: the address of this machine in it, and how to run a script there. `None` if it cannot be created."""
    # Names of networks are the machine's; in a namespace, process numbers are not.
    first, second, third = secrets.token_bytes(3)
    name, subnet = f"b{first:02x}{second:02x}{third:02x}", f"10.{first % 200 + 20}.{second}"
    commands = [f"ip netns add {name}", f"ip link add {name}a type veth peer name {name}b netns {name}",
                f"ip addr add {subnet}.1/24 dev {name}a", f"ip link set {name}a up",
                f"ip -n {name} addr add {subnet}.2/24 dev {name}b", f"ip -n {name} link set {name}b up"]
    if os.geteuid() != 0 or not shutil.which("ip"):
        print("SKIPPED a stranger: a second network needs root and ip(8)", flush=True)
        yield None, None
        return
    try:
        for command in commands:
            made = subprocess.run(command.split(), capture_output=True, text=True)
            if made.returncode != 0:
                print(f"SKIPPED a stranger: {command}: {made.stderr.strip()}", flush=True)
                yield None, None
                return

        def run(script, port, *arguments):
            """Its output: the first word of each line to the rest."""
            ended = subprocess.run(
                ["ip", "netns", "exec", name, sys.executable, "-c", script, f"{subnet}.1", FOLDER, str(port), *arguments],
                capture_output=True, text=True, timeout=PATIENCE)
            check(ended.returncode == 0, f"{ended.stdout} {ended.stderr}")
            return dict(line.partition(" ")[::2] for line in ended.stdout.splitlines())
        yield f"{subnet}.1", run
    finally:
        subprocess.run(["ip", "netns", "del", name], capture_output=True)
        subprocess.run(["ip", "link", "del", f"{name}a"], capture_output=True)


@case("an address without a valid cookie never gets more bytes than it sent, seen from another network", [],
      ["no more bytes out than in"], patient=True)
def stranger(_, new_peer, new_program):
    with second_network() as (address, run):
        if not address:
            return
        # Somebody else is allowed.
        with new_program("--osc-listen", address, "--osc-allow", "192.0.2.0/24=control") as program:
            lines = run(STRANGER, program.port, str(SEED))
            sent, got, worst = map(int, lines["unproven"].split())
            print(f"figure: bytes from an unproven address {sent}, to it {got}", flush=True)
            check(worst <= 0, f"{worst} bytes more out than in, seed {SEED}")
            check(int(lines["proven"]) > 0, "the cookie of welcome is not taken")
            check(program.process.poll() is None, f"{program.lines}")


EAGER = r"""
import socket, sys, time
sys.path.insert(0, sys.argv[2])
from patience import PATIENCE
from wire import bundle, contents, message
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect((sys.argv[1], int(sys.argv[3])))
s.settimeout(PATIENCE)
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
pongs, errors, state = 0, [], None
def take(seconds):
    global pongs, state
    s.settimeout(seconds)
    try:
        while True:
            data = s.recv(65536)
            found = contents(data)
            pongs += data.count(b"/pong\0")
            if "error" in found: errors.append(found["error"][1])
            if "now/state" in found: state = found["now/state"][0]
    except (TimeoutError, BlockingIOError): pass
began, sent = time.monotonic(), 0
# In bundles: of single packets, a busy machine loses so many that too few arrive in a second.
while sent < 6000 or not errors:
    s.send(bundle(*[message("ping")] * 50))
    sent += 50
    take(0.0005)
# It fades out first; and questions of the same second are refused, like the pings before. On a busy machine, the kernel may have no room for it.
while state != "stopped":
    s.send(message("panic"))
    s.send(message("now/state"))
    take(0.5)
# Until the program has read everything: a busy one may read it seconds after it was sent.
print("pongs", pongs, round(time.monotonic() - began, 3))
print("errors", *errors)
print("state", state)
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
