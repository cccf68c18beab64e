"""An OSC peer on a Unix datagram socket, with only Python's standard library.

unix_peer.py SERVER [OWN]: sends from OWN, a path or "" for a name without a file; without it, from a socket that has no name.
In:  [address, [type, value], ...]      types i f s
Out: {"ready": true}, {"received": address, "args": [...]}, {"failed": errno name}
"""
import errno
import json
import os
import socket
import struct
import sys
import threading


def padded(text):
    data = text.encode() + b"\0"
    return data + bytes(-len(data) % 4)


def encode(address, arguments):
    data = padded(address) + padded("," + "".join(kind for kind, _ in arguments))
    for kind, value in arguments:
        data += padded(value) if kind == "s" else struct.pack(">" + kind, value)
    return data


def string(data, at):
    end = data.index(b"\0", at)
    return data[at:end].decode(), at + (end - at) // 4 * 4 + 4


def messages(data):
    if data.startswith(b"#bundle\0"):
        at = 16
        while at < len(data):
            (size,) = struct.unpack_from(">i", data, at)
            yield from messages(data[at + 4 : at + 4 + size])
            at += 4 + size
        return
    address, at = string(data, 0)
    tags, at = string(data, at)
    values = []
    for tag in tags[1:]:
        if tag == "s":
            value, at = string(data, at)
        else:
            size = {"i": 4, "f": 4, "h": 8, "t": 8}[tag]
            (value,) = struct.unpack_from(">" + tag.replace("h", "q").replace("t", "Q"), data, at)
            at += size
        values.append(value)
    yield address, values


def print_event(**event):
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def listen(peer):
    while True:
        for address, values in messages(peer.recv(65536)):
            print_event(received=address, args=values)


peer = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
if len(sys.argv) > 2:
    peer.bind(sys.argv[2])
    threading.Thread(target=listen, args=(peer,), daemon=True).start()
print_event(ready=True)
for line in sys.stdin:
    address, *arguments = json.loads(line)
    try:
        peer.sendto(encode(address, arguments), sys.argv[1])
    except OSError as error:
        print_event(failed=errno.errorcode[error.errno])
os._exit(0)
