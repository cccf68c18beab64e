"""Packets as they are on the wire. liblo takes timed bundles apart before it hands them out."""
import socket
import struct
import time

NTP_TO_UNIX = 2208988800
ROOT = "/binaural/"


def text(value):
    data = value.encode() + b"\0"
    return data + bytes(-len(data) % 4)


def message(path, *texts):
    return text(path if path.startswith("/") else ROOT + path) + text("," + "s" * len(texts)) + b"".join(text(t) for t in texts)


def unpack(data):
    """Time tag in unix seconds, 0 for none, and the addresses of a packet without nested bundles."""
    def address(element):
        return element[:element.index(0)].decode().removeprefix(ROOT)
    if not data.startswith(b"#bundle\0"):
        return 0.0, [address(data)]
    seconds, fraction = struct.unpack_from(">II", data, 8)
    addresses, place = [], 16
    while place < len(data):
        size = struct.unpack_from(">i", data, place)[0]
        addresses.append(address(data[place + 4:place + 4 + size]))
        place += 4 + size
    return (seconds - NTP_TO_UNIX + fraction / 2**32 if seconds else 0.0), addresses


class Listener:
    """Subscribes, and keeps whole packets."""

    def __init__(self, port, *topics):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
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

    def until(self, is_last, patience=30):
        """Packets up to one with the expected tag and addresses."""
        self.socket.settimeout(patience)
        found = []
        while not found or not is_last(*unpack(found[-1])):
            found.append(self.socket.recv(65536))
        return found

    def close(self):
        self.socket.close()


def contents(data):
    """Address to values of a packet: ints, floats, texts."""
    elements = [data]
    if data.startswith(b"#bundle\0"):
        elements, place = [], 16
        while place < len(data):
            size = struct.unpack_from(">i", data, place)[0]
            elements.append(data[place + 4:place + 4 + size])
            place += 4 + size
    found = {}
    for element in elements:
        address, place = string(element, 0)
        types, place = string(element, place)
        values = []
        for kind in types[1:]:
            if kind == "s":
                value, place = string(element, place)
            else:
                form = {"i": ">i", "f": ">f", "h": ">q", "t": ">Q"}[kind]
                value = struct.unpack_from(form, element, place)[0]
                place += struct.calcsize(form)
            values.append(value)
        found[address.removeprefix(ROOT)] = values
    return found


def string(data, place):
    end = data.index(0, place)
    return data[place:end].decode(), (end + 4) // 4 * 4


def wait_for(each, is_it, patience=30):
    end = time.monotonic() + patience
    while True:
        each.settimeout(max(0.01, end - time.monotonic()))
        data = each.recv(65536)
        if is_it(data):
            return data
