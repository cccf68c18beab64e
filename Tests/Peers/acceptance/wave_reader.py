"""WAV files as read by Python: a line of JSON for each file named as an argument, or on standard input.

    "wave": what its module wave says of it, [channels, bytes a sample, sample rate, frames] or the error;
    "plain": the same of the file with 1 (WAVE_FORMAT_PCM) as its format, which is all that the module knew before Python 3.12;
    "cues": the frame and the label of each cue point; "isFilled": its chunks follow each other up to its end.
"""

import io
import json
import struct
import sys
import wave


class Patched(io.FileIO):
    """A file whose format code, two bytes at `place`, reads as 1."""

    def __init__(self, path, place):
        super().__init__(path)
        self.place = place

    def read(self, size=-1):
        start = self.tell()
        data = bytearray(super().read(size))
        for offset, byte in ((self.place, 1), (self.place + 1, 0)):
            if 0 <= offset - start < len(data):
                data[offset - start] = byte
        return bytes(data)


def parameters(file):
    try:
        with wave.open(file) as reader:
            return [reader.getnchannels(), reader.getsampwidth(), reader.getframerate(), reader.getnframes()]
    except (wave.Error, EOFError) as error:
        return str(error)


def chunks(file):
    """Name, place of the content and size of each chunk; those of RF64 have their size in the chunk ds64."""
    file.seek(0, io.SEEK_END)
    end, at, sizes = file.tell(), 12, {}
    while at + 8 <= end:
        file.seek(at)
        name, size = struct.unpack("<4sI", file.read(8))
        if name == b"ds64":
            sizes[b"data"] = struct.unpack("<QQQ", file.read(24))[1]
        if size == 0xFFFFFFFF:
            size = sizes[name]
        yield name, at + 8, size
        at += 8 + size + size % 2
    yield None, at, end - at


def read(path):
    format_at, cues, labels, rest = 0, {}, {}, None
    with open(path, "rb") as file:
        for name, at, size in chunks(file):
            file.seek(at)
            if name == b"fmt ":
                format_at = at
            elif name == b"cue ":
                for place in range(struct.unpack("<I", file.read(4))[0]):
                    number, _, chunk, _, _, frame = struct.unpack("<II4sIII", file.read(24))
                    assert chunk == b"data" and number == place + 1
                    cues[number] = frame
            elif name == b"LIST" and file.read(4) == b"adtl":
                inner = at + 4
                while inner < at + size:
                    file.seek(inner)
                    kind, length, number = struct.unpack("<4sII", file.read(12))
                    assert kind == b"labl", f"{path}: {kind}"
                    text, _, filling = file.read(length - 4).partition(b"\0")
                    assert not filling.strip(b"\0")
                    labels[number] = text.decode()
                    inner += 8 + length + length % 2
                assert inner == at + size
            elif name is None:
                rest = size
    return {"wave": parameters(path), "plain": parameters(Patched(path, format_at)), "isFilled": rest == 0,
            "cues": [[cues[number], labels[number]] for number in sorted(cues)]}


for name in sys.argv[1:] or sys.stdin.read().split("\n"):
    if name:
        print(json.dumps(read(name)))
