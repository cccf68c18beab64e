"""The program is announced in the network through Avahi, found from another machine, lost and found again.

    announcing.py PROGRAM

The machines, studio and attic, are two network namespaces joined by a virtual cable, each with its own system bus and avahi-daemon. The program runs in the studio; in the attic, avahi-browse, PyPI's zeroconf and `binaural ctl --find` look for it. A JACK
server named JACK_DEFAULT_SERVER has to run.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from patience import PATIENCE
from servers import Running, in_own_network, until
from zeroconf import ServiceBrowser, ServiceListener, Zeroconf
from program import Program

NAME = os.environ.get("CLIENT_NAME", "binaural")
TYPES = ("_osc._udp", "_oscjson._tcp")
TOOLS = {"avahi-daemon": "avahi-daemon", "avahi-browse": "avahi-utils", "avahi-publish": "avahi-utils", "dbus-daemon": "dbus-daemon",
         "ip": "iproute2", "nsenter": "util-linux"}
BUS = """\
<busconfig><type>system</type><listen>unix:path={path}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>
"""
# How long nothing must be announced, in seconds; a service is found in about one.
CALM = 4


class Machine:
    """A network, a host name and a /run of their own, with a system bus."""

    def __init__(self, name, address, folder):
        self.name, self.address, self.folder = name, address, folder
        script = f"mount -t tmpfs none /run && hostname {name} && ip link set lo up && echo up && exec sleep 3600"
        self.holder = Running("unshare", "--net", "--mount", "--uts", "sh", "-c", script)
        self.holder.line(lambda line: line == "up")
        self.pid = self.holder.process.pid
        bus = f"{folder}/{name}.bus"
        # Commands see this machine's network and bus; the daemons also its /run.
        self.prefix = ["nsenter", f"--target={self.pid}", "--net", "--uts", "env", f"DBUS_SYSTEM_BUS_ADDRESS=unix:path={bus}"]
        (folder / f"{name}.bus.conf").write_text(BUS.format(path=bus))
        (folder / f"{name}.conf").write_text(f"[server]\nhost-name={name}\nuse-ipv6=no\n[publish]\npublish-workstation=no\npublish-aaaa-on-ipv4=no\n")

    def start_bus(self):
        self.bus = self.running("dbus-daemon", f"--config-file={self.folder}/{self.name}.bus.conf", "--nofork", "--nopidfile", "--print-address")
        self.bus.line(lambda line: line.startswith("unix:"))

    def start_avahi(self):
        self.avahi = self.running("nsenter", f"--target={self.pid}", "--mount", "avahi-daemon", "-f", self.folder / f"{self.name}.conf", "--no-drop-root", "--no-chroot", "--no-rlimits")
        self.avahi.line(lambda line: "Server startup complete" in line)

    def running(self, *command, **options):
        return Running(*self.prefix, *command, **options)

    def run(self, *command):
        return subprocess.run([*self.prefix, *map(str, command)], capture_output=True, text=True, timeout=PATIENCE)

    def interface_number(self):
        return json.loads(self.run("ip", "-json", "link", "show", "cable").stdout)[0]["ifindex"]

    def do(self, *command):
        done = self.run(*command)
        assert done.returncode == 0, done


def lay_cable(near, far):
    """Connects two machines, by new interfaces with new numbers."""
    subprocess.run(["ip", "link", "add", "cable", "netns", str(near.pid), "type", "veth", "peer", "name", "cable", "netns", str(far.pid)],
                   check=True)
    for machine in (near, far):
        machine.do("ip", "addr", "add", f"{machine.address}/24", "dev", "cable")
        machine.do("ip", "link", "set", "cable", "up")


# In the attic

class Observer(ServiceListener):
    """Prints what PyPI's zeroconf sees: "found" or "lost", the type and the name, and the addresses with the port and the text."""

    def add_service(self, zeroconf, kind, name):
        info = zeroconf.get_service_info(kind, name, 5000)
        found = {"addresses": info.parsed_addresses(), "port": info.port, "host": info.server,
                 "text": {key.decode(): (value or b"").decode() for key, value in info.properties.items()}} if info else {}
        print("found", kind.split(".local")[0], name.split("._")[0], json.dumps(found), sep="\t", flush=True)

    def update_service(self, zeroconf, kind, name):
        pass

    def remove_service(self, zeroconf, kind, name):
        print("lost", kind.split(".local")[0], name.split("._")[0], sep="\t", flush=True)


def observe():
    zeroconf = Zeroconf(interfaces=["10.78.0.2"])
    ServiceBrowser(zeroconf, [f"{kind}.local." for kind in TYPES], Observer())
    sys.stdin.read()


class Watcher:
    """The second observer, and what it has seen so far."""

    def __init__(self, machine):
        self.running = machine.running(sys.executable, "-uB", __file__, "--observe")

    @property
    def mark(self):
        return len(self.running.lines)

    def sees(self, what, kind, name, since=0):
        line = self.running.line(lambda line: line.startswith(f"{what}\t{kind}\t{name}") and line.split("\t")[2] == name, since)
        return json.loads(line.split("\t")[3]) if what == "found" else None


