"""Prints the chapters and details of a WAV file: cue points, their labels, title, artist and comment, and whether its chunks
fill it to the end."""

import struct
import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
at, cues, labels, info = 12, {}, {}, {}
while at + 8 <= len(data):
    name, size = data[at : at + 4], struct.unpack("<I", data[at + 4 : at + 8])[0]
    body = data[at + 8 : at + 8 + size]
    if name == b"cue ":
        count = struct.unpack("<I", body[:4])[0]
        for k in range(count):
            number, _, chunk, _, _, frame = struct.unpack("<II4sIII", body[4 + 24 * k : 28 + 24 * k])
            cues[number] = (chunk.decode(), frame)
    if name == b"LIST":
        inner = 4
        while inner + 8 <= len(body):
            kind, length = body[inner : inner + 4], struct.unpack("<I", body[inner + 4 : inner + 8])[0]
            text = body[inner + 8 : inner + 8 + length]
            if body[:4] == b"adtl":
                labels[struct.unpack("<I", text[:4])[0]] = text[4:].split(b"\0")[0].decode()
            else:
                info[kind.decode()] = text.split(b"\0")[0].decode()
            inner += 8 + length + length % 2
    at += 8 + size + size % 2
print(cues)
print(labels)
print([info[k] for k in ("INAM", "IART", "ICMT")])
print(at == len(data))
