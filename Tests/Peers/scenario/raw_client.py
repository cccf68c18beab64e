"""A client of the panel on a raw socket, which sends only what a test says."""
import contextlib
import itertools
import socket
import struct
import time

from patience import PATIENCE, note

HANDSHAKE = ("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")
# Each client has an address of its own, so that no limit of an address hides what comes after it.
addresses = itertools.cycle(f"127.0.{high}.{low}" for high in range(1, 200) for low in range(1, 255))


class Client:
    """A client on a raw socket."""

    def __init__(self, port, data=b"", address=None):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE, (address or next(addresses), 0))
        self.socket.sendall(data)

    @classmethod
    def upgraded(cls, port, host="localhost", origin=None, address=None):
        """It has asked for a WebSocket; `status` is the answer's."""
        made = cls(port, head("/osc", host, origin, HANDSHAKE), address)
        made.status = made.answer()
        return made

    def answer(self):
        """The status of the answer, 0 if there is none; its head has been read."""
        data = b""
        with contextlib.suppress(OSError):
            while b"\r\n\r\n" not in data:
                part = self._receive(1)
                if not part:
                    break
                data += part
        return int(data.split()[1]) if data else 0

    def rest(self):
        """Everything up to the end of the connection."""
        data = b""
        with contextlib.suppress(ConnectionError):
            while part := self._receive(65_536):
                data += part
        self.socket.close()
        return data

    def frame(self):
        """The next frame: its first byte and its payload."""
        first, length = self._exactly(2)
        return first, self._exactly(length if length < 126 else struct.unpack(">H", self._exactly(2))[0])

    def frames(self):
        """The remaining frames, up to the end of the connection."""
        found = []
        with contextlib.suppress(ConnectionError):
            while True:
                found.append(self.frame())
        return found

    def _exactly(self, count):
        data = b""
        while len(data) < count:
            part = self._receive(count - len(data))
            if not part:
                raise ConnectionError("the connection is over")
            data += part
        return data

    def _receive(self, count):
        began = time.monotonic()
        try:
            return self.socket.recv(count)
        finally:
            note(began)


def head(path, host, origin=None, more=""):
    return (f"GET {path} HTTP/1.1\r\nHost: {host}\r\n" + (f"Origin: {origin}\r\n" if origin else "") + more + "\r\n").encode()


MASK = b"\x1f\x2e\x3d\x4c"


def masked(first, payload, length=None):
    """A frame as a client sends it.

    - length: the bytes of its length, the shortest ones by default.
    """
    if length is None:
        length = bytes([len(payload)]) if len(payload) < 126 else b"\x7e" + struct.pack(">H", len(payload))
    return bytes([first, 0x80 | length[0]]) + length[1:] + MASK + bytes(byte ^ MASK[place % 4] for place, byte in enumerate(payload))
