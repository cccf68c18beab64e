"""Frames of every kind on WebSockets of the panel: legal ones are answered as RFC 6455 says, and at an illegal one the WebSocket ends.

An illegal frame carries a command, which must have no effect. A legal ping and another command follow it; neither may be answered. The program ends
the connection by itself: the client does not close it.
"""
import struct
import time

from pythonosc.osc_message_builder import OscMessageBuilder, build_msg
from raw_client import Client, masked

# Seconds in which the program has to answer or to close; it takes milliseconds.
BOUND = 20
# Seconds after which a client is gone that has sent a part of a frame and answers no ping.
SILENCE = 20
MALFORMED, NOT_TEXT, TOO_LARGE = 1002, 1007, 1009
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
LARGEST, FRAGMENTS = 65_507, 64
# It would change what can be read of the silent layer.
COMMAND = build_msg("/binaural/layer/4/carrier", [777.0]).dgram
CARRIER = 440.0
STILL = masked(0x80 | PING, b"still there")


def unmasked(first, payload, length=None):
    return bytes([first]) + (length or bytes([len(payload)])) + payload


def code(number, reason=b""):
    return struct.pack(">H", number) + reason


def first_bytes():
    """Frames with every first byte: name, frame, and the codes with which it may be refused."""
    for first in range(256):
        opcode, is_final, is_reserved = first & 15, first & 0x80, first & 0x70
        is_legal = not is_reserved and (opcode in (TEXT, BINARY) or is_final and opcode in (CLOSE, PING, PONG))
        if not is_legal:
            yield f"first byte {first:#x}", masked(first, COMMAND), {MALFORMED}
        yield f"first byte {first:#x} without a mask", unmasked(first, COMMAND), {MALFORMED}


def lengths():
    for first in (0x81, 0x82, 0x01, 0x89):
        # It may be refused as too large before its length is known to be wrong.
        for length in (b"\xff" * 8, b"\x7f" + b"\xff" * 7, b"\x80" + bytes(7), struct.pack(">Q", 70_000)):
            codes = {MALFORMED, TOO_LARGE} if first == 0x89 or length[0] >= 0x80 else {TOO_LARGE}
            yield f"length {length.hex()} of {first:#x}", bytes([first, 0xFF]) + length + b"mask", codes
    for length in (LARGEST + 1, 65_535):
        yield f"length {length}", b"\x82\xfe" + struct.pack(">H", length) + b"mask", {TOO_LARGE}
    long = COMMAND.ljust(200, b"\0")
    for first in (0x81, 0x82, 0x89, 0x88):
        for name, payload, length in (("two bytes for a length of one", COMMAND, b"\x7e" + struct.pack(">H", len(COMMAND))),
                                      ("eight bytes for a length of one", COMMAND, b"\x7f" + struct.pack(">Q", len(COMMAND))),
                                      ("eight bytes for a length of two", long, b"\x7f" + struct.pack(">Q", len(long)))):
            yield f"{name} of {first:#x}", masked(first, payload, length), {MALFORMED}
    for first in (0x88, 0x89, 0x8A):
        yield f"126 bytes in {first:#x}", masked(first, bytes(126)), {MALFORMED}


def messages():
    """Illegal sequences of frames, and illegal contents."""
    yield "a message in the middle of another", masked(TEXT, b"a") + masked(0x80 | BINARY, COMMAND), {MALFORMED}
    yield "another's fragment in the middle of a message", masked(BINARY, COMMAND[:8]) + masked(BINARY, COMMAND[8:]), {MALFORMED}
    yield "an end without a beginning", masked(0x80 | CONTINUATION, COMMAND), {MALFORMED}
    yield "an end after the end", masked(TEXT, b"a") + masked(0x80, b"b") + masked(0x80, COMMAND), {MALFORMED}
    yield "too many fragments", masked(BINARY, COMMAND) + masked(CONTINUATION, b"") * FRAGMENTS + masked(0x80, b""), {TOO_LARGE}
    yield "too large together", masked(BINARY, bytes(40_000)) + masked(0x80, bytes(40_000)), {TOO_LARGE}
    for name, text in (("a lone byte", b"\xff\xfe"), ("a surrogate", b"\xed\xa0\x80"), ("an overlong slash", b"\xc0\xaf"), ("half a letter", b"a\xc3")):
        yield f"a text with {name}", masked(0x80 | TEXT, text), {NOT_TEXT}
    yield "a text with a lone byte in its second fragment", masked(TEXT, b"a") + masked(0x80, b"\xff"), {NOT_TEXT}
    yield "half a code", masked(0x80 | CLOSE, b"\x03"), {MALFORMED}
    for number in (0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2999, 5000, 65_535):
        yield f"the code {number}", masked(0x80 | CLOSE, code(number)), {MALFORMED}
    yield "a reason that is not a text", masked(0x80 | CLOSE, code(1000, b"\xff")), {NOT_TEXT}


