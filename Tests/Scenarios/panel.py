"""The panel: OSC over WebSocket, pairing and its subcommands, attacks, and the page in a browser while the sound is recorded.

    panel.py PROGRAM

A JACK server named JACK_DEFAULT_SERVER has to run. CLIENT_NAME is the name of the client.
"""
import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import websocket
from pythonosc.osc_bundle import OscBundle
from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import build_msg
from panel_bookmarks import bookmarks
from panel_controls import controls
from panel_fingers import crowded, fingers, hidden, incomplete, keys, late, other_version, revoked, still
from panel_firefox import in_firefox
from panel_lists import lists
from panel_page import in_browser
from panel_states import states
from servers import PATIENCE, Running, until

NAME = os.environ.get("CLIENT_NAME", "binaural")
# Seconds after which a phone that sleeps holds nothing any more: 15, and some for a busy machine.
ASLEEP = 25
PATCH = ("title: Two tones\nduration: 600\nlayers:\n  - {name: tone, tone: {carrier: 440}, gain: -12}\n"
         "  - {name: bed, binaural: {carrier: 200, beat: 10}, gain: -30}\n"
         "chapters:\n  - {at: 0, title: Begin}\n  - {at: 300, title: Later}\n")


class Host:
    """A running program with its panel."""

    def __init__(self, program, folder, *options):
        self.program, self.folder = program, folder
        self.environment = dict(os.environ, HOME=str(folder))
        for each in ("CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME", "RUNTIME_DIR"):
            self.environment[f"XDG_{each}"] = str(folder)
        self.start(*options)

    def start(self, *options):
        patches = [self.folder / "two.yaml", self.folder / "other.yaml"]
        self.running = Running(self.program, "play", *map(str, patches), "--osc-port", "auto", "--connect", "none", "--client-name", NAME,
                               *map(str, options), env=self.environment)
        self.port = int(self.running.line(lambda line: line.startswith("Panel: ")).split(":")[3].rstrip("/"))

    def connect(self, first=None, **more):
        """A WebSocket, and the first text of the server."""
        client = websocket.create_connection(f"ws://127.0.0.1:{self.port}/osc", timeout=PATIENCE, **{"suppress_origin": True, **more})
        if first:
            client.send(json.dumps(first))
        return client, json.loads(client.recv())

    @contextlib.contextmanager
    def client(self):
        """A WebSocket for a short time: one that is not read from is taken for gone after ten seconds."""
        client, _ = self.connect()
        with contextlib.closing(client):
            yield client

    def get(self, path, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read()

    def web(self, *arguments, code=0):
        done = subprocess.run([self.program, "web", *arguments], env=self.environment, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == code, done
        return done.stdout + done.stderr

    def end(self):
        self.running.process.send_signal(signal.SIGTERM)
        assert self.running.process.wait(PATIENCE) == 0, self.running.lines[-10:]


def send(client, path, *arguments):
    client.send_binary(build_msg(f"/binaural/{path}", list(arguments)).dgram)


def messages(packet):
    if packet.startswith(b"#bundle"):
        return [each for content in OscBundle(packet) for each in messages(content.dgram)]
    return [OscMessage(packet)]


def wait(client, path, condition=lambda values: True):
    """The arguments of the next message of that address for which the condition holds."""
    while True:
        kind, data = client.recv_data()
        if kind == websocket.ABNF.OPCODE_CLOSE:
            raise ConnectionError(data)
        if kind != websocket.ABNF.OPCODE_BINARY:
            continue
        for message in messages(data):
            if message.address == f"/binaural/{path}" and condition(list(message)):
                return list(message)


def get(client, path):
    send(client, path)
    return wait(client, path)


def over_websocket(host):
    """A client on this machine is a peer like one over UDP."""
    client, answer = host.connect()
    assert answer["role"] == "admin" and answer["version"], answer
    other, _ = host.connect()
    send(client, "subscribe", "layers")
    wait(client, "snapshot/end")
    send(other, "layer/2/beat", 7.5)
    assert wait(client, "layer/2/beat", lambda values: values == [7.5])
    # A touch keeps others out until its client has disconnected.
    send(client, "touch/layer/2/beat", 1), get(client, "touch/layer/2/beat")
    send(other, "layer/2/beat", 9.0)
    assert wait(other, "error")[1] == 409
    client.sock.close()
    until("a fader stays touched though its client is gone", lambda: get(other, "touch/layer/2/beat") == [0], step=0.05)
    send(other, "undo"), other.close()
    try:
        host.connect(origin="http://example.com", suppress_origin=False)
        raise AssertionError("another site's page may connect")
    except websocket.WebSocketBadStatusException as error:
        assert error.status_code == 403, error


def pairing(host):
    """Devices enter with a token once and then with their key; roles hold; the list shows them; a revoked one is disconnected."""
    line = host.running.line(lambda line: line.startswith("Panel for another device"))
    first = line.split("#")[1].split()[0]
    links = host.web("pair", "--role", "view").split()
    assert all(re.fullmatch(r"https?://[0-9a-z.:\[\]]+/#[0-9a-f]{32}", link) for link in links) and first not in links[0], links
    # Another host name counts as another device.
    device = {"header": [], "host": f"studio.test:{host.port}"}
    phone, answer = host.connect({"token": first, "name": "Phone"}, **device)
    assert answer["role"] == "control" and len(answer["key"]) == 64, answer
    send(phone, "quit")
    assert wait(phone, "error")[1] == 401
    tablet, viewer = host.connect({"token": links[0].split("#")[1], "name": "Tablet"}, **device)
    send(tablet, "pause")
    assert viewer["role"] == "view" and wait(tablet, "error")[1] == 401
    assert "error" in host.connect({"token": first}, **device)[1], "a token is valid twice"
    assert [line.split("\t")[0::3] for line in host.web("list").splitlines()] == [["1", "Phone"], ["2", "Tablet"]]
    assert "Phone" in host.web("revoke", "1") and "no device" in host.web("revoke", "1", code=65).lower()
    until("a revoked device stays connected", lambda: phone.recv_data(control_frame=True)[0] == websocket.ABNF.OPCODE_CLOSE)
    assert "revoked" in host.connect({"key": answer["key"]}, **device)[1]["error"]
    assert get(tablet, "now/title") == ["Two tones"], "another device is disconnected too"
    tablet.close()


def asleep(host):
    """A phone falls asleep with a finger on a fader: it answers no more pings, and the fader is released when it is taken for gone.

    - Returns: a function that waits for that.
    """
    phone, _ = host.connect()
    send(phone, "touch/master/gain", 1)
    assert get(phone, "touch/master/gain") == [1]
    # Seconds since the watcher's first packet, by the program's clock, at which the fader was still held, and then released.
    watcher, _ = host.connect()
    touched, held, released = age(watcher), [], []

    def watch():
        while not released:
            now = age(watcher) - touched
            (held if get(watcher, "touch/master/gain") == [1] else released).append(now)
            time.sleep(0.1)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()

    def wait_for_end():
        thread.join(PATIENCE)
        assert released, "a fader stays touched by a phone that sleeps"
        watcher.close(), phone.sock.close()
        # It is gone when two pings, one every five seconds, have not been answered for five more.
        print(f"figure: a sleeping phone's touch ended after {released[0]:.1f} s")
        assert held and held[-1] > 10 and released[0] < ASLEEP, (held[-1:], released)

    return wait_for_end


def age(client):
    """The seconds since a client's first packet."""
    send(client, "peer/list")
    return wait(client, "peer/item", lambda values: values[5] == 1)[4]


def attacks(host):
    """Half-open sockets, slow heads and floods: the player answers meanwhile, and memory stays flat. Illegal frames are in panel_attacks.py."""
    def memory():
        return int(Path(f"/proc/{host.running.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    client, _ = host.connect()
    start = memory()
    crowd = []
    for number in range(200):
        with contextlib.suppress(OSError):
            crowd.append(socket.create_connection(("127.0.0.1", host.port), timeout=PATIENCE))
            crowd[-1].sendall(b"GET / HTTP/1.1\r\nX" if number % 2 else b"")
    assert get(client, "now/title") == ["Two tones"]
    for each in crowd:
        each.close()

    def gets_in():
        with contextlib.suppress(OSError, websocket.WebSocketException):
            host.connect()[0].close()
            return True

    until("a WebSocket cannot be opened after others have left", gets_in, step=0.05)
    begin = time.monotonic()
    for number in range(10_000):
        send(client, "layer/1/gain/norm", number % 100 / 100)
    send(client, "sync", 7)
    wait(client, "synced")
    print(f"figure: 10000 fader moves in {time.monotonic() - begin:.2f} s")
    send(client, "layer/1/reset", 1)
    for size in (1, 3, 4, 1000, 60_000):
        client.send_binary(os.urandom(size))
    assert get(client, "now/title") == ["Two tones"]
    # A key that is wrong, five times.
    for _ in range(5):
        host.connect({"key": "nonsense"}, host=f"studio.test:{host.port}")
    try:
        host.connect({"key": "nonsense"}, host=f"studio.test:{host.port}")
        raise AssertionError("a sixth attempt is answered")
    except websocket.WebSocketBadStatusException as error:
        assert error.status_code == 429, error
    assert get(client, "now/title") == ["Two tones"]
    client.close()
    grown = (memory() - start) / 1e6
    print(f"figure: {grown:.1f} MB more in memory after attacks on the panel")
    assert grown < 32, grown


def in_page(browser, page, host):
    controls(browser, page, host, get)
    states(browser, host)
    lists(page, host)
    bookmarks(page, host, get, send)
    wait_for_end = asleep(host)
    watcher, _ = host.connect()
    keys(page)
    hidden(page)
    still(browser, host)
    fingers(browser, host, watcher, get)
    other_version(browser, host)
    incomplete(browser, host)
    late(browser, host)
    crowded(browser, host)
    revoked(browser, host)
    wait_for_end()


def main(program):
    folder = Path(tempfile.mkdtemp(prefix="binaural-panel-"))
    try:
        (folder / "two.yaml").write_text(PATCH)
        (folder / "other.yaml").write_text("title: Other\nlayers:\n  - {name: snow, noise: {color: white}, gain: -40}\n")
        host = Host(program, folder, "--web", "auto", "--web-listen", "0.0.0.0", "--web-host", "studio.test")
        over_websocket(host)
        pairing(host)
        in_browser(host, lambda browser, page: in_page(browser, page, host))
        in_firefox(host)
        attacks(host)
        host.end()
        assert "start binaural with --web-listen" in host.web("pair", code=69), "the links of an instance that has ended are shown"
        # Without options the panel is off; with the preference it is on.
        (folder / "binaural").mkdir(exist_ok=True)
        (folder / "binaural/preferences.yaml").write_text("web: auto\n")
        host = Host(program, folder, "--paused")
        assert host.get("/")[0] == 200
        host.end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
