"""The program with its panel, and OSC over its WebSocket."""
import contextlib
import http.client
import json
import os
import queue
import signal
import socket
import subprocess
import threading

import websocket
from pythonosc.osc_bundle import OscBundle
from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import build_msg
from servers import PATIENCE, Running

NAME = os.environ.get("CLIENT_NAME", "binaural")
PATCH = ("title: Two tones\nduration: 600\nlayers:\n  - {name: tone, tone: {carrier: 440}, gain: -12}\n"
         "  - {name: bed, binaural: {carrier: 200, beat: 10}, gain: -30}\n"
         "chapters:\n  - {at: 0, title: Begin}\n  - {at: 300, title: Later}\n")
OTHER = "title: Other\nlayers:\n  - {name: snow, noise: {color: white}, gain: -40}\n"


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

    def connect_asleep(self, first=None, **more):
        """A WebSocket that answers a ping only while somebody reads from it, and the first text of the server."""
        client = websocket.create_connection(f"ws://127.0.0.1:{self.port}/osc", timeout=PATIENCE, **{"suppress_origin": True, **more})
        if first:
            client.send(json.dumps(first))
        return client, json.loads(client.recv())

    def connect(self, first=None, **more):
        """A client, and the first text of the server."""
        connection, answer = self.connect_asleep(first, **more)
        return Client(connection), answer

    @contextlib.contextmanager
    def client(self):
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
        assert self.running.ends() == 0, self.running.lines[-10:]


class Client:
    """A WebSocket whose frames are read as they come: it answers its pings in time, however long a busy machine keeps the test elsewhere."""

    def __init__(self, connection):
        self.connection, self.frames = connection, queue.SimpleQueue()
        self.send_binary = connection.send_binary
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        kind = None
        with contextlib.suppress(OSError, websocket.WebSocketException):
            while kind != websocket.ABNF.OPCODE_CLOSE:
                kind, data = frame = self.connection.recv_data(control_frame=True)
                self.frames.put(frame)
        self.frames.put((websocket.ABNF.OPCODE_CLOSE, b""))

    def recv_data(self):
        """The kind and the data of its next frame, also of a ping; the last one closes it."""
        return self.frames.get(timeout=PATIENCE)

    def close(self):
        with contextlib.suppress(OSError, websocket.WebSocketException):
            self.connection.send_close()
        self.reader.join(PATIENCE)
        self.connection.shutdown()

    def vanish(self):
        """Ends the connection without a word."""
        self.connection.sock.shutdown(socket.SHUT_RDWR)


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


def sounding(host):
    """Waits until everything that the program was asked for has reached the sound."""
    with host.client() as client:
        send(client, "sync", 1)
        wait(client, "synced")