def pong_of(token, boot):
    builder = OscMessageBuilder("/binaural/pong")
    builder.add_arg(token, "i")
    builder.add_arg(boot, "h")
    return builder.build().dgram


def legal(boot):
    """Legal frames, and the frames of the answers. What closes comes last.

    - boot: the boot id of the program.
    """
    ping, pong = masked(0x80 | PING, b"?"), (0x80 | PONG, b"?")
    command = build_msg("/binaural/ping", [5]).dgram
    answer = (0x80 | BINARY, pong_of(5, boot))
    yield "a command", masked(0x80 | BINARY, command), [answer]
    yield "a command in fragments, with a ping between them", masked(BINARY, command[:9]) + ping + masked(CONTINUATION, b"") + masked(0x80, command[9:]), [
        pong, answer]
    yield "as many fragments as are allowed", masked(BINARY, command) + masked(CONTINUATION, b"") * (FRAGMENTS - 2) + masked(0x80, b""), [answer]
    bundle = b"#bundle\0" + struct.pack(">Q", 1) + (struct.pack(">I", len(command)) + command) * 6
    yield "a bundle whose length has two bytes", masked(0x80 | BINARY, bundle), [answer] * 6
    yield "an empty ping", masked(0x80 | PING, b""), [(0x80 | PONG, b"")]
    yield "the longest ping", masked(0x80 | PING, bytes(range(125))), [(0x80 | PONG, bytes(range(125)))]
    yield "a pong that nobody asked for", masked(0x80 | PONG, b"!"), []
    yield "a text", masked(0x80 | TEXT, "ö".encode()), []
    yield "a text that is cut within a letter", masked(TEXT, b"\xc3") + masked(0x80, b"\xb6"), []
    yield "a message that is not complete yet", masked(BINARY, COMMAND[:8]), []
    for closing in (b"", code(1000), code(1001, b"going"), code(1003), code(1007), code(1011), code(1014), code(3000), code(4999, b"x" * 123)):
        yield f"a close frame {closing[:8].hex()}", masked(0x80 | CLOSE, closing), closing[:2]


def opened(program):
    client = Client.upgraded(program.panel_port)
    assert client.status == 101, client.status
    client.socket.settimeout(BOUND)
    first, _ = client.frame()
    assert first == 0x80 | TEXT, first
    return client


def frames(program, peer):
    """- Returns: a sentence for the figures."""
    assert peer.code("layer/4/carrier", CARRIER) == 0
    slowest, count = 0.0, 0
    for name, data, codes in (*first_bytes(), *lengths(), *messages()):
        client = opened(program)
        begin = time.monotonic()
        client.socket.sendall(data + STILL + masked(0x80 | BINARY, COMMAND))
        found = client.frames()
        slowest = max(slowest, time.monotonic() - begin)
        client.socket.close()
        assert len(found) == 1 and found[0][0] == 0x80 | CLOSE and len(found[0][1]) == 2, (name, found)
        assert struct.unpack(">H", found[0][1])[0] in codes, (name, found)
        count += 1
    for name, data, wanted in legal(peer.get("info")[5]):
        client = opened(program)
        client.socket.sendall(data + STILL)
        if isinstance(wanted, bytes):
            # The ping behind it is ignored.
            assert client.frames() == [(0x80 | CLOSE, wanted)], name
            continue
        found = []
        while (frame := client.frame()) != (0x80 | PONG, b"still there"):
            found.append(frame)
        # The program answers commands on another thread than pings.
        while len(found) < len(wanted):
            found.append(client.frame())
        assert sorted(found) == sorted(wanted), (name, found)
        client.socket.close()
    assert peer.get("layer/4/carrier") == [CARRIER], "a command in an illegal frame was carried out"
    print(f"figure: the slowest answer to an illegal frame took {slowest * 1000:.0f} ms")
    return f"{count} frames of illegal kinds"


def cut_short(program):
    """Clients that stop in the middle of a frame, and answer no ping: they are disconnected.

    - Returns: a function that waits for that.
    """
    whole = masked(0x80 | BINARY, COMMAND.ljust(200, b"\0"))
    clients = []
    for count in (1, 2, 3, 6, 8, 100):
        client = opened(program)
        client.socket.sendall(whole[:count])
        clients.append(client)
    begin = time.monotonic()

    def wait_for_end():
        for client in clients:
            client.socket.settimeout(max(1, begin + 2 * SILENCE - time.monotonic()))
            found = client.frames()
            assert found and all(frame == (0x80 | PING, b"") for frame in found), found
            client.socket.close()

    return wait_for_end