def browse(machine, kind="-a"):
    """The services that avahi-browse resolves: name, type, address and port."""
    lines = [line.split(";") for line in machine.run("avahi-browse", "-rtp", kind).stdout.splitlines() if line.startswith("=")]
    return [(fields[3].replace("\\032", " ").replace("\\035", "#"), fields[4], fields[7], int(fields[8])) for fields in lines]


def ours(found, name=NAME):
    return [each for each in found if each[0].startswith(name)]


def said(program, text, since=0):
    until(lambda: f"it does not say '{text}': {program.lines}", lambda: any(text in line for line in program.lines[since:]))


def read(machine, url, host=None):
    """The status and the body of an HTTP request from a machine."""
    code = "import sys, urllib.request, urllib.error\n" \
        "request = urllib.request.Request(sys.argv[1], headers={'Host': sys.argv[2]} if sys.argv[2] else {})\n" \
        f"try: answer = urllib.request.urlopen(request, timeout={PATIENCE})\n" \
        "except urllib.error.HTTPError as error: answer = error\n" \
        "print(answer.status), print(answer.read().decode())"
    done = machine.run(sys.executable, "-c", code, url, host or "")
    assert done.returncode == 0, done
    status, body = done.stdout.split("\n", 1)
    return int(status), body


def find(machine, program):
    done = machine.run(program, "ctl", "--find")
    return done, [line.split("\t") for line in done.stdout.splitlines()]


def query_port(program):
    line = next(line for line in program.lines if line.startswith("OSCQuery: "))
    return int(line.split(":")[3].rstrip("/"))


def found_lost_and_found(path, studio, attic, watcher):
    """Both services are found by three observers, lost when the daemon or the program ends, and found again."""
    name = f"{NAME} on studio"
    begin = time.monotonic()
    with play(path, studio, "--osc-listen", studio.address, "--osc-query", "auto", "--osc-query-listen", "0.0.0.0") as program:
        port = query_port(program)
        info = watcher.sees("found", "_osc._udp", name)
        print(f"figure: zeroconf finds it {time.monotonic() - begin:.1f} s after it was started")
        assert (info["addresses"], info["port"], info["host"]) == ([studio.address], program.port, "studio.local."), info
        assert info["text"]["app"] == "binaural", info
        assert watcher.sees("found", "_oscjson._tcp", name)["port"] == port
        begin = time.monotonic()
        expected = {(name, "_osc._udp", studio.address, program.port), (name, "_oscjson._tcp", studio.address, port)}
        assert expected <= set(browse(attic)), browse(attic)
        print(f"figure: avahi-browse -rtp takes {time.monotonic() - begin:.1f} s")
        said(program, f"Announced in the network as '{name}'.")
        begin = time.monotonic()
        done, lines = find(attic, path)
        print(f"figure: ctl --find takes {time.monotonic() - begin:.1f} s")
        assert [line[:2] + line[3:] for line in lines] == [[f"{studio.address}:{program.port}", name, f"http://{studio.address}:{port}/"]], done

        # OSCQuery from the other machine can be read only, and by this machine's names only.
        url = f"http://{studio.address}:{port}"
        host = json.loads(read(attic, f"{url}/?HOST_INFO")[1])
        assert (host["OSC_IP"], host["WS_IP"], host["OSC_PORT"]) == (studio.address, studio.address, program.port), host
        assert json.loads(read(attic, f"{url}/binaural/quit?ACCESS")[1]) == {"ACCESS": 0}
        assert json.loads(read(attic, f"{url}/binaural/layer/1/gain?ACCESS")[1]) == {"ACCESS": 1}
        assert json.loads(read(studio, f"http://127.0.0.1:{port}/binaural/layer/1/gain?ACCESS")[1]) == {"ACCESS": 3}
        assert read(attic, f"{url}/", host=f"studio.local:{port}")[0] == 200
        assert read(attic, f"{url}/", host="example.com")[0] == 403

        # The daemon ends, and is started again.
        mark, printed = watcher.mark, len(program.lines)
        studio.avahi.close()
        for kind in TYPES:
            watcher.sees("lost", kind, name, mark)
        said(program, "Not announced in the network: Avahi is not running.", printed)
        mark, printed = watcher.mark, len(program.lines)
        studio.start_avahi()
        for kind in TYPES:
            watcher.sees("found", kind, name, mark)
        said(program, f"Announced in the network as '{name}'.", printed)

        # The cable is pulled and plugged in again.
        studio.do("ip", "link", "set", "cable", "down")
        until("avahi keeps the address", lambda: not ours(item for item in browse(studio) if item[2] == studio.address))
        studio.do("ip", "link", "set", "cable", "up")
        until("it is not found again", lambda: expected <= set(browse(attic)))
        mark = watcher.mark
    for kind in TYPES:
        watcher.sees("lost", kind, name, mark)
    mark = watcher.mark
    with play(path, studio, "--osc-listen", "0.0.0.0"):
        watcher.sees("found", "_osc._udp", name, mark)
    watcher.sees("lost", "_osc._udp", name, mark)


