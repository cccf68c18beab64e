"""The program with OSCQuery, its clients, and checks of its state."""
import contextlib
import http.client
import json
import os
import signal
import socket
from pathlib import Path

import websocket
from pythonosc.osc_message import OscMessage

from patience import PATIENCE
from servers import Running, until
import peer
from wire import ROOT, full

NAME = os.environ.get("CLIENT_NAME", "binaural")


class Peer(peer.Peer):
    def get(self, address):
        """The answer of an address; None for an error."""
        path = address.removeprefix(ROOT)
        for received in self.answers(path):
            if received.path == path:
                return received.values
            if received.path == "error" and received.values[0] == full(path):
                return None
        raise peer.Missing(f"no answer of {address}")


class Host:
    """A running program with OSCQuery."""

    def __init__(self, program, folder, *options):
        self.program, self.folder = program, folder
        self.environment = dict(os.environ, HOME=str(folder))
        for each in ("CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME", "RUNTIME_DIR"):
            self.environment[f"XDG_{each}"] = str(folder)
        self.running = Running(program, "play", *self.arguments(*options), env=self.environment)
        line = self.running.line(lambda line: line.startswith("OSCQuery: "))
        self.port = int(line.split(":")[3].rstrip("/"))
        assert line == f"OSCQuery: http://127.0.0.1:{self.port}/"
        self.peer = Peer(self.json("/?HOST_INFO")["OSC_PORT"])

    def arguments(self, *options, name=NAME):
        return ["--osc-port", "auto", "--connect", "none", "--client-name", name, *map(str, options)]

    def ask(self, path, method="GET", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read()

    def json(self, path):
        status, body = self.ask(path)
        assert status == 200, (path, status, body)
        return json.loads(body)

    def listen(self, *addresses):
        client = websocket.create_connection(f"ws://127.0.0.1:{self.port}/", timeout=PATIENCE)
        for address in addresses:
            client.send(json.dumps({"COMMAND": "LISTEN", "DATA": address}))
        return client

    def raw(self, data=b""):
        client = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        client.sendall(data)
        return client

    def end(self):
        self.running.process.send_signal(signal.SIGTERM)
        assert self.running.ends() == 0, self.running.lines[-10:]


def nodes(node):
    yield node
    for child in node.get("CONTENTS", {}).values():
        yield from nodes(child)


def everything(client):
    """The answer of a connection up to its end."""
    data = b""
    with contextlib.suppress(ConnectionError):
        while part := client.recv(65536):
            data += part
    return data


def value(client, address, condition=lambda arguments: True):
    """The next value of an address on a WebSocket that satisfies the condition."""
    while True:
        kind, data = client.recv_data()
        if kind == websocket.ABNF.OPCODE_BINARY and (message := OscMessage(data)).address == address and condition(list(message)):
            return list(message)


def goes_on(host, what):
    """Checks that the sound advances, and OSC and OSCQuery answer."""
    host.peer.sync()
    before = host.peer.get("/binaural/now/tick")
    until(f"the sound stands still after {what}", lambda: host.peer.get("/binaural/now/tick") != before)
    until(f"OSCQuery is silent after {what}", lambda: answers(host))
    assert host.running.process.poll() is None


def answers(host):
    with contextlib.suppress(OSError, http.client.HTTPException):
        return host.ask("/?HOST_INFO")[0] == 200


def memory(host):
    """The memory of the program in bytes."""
    return int(Path(f"/proc/{host.running.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def descriptors(host):
    return len(os.listdir(f"/proc/{host.running.process.pid}/fd"))
