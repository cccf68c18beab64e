"""OSC packets as they are on the wire, encoded and decoded here. liblo takes timed bundles apart before it hands them out."""
import contextlib
import socket
import struct
import time
from pathlib import Path

from patience import PATIENCE, note

NTP_TO_UNIX = 2208988800
ROOT = "/binaural/"
# For programs that are started with `-c` and import this module.
FOLDER = str(Path(__file__).parent)
FORMS = {"i": ">i", "f": ">f", "h": ">q", "t": ">Q", "d": ">d"}


def full(path):
    return path if path.startswith("/") else ROOT + path


def typed(value):
    """The type tag that a plain Python value goes out with, and the value; a pair names its own."""
    if isinstance(value, tuple):
        return value
    if isinstance(value, bool):
        return "TF"[not value], value
    return {int: "i", float: "f", str: "s", bytes: "b"}[type(value)], value


# Out

def padded(data):
    return data + bytes(-len(data) % 4)


def text(value):
    return padded(value.encode() + b"\0")


def argument(kind, value):
    if kind == "s":
        return text(value)
    if kind == "b":
        return struct.pack(">i", len(value)) + padded(value)
    return struct.pack(FORMS[kind], value) if kind in FORMS else b""


def message(path, *values):
    """A message with Python values, or pairs of a type tag and a value."""
    pairs = [typed(value) for value in values]
    return text(full(path)) + text("," + "".join(kind for kind, _ in pairs)) + b"".join(argument(*pair) for pair in pairs)


def bundle(*packets, tag=1):
    """Packets in a bundle; the time tag 1 means at once."""
    return b"#bundle\0" + struct.pack(">Q", tag) + b"".join(struct.pack(">i", len(packet)) + packet for packet in packets)


USELESS = ("now/title", "layer/1/beat", "status", "repeat", "layer/*/gain", "undo/depth")


def useless(dice):
    """A packet of a flood: one that is malformed or refused, or a question whose answer nobody reads."""
    kind = dice.randrange(6)
    if kind == 0:
        return dice.randbytes(dice.randrange(1, 120))
    if kind == 1:
        return b"/*?*?*?*?*?*?*?*?*?#\0\0\0\0,\0\0\0"
    if kind == 2:
        return message("master/gain", float("nan"))
    if kind == 3:
        return (b"#bundle\0" + bytes(7) + b"\1" + b"\0\0\0\x10") * dice.randrange(1, 30)
    if kind == 4:
        return message("nowhere", 1)
    return message(dice.choice(USELESS))


# In

def elements(data):
    """The messages of a packet, out of their bundles."""
    if not data.startswith(b"#bundle\0"):
        yield data
        return
    place = 16
    while place < len(data):
        size = struct.unpack_from(">i", data, place)[0]
        yield from elements(data[place + 4:place + 4 + size])
        place += 4 + size


def string(data, place):
    end = data.index(0, place)
    return data[place:end].decode(), (end + 4) // 4 * 4


def decode(data):
    """The address, with its root, and the values of each message of a packet: numbers and texts."""
    for element in elements(data):
        address, place = string(element, 0)
        types, place = string(element, place)
        values = []
        for kind in types[1:]:
            if kind == "s":
                value, place = string(element, place)
            else:
                value = struct.unpack_from(FORMS[kind], element, place)[0]
                place += struct.calcsize(FORMS[kind])
            values.append(value)
        yield address, values


def contents(data):
    """Values by the addresses of a packet, without their root."""
    return {address.removeprefix(ROOT): values for address, values in decode(data)}


def unpack(data):
    """Time tag in Unix seconds, 0 for none, and the addresses of a packet."""
    seconds, fraction = struct.unpack_from(">II", data, 8) if data.startswith(b"#bundle\0") else (0, 0)
    addresses = [string(element, 0)[0].removeprefix(ROOT) for element in elements(data)]
    return (seconds - NTP_TO_UNIX + fraction / 2**32 if seconds else 0.0), addresses


# Python has no name for it.
SO_RCVBUFFORCE = 33


def give_room(receiver):
    """Lets a socket hold what comes in a minute: the kernel drops packets that a busy machine does not read in two seconds. Only root may."""
    with contextlib.suppress(PermissionError):
        receiver.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 23)


class Listener:
    """Subscribes, and keeps whole packets."""

    def __init__(self, port, *topics):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        give_room(self.socket)
        self.socket.connect(("127.0.0.1", port))
        for topic in topics:
            self.socket.send(message("subscribe", topic))

    def packets(self, seconds):
        """The packets received within the time."""
        end = time.monotonic() + seconds
        found = []
        while (left := end - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                found.append(self.socket.recv(65536))
            except TimeoutError:
                break
        return found

    def until(self, is_last):
        """Packets up to one with the expected tag and addresses."""
        found = []
        wait_for(self.socket, lambda data: (found.append(data), is_last(*unpack(data)))[1])
        return found

    def close(self):
        self.socket.close()


def wait_for(each, is_it):
    """The first packet of a socket that is it."""
    began = time.monotonic()
    try:
        while True:
            each.settimeout(max(0.01, began + PATIENCE - time.monotonic()))
            data = each.recv(65536)
            if is_it(data):
                return data
    finally:
        note(began)
