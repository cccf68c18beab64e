"""Many subscribers, floods, and a network that is not this machine's."""
import contextlib
import itertools
import os
import random
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from raw import Listener, contents, message, text, unpack
from suite import case, check, expect

FLOOD = int(os.environ.get("CONFORMANCE_FLOOD_SECONDS", 3))


def anonymous_memory(program):
    """kB that the program has for itself."""
    status = Path(f"/proc/{program.process.pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("RssAnon")))


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


@case("64 subscribers of whom half never read: the others are told of everything", [], ["64 subscribers, half of whom never read"], patient=True)
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
            # Nobody gets more than 50 packets a second: faster commands would measure that.
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


def wait_for(each, is_it, patience=30):
    end = time.monotonic() + patience
    while True:
        each.settimeout(max(0.01, end - time.monotonic()))
        data = each.recv(65536)
        if is_it(data):
            return data


def rating(data):
    """now/rating ,f in a bundle."""
    place = data.index(b"/binaural/now/rating\0")
    return struct.unpack_from(">f", data, place + len(text("/binaural/now/rating")) + 4)[0]


FLOODER = r"""
import random, socket, struct, sys, time
port, seconds, seed = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
dice = random.Random(seed)
def text(v):
    d = v.encode() + b"\0"
    return d + bytes(-len(d) % 4)
gets = [text("/binaural/" + p) + b",\0\0\0" for p in ("now/title", "layer/1/beat", "status", "repeat", "layer/*/gain", "undo/depth")]
def garbage():
    kind = dice.randrange(6)
    if kind == 0: return bytes(dice.randrange(256) for _ in range(dice.randrange(1, 120)))
    if kind == 1: return b"/*?*?*?*?*?*?*?*?*?#\0\0\0\0,\0\0\0"
    if kind == 2: return text("/binaural/master/gain") + b",f\0\0" + struct.pack(">f", float("nan"))
    if kind == 3: return (b"#bundle\0" + bytes(7) + b"\1" + b"\0\0\0\x10") * dice.randrange(1, 30)
    if kind == 4: return text("/binaural/nowhere") + b",i\0\0\0\0\0\1"
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
            flooder = subprocess.Popen([sys.executable, "-c", FLOODER, str(program.port), str(seconds), str(seed)],
                                       stdout=subprocess.PIPE, text=True)
            delays = []
            while flooder.poll() is None:
                value = 400.0 + len(delays) % 100
                began = time.monotonic()
                # What the kernel dropped, because the flood filled the socket's buffer, is sent again: as any client has to.
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
        # What it needs to be busy at all.
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


@case("3000 bundles far in the future leave the memory where it was", [], ["7 what may wait"], patient=True)
def far_bundles(_, new_peer, new_program):
    with new_program() as program:
        peer = new_peer(program)

        def send(count):
            for index in range(count):
                peer.send_bundle(("layer/1/gain", -30.0), ("layer/2/gain", -30.0), after=50)
                if index % 50 == 49:
                    peer.settle()
        # Drawn at the start, and saved soon after a change: that takes memory too.
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


STRANGER = r"""
import random, socket, struct, sys, time
sys.path.insert(0, sys.argv[2])
from raw import message, text
host, port = sys.argv[1], int(sys.argv[3])
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect((host, port))
sent = got = 0
worst = -1 << 60
dice = random.Random(1)
def hello(padding): return text("/binaural/hello") + text(",sb") + text("me") + struct.pack(">i", padding) + bytes(padding)
packets = [message(p) for p in ("info", "status", "ping", "play", "now/title", "queue/list", "session/list", "quit", "/ping", "layer/*/gain")]
packets += [message("subscribe", t) for t in ("now", "layers", "tick/20", "meters/40")] + [message("describe", ""), message("hello", "me")]
packets += [hello(n) for n in (0, 4, 8, 40, 200, 1000)]
packets += [text("/binaural/subscribe") + text(",siis") + text("now") + struct.pack(">ii", 0, 30) + text("no such cookie")]
packets += [bytes(dice.randrange(256) for _ in range(dice.randrange(1, 200))) for _ in range(200)]
packets += [b"#bundle\0" + bytes(7) + b"\1" + struct.pack(">i", len(p)) + p for p in packets[:16]]
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
# Proven: told what is missing.
cookie = welcome[24:].split(b"\0")[0].decode() if welcome else ""
s.send(text("/binaural/subscribe") + text(",siis") + text("now") + struct.pack(">ii", 0, 30) + text(cookie))
s.settimeout(5)
proven = 0
try:
    proven += len(s.recv(65536))
except TimeoutError: pass
print("proven", proven, flush=True)
"""


@contextlib.contextmanager
def second_network():
    """A network beside this one: the address of this machine in it, and how to run a script there. `None` where there cannot be one."""
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
                """Lines of what it prints: first word to the rest."""
                ended = subprocess.run(
                    ["ip", "netns", "exec", name, sys.executable, "-c", script, f"{subnet}.1", str(Path(__file__).parent), str(port)],
                    capture_output=True, text=True, timeout=120)
                check(ended.returncode == 0, f"{ended.stdout} {ended.stderr}")
                return dict(line.partition(" ")[::2] for line in ended.stdout.splitlines())
            yield f"{subnet}.1", run
        finally:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)
            subprocess.run(["ip", "link", "del", f"{name}a"], capture_output=True)


networks = itertools.count()
one_network = threading.Lock()


@case("an address that has not proven itself never gets more bytes than it sent, seen from another network", [],
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
import socket, struct, sys, time
sys.path.insert(0, sys.argv[2])
from raw import contents, message, text
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect((sys.argv[1], int(sys.argv[3])))
s.settimeout(30)
def answer(path):
    while True:
        found = contents(s.recv(65536))
        if path in found: return found[path]
s.send(text("/binaural/hello") + text(",sb") + text("me") + struct.pack(">i", 200) + bytes(200))
s.send(text("/binaural/subscribe") + text(",siis") + text("session") + struct.pack(">ii", 0, 30) + text(answer("welcome")[0]))
answer("snapshot/end")
s.send(message("play"))
time.sleep(0.5)
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
    # Neither end loses what waits for it.
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


@case("a peer beyond this machine that sends more than 500 messages a second is told so, and panic passes", [], ["code 429"], patient=True)
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


FAST = r"""
import socket, struct, sys, time
host, port, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
def text(v):
    d = v.encode() + b"\0"
    return d + bytes(-len(d) % 4)
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect((host, port))
began, count = time.monotonic(), 0
while time.monotonic() - began < seconds:
    s.send(text("/binaural/rating") + text(",f") + struct.pack(">f", count % 5 + 1))
    s.send(text("/binaural/master/gain") + text(",f") + struct.pack(">f", -(count % 30)))
    count += 1
    time.sleep(0.004)
"""


@case("however fast things change, a peer gets 50 packets a second at most, and the latest value in the end", [],
      ["50 packets a second"], patient=True)
def budget(_, new_peer, new_program):
    # Texts as long as they may be: now playing takes two packets.
    texts = "".join(f"{key}: {'x' * 300}\n" for key in ("title", "artist", "album", "composer", "genre", "comment"))
    layers = "duration: 300\nlayers:\n  - {name: snow, noise: {color: white}, gain: -40}\n"
    with new_program(queue=["long.yaml"], files={"long.yaml": texts + layers}) as program:
        listener = Listener(program.port, "now", "mixer", "tick/20", "meters/40")
        listener.packets(3)
        sender = subprocess.Popen([sys.executable, "-c", FAST, "127.0.0.1", str(program.port), "3"])
        arrivals, found, end = [], [], time.monotonic() + 4
        while time.monotonic() < end:
            for data in listener.packets(0.002):
                arrivals.append(time.monotonic())
                found.append(data)
        check(sender.wait() == 0)
        # What waited in the socket while this process did not run may be counted to the wrong second: two more.
        worst = max(sum(1 for other in arrivals if 0 <= other - each < 1) for each in arrivals)
        check(30 < worst <= 52, f"{worst} packets in a second")
        halves = [data for data in found if b"now/comment\0" in data and b"now/state\0" not in data]
        check(len(halves) > 20, f"{len(halves)} sets in two packets")
        peer = new_peer(program)
        last = [contents(data) for data in found]
        gain = [each["master/gain"] for each in last if "master/gain" in each][-1]
        expect(peer.get("master/gain"), gain)
        listener.close()


@case("a 65th peer is answered and cannot subscribe; who has only asked something gives way", [], ["64 peers"], patient=True)
def full_house(_, new_peer, new_program):
    with new_program() as program:
        sockets = []
        try:
            for index in range(64):
                each = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                each.connect(("127.0.0.1", program.port))
                each.send(message("subscribe" if index else "info", *["jack"] if index else []))
                wait_for(each, lambda data: ("snapshot/end" if index else "info") in contents(data))
                sockets.append(each)
            newcomer = new_peer(program)
            newcomer.subscribe("mixer")
            last = new_peer(program)
            expect(last.ask("subscribe", "mixer", answer="error").values[1], 413)
            expect(last.get("now/title"), ["Deep"])
            last.send_bundle(("tuning/a4", 450.0), after=5)
            expect(last.wait("error", lambda m: m.values[0] == "#bundle").values[1], 413)
            # Whose place is free is taken.
            sockets[5].send(message("unsubscribe"))
            wait_for(sockets[5], lambda data: "unsubscribed" in contents(data))
            last.subscribe("mixer")
        finally:
            for each in sockets:
                each.close()


@case("what a peer has sent ahead waits as long as its lease, however many newcomers there are", [], ["7 what may wait", "leases"],
      patient=True)
def ahead(_, new_peer, new_program):
    with new_program() as program:
        early = new_peer(program)
        early.send_bundle(("tuning/a4", 433.0), after=6)
        early.settle()
        sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(80)]
        for each in sockets:
            each.connect(("127.0.0.1", program.port))
            each.send(message("subscribe", "jack"))
        for each in sockets:
            each.close()
        asker = new_peer(program)
        asker.until("tuning/a4", lambda v: v == [433.0])


@case("a peer whose port is closed is forgotten after three answers that say so", [], ["unreachable peers"], patient=True)
def gone(_, new_peer, new_program):
    with new_program() as program:
        asker = new_peer(program)
        leaver = new_peer(program)
        leaver.send_bundle(("tuning/a4", 433.0), after=12)
        leaver.subscribe("tick/20", 0, 300)
        expect(asker.get("bundles")[0], 1)
        leaver.close()
        # Its lease would last for five minutes, and with it what it sent ahead.
        asker.until("bundles", lambda v: v[0] == 0)
        expect(asker.get("tuning/a4"), [440.0])
        asker.settle()


@case("a busy port is an error that says what to do, and no other one is taken by itself", [], ["a busy port"], patient=True)
def busy_port(_, new_peer, new_program):
    with new_program() as program:
        second = [program.path, "play", "deep.yaml", "--paused", "--connect", "none", "--client-name", f"{program.name}-2"]
        environment = dict(program.environment, XDG_STATE_HOME=str(program.folder / "other"), XDG_DATA_HOME=str(program.folder / "other"))
        ended = subprocess.run([*second, "--osc-port", str(program.port)], cwd=program.folder, env=environment, stdin=subprocess.DEVNULL,
                               capture_output=True, text=True, timeout=120)
        check(ended.returncode > 0, f"{ended}")
        check(str(program.port) in ended.stderr and "--osc-port" in ended.stderr, ended.stderr)
        expect(new_peer(program).get("now/title"), ["Deep"])


@case("the URL in use stands in a file of mode 0600 as long as the program runs", [], ["the .url file"], patient=True)
def url_file(_, new_peer, new_program):
    program = new_program()
    try:
        file = program.folder / "runtime_dir" / "binaural" / f"{program.name}.url"
        expect(file.read_text(), f"osc.udp://127.0.0.1:{program.port}/\n")
        expect([file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777], [0o600, 0o700])
        program.end()
        check(not file.exists(), "it is left behind")
    finally:
        program.close()


@case("--osc-local-role view lets this machine look and not touch", [], ["code 401", "--osc-local-role"], patient=True)
def local_role(_, new_peer, new_program):
    with new_program("--osc-local-role", "view") as program:
        peer = new_peer(program)
        check(peer.get("now/title") == ["Deep"])
        peer.subscribe("mixer")
        for path, *arguments in (("play",), ("master/gain", -3.0), ("quit",), ("panic",), ("session/save",)):
            check(peer.outcome_of_error(path, *arguments) == 401, path)
        check(peer.get("now/state") == ["paused"] or peer.get("now/state") == ["stopped"])


@case("--osc-timetags immediate takes every bundle at once", [], ["--osc-timetags"], patient=True)
def timetags(_, new_peer, new_program):
    with new_program("--osc-timetags", "immediate") as program:
        peer = new_peer(program)
        peer.send_bundle(("tuning/a4", 433.0), after=50)
        peer.settle()
        check(peer.get("tuning/a4") == [433.0])


@case("a Unix socket of mode 0600 answers like UDP", [], ["a Unix socket"], patient=True)
def unix_socket(_, new_peer, new_program):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/osc"
        program = new_program("--osc-listen", f"unix:{path}")
        client = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            check(os.stat(path).st_mode & 0o777 == 0o600, oct(os.stat(path).st_mode))
            client.bind(f"{folder}/me")
            client.connect(path)
            client.send(message("now/title"))
            wait_for(client, lambda data: contents(data).get("now/title") == ["Deep"])
            client.send(message("subscribe", "mixer"))
            wait_for(client, lambda data: "snapshot/end" in contents(data))
        finally:
            client.close()
            program.close()