def another_interface(path, studio, attic):
    """An interface that is removed and made again has another number, under which the services are found again."""
    name = f"{NAME} on studio"
    with play(path, studio, "--osc-listen", studio.address) as program:
        expected = {(name, "_osc._udp", studio.address, program.port)}
        until("it is not found", lambda: expected <= set(browse(attic)))
        number = studio.interface_number()
        studio.do("ip", "link", "del", "cable")
        until("it is announced without its interface", lambda: not ours(browse(studio)))
        # The next number, so that the kernel cannot give the old one again.
        studio.do("ip", "link", "add", "other", "type", "veth", "peer", "name", "another")
        lay_cable(studio, attic)
        assert studio.interface_number() != number
        until("it is not found at the new interface", lambda: expected <= set(browse(attic)))


def crowd(path, studio, attic):
    """Another machine that holds every connection it can get leaves room for programs of this machine."""
    with play(path, studio, "--osc-query", "auto", "--osc-query-listen", "0.0.0.0") as program:
        port = query_port(program)
        code = "import socket, sys\n" \
            "held = [socket.create_connection((sys.argv[1], int(sys.argv[2]))) for _ in range(16)]\n" \
            "for each in held[8:]: print(each.recv(100).split(b' ')[1].decode(), flush=True)\n" \
            "print('held', flush=True), sys.stdin.read()"
        holder = attic.running(sys.executable, "-c", code, studio.address, port)
        holder.line(lambda line: line == "held")
        assert holder.lines[:8] == ["503"] * 8, holder.lines
        assert read(studio, f"http://127.0.0.1:{port}/?HOST_INFO")[0] == 200
        holder.close()


def collision(path, studio, attic, watcher):
    """A name that another machine has is replaced by the next one."""
    taken = f"{NAME} on studio"
    mark = watcher.mark
    other = attic.running("avahi-publish", "-s", taken, "_osc._udp", 9)
    other.line(lambda line: "Established" in line)
    with play(path, studio, "--osc-listen", "0.0.0.0") as program:
        said(program, f"Announced in the network as '{taken} #2'.")
        assert watcher.sees("found", "_osc._udp", f"{taken} #2", mark)["port"] == program.port
        assert [line[1] for line in find(attic, path)[1]] == [f"{taken} #2"], "another program's service is listed"
    other.close()


def nothing(path, studio, attic, watcher):
    """A program that listens on loopback only is not announced, nor one with --zeroconf off; without Avahi it says so and plays."""
    mark = watcher.mark
    for options in (["--osc-query", "auto"], ["--osc-listen", "127.0.0.2"], ["--osc-listen", "0.0.0.0", "--zeroconf", "off"]):
        with play(path, studio, *options) as program:
            time.sleep(CALM)
            assert ours(browse(studio)) == [] and ours(browse(attic)) == [], options
            assert not any("nnounced" in line for line in program.lines), program.lines
    assert not [line for line in watcher.running.lines[mark:] if line.startswith("found")], watcher.running.lines[mark:]
    done, _ = find(attic, path)
    assert done.returncode == 69 and "No instance is announced in the network." in done.stderr, done
    studio.avahi.close()
    with play(path, studio, "--osc-listen", "0.0.0.0") as program:
        said(program, "Not announced in the network: Avahi is not running.")
        done, _ = find(studio, path)
        assert done.returncode == 69 and "Avahi is not running" in done.stderr, done
        studio.bus.close()
        time.sleep(CALM)
        assert sum("ot announced" in line for line in program.lines) <= 2, program.lines
        printed = len(program.lines)
        studio.start_bus()
        studio.start_avahi()
        said(program, f"Announced in the network as '{NAME} on studio'.", printed)
    studio.avahi.close(), studio.bus.close()
    with play(path, studio, "--osc-listen", "0.0.0.0") as program:
        said(program, "Not announced in the network: no connection to the system bus")
    done, _ = find(studio, path)
    assert done.returncode == 69 and "system bus" in done.stderr, done


def play(path, machine, *options):
    return Program(path, NAME, *options, launcher=machine.prefix)


def main(program):
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    for tool, package in TOOLS.items():
        if not shutil.which(tool, path=os.environ["PATH"]):
            sys.exit(f"{tool} is not installed; this scenario needs it: apt-get install {package}")
    in_own_network()
    folder = Path(tempfile.mkdtemp(prefix="binaural-announcing-"))
    try:
        studio, attic = Machine("studio", "10.78.0.1", folder), Machine("attic", "10.78.0.2", folder)
        lay_cable(studio, attic)
        for machine in (studio, attic):
            machine.start_bus()
            machine.start_avahi()
        watcher = Watcher(attic)
        found_lost_and_found(program, studio, attic, watcher)
        collision(program, studio, attic, watcher)
        nothing(program, studio, attic, watcher)
        studio.start_bus()
        studio.start_avahi()
        # Last, since the second observer loses its interface.
        crowd(program, studio, attic)
        another_interface(program, studio, attic)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    observe() if sys.argv[1] == "--observe" else main(os.path.abspath(sys.argv[1]))
