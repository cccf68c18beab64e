"""Bytes, frames and clients that OSCQuery does not support: each has an answer or none, and the program is unaffected."""
import contextlib
import socket
import struct
import threading

import websocket
from query_host import descriptors, everything, goes_on, memory, nodes, value

from servers import dice, until

# WebSockets, and connections, that the program has at most.
LIMIT = 16
HANDSHAKE = b"\r\n".join([
    b"GET / HTTP/1.1", b"Host: localhost", b"Upgrade: websocket", b"Connection: Upgrade", b"Sec-WebSocket-Version: 13",
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", b"", b""])


def bad_input(host):
    """Runs all of them in turn while the program plays."""
    host.peer.send("play", 1), host.peer.sync()
    start, open_at_first = memory(host), descriptors(host)
    chance = dice(4)
    for length in (1, 10, 100, 1000, 8191, 8192, 100_000):
        for end in (b"", b"\r\n\r\n"):
            # It may have been closed before it has sent everything.
            with contextlib.suppress(OSError):
                client = host.raw(chance.randbytes(length) + end)
                client.shutdown(socket.SHUT_WR)
                assert b"200 OK" not in everything(client)
    goes_on(host, "garbage")

    refusals = 0
    for head in (b"GET / HTTP/1.1\r\nX: " + b"x" * 10_000_000, b"G" * 10_000_000, b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 1_000_000):
        client = host.raw()
        sender = threading.Thread(target=send, args=(client, head), daemon=True)
        sender.start()
        answer = everything(client)
        # A method of ten million letters is refused at its second one.
        assert answer.startswith((b"HTTP/1.1 431", b"HTTP/1.1 405")) or answer == b"", answer[:100]
        refusals += answer != b""
        sender.join()
    # A connection that is closed while more arrives may lose its last answer, but not always.
    assert refusals > 0
    goes_on(host, "huge headers")

    def refused(frames):
        """The close code of a WebSocket."""
        client = host.listen()
        with contextlib.suppress(ConnectionError):
            client.sock.sendall(frames)
        kind, data = client.recv_data(control_frame=True)
        assert kind == websocket.ABNF.OPCODE_CLOSE, (kind, data)
        client.shutdown()
        return struct.unpack(">H", data)[0]

    assert refused(b"\x81\xff" + struct.pack(">Q", 2**63 - 1) + b"mask" + b"x" * 1000) == 1009
    assert refused(b"\x82\xff" + struct.pack(">Q", 100_000) + b"mask") == 1009
    assert refused((b"\x01\xfe\x10\x00mask" + b"x" * 4096) + (b"\x80\xfe\x10\x00mask" + b"x" * 4096)) == 1009
    assert refused(b"\x81\x05hello") == 1002 and refused(b"\xf1\x80mask") == 1002 and refused(b"\x80\x80mask") == 1002
    assert refused(b"\x81\x82\0\0\0\0\xff\xff") == 1007
    goes_on(host, "bad frames")

    crowd = []
    for _ in range(100):
        with contextlib.suppress(OSError):
            crowd.append(host.raw())
    # OSC does not wait for them.
    host.peer.sync()
    # A refused client has a second to read why.
    until(lambda: f"{descriptors(host) - open_at_first} more descriptors", lambda: descriptors(host) - open_at_first <= LIMIT + 4)
    for client in crowd:
        client.close()
    goes_on(host, "100 connections")
    crowd = []

    def gets_in():
        with contextlib.suppress(OSError, websocket.WebSocketException):
            crowd.append(host.listen())
            return True

    # The places of those that have just left are free at some time.
    for _ in range(LIMIT):
        until("a place is not free again", gets_in)
    assert not gets_in(), f"more than {LIMIT} WebSockets are open"
    for client in crowd:
        client.shutdown()
    until("those that have left keep their places", lambda: descriptors(host) <= open_at_first)
    goes_on(host, f"{LIMIT} WebSockets")

    # One that requests everything and reads nothing, one that listens to everything and reads nothing, one that never ends its request.
    addresses = [node["FULL_PATH"] for node in nodes(host.json("/")) if "VALUE" in node]
    deaf = [host.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 400), host.listen(*addresses), host.raw(b"GET / HTTP/1.1\r\nX:")]
    with contextlib.suppress(OSError):
        deaf[1].sock.settimeout(0.2)
        while True:
            deaf[1].sock.sendall(b"\x89\xfdmask" + b"p" * 125)
    other = host.listen("/binaural/layer/1/beat")
    for step in range(200):
        host.peer.send("layer/1/beat", 5 + step / 100)
    assert value(other, "/binaural/layer/1/beat", lambda received: abs(received[0] - 6.99) < 1e-4)
    other.close()
    goes_on(host, "clients that read nothing")
    for client in deaf[:1] + deaf[2:]:
        with contextlib.suppress(OSError):
            while client.recv(65536):
                pass
    until("what is deaf stays for ever", lambda: descriptors(host) <= open_at_first + 2, step=0.2)
    deaf[1].shutdown()
    print(f"figure: {(memory(host) - start) / 1e6:.1f} MB more in memory after all of that")


def vanished(host):
    """Clients that vanish after the handshake do not keep their places; one that answers its pings does."""
    beat = "/binaural/layer/1/beat"
    stays, received, pings = host.listen(beat), [], []

    def read():
        with contextlib.suppress(OSError, websocket.WebSocketException):
            while True:
                # It answers pings by itself.
                kind, data = stays.recv_data(control_frame=True)
                pings.append(data) if kind == websocket.ABNF.OPCODE_PING else received.append(data)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    gone = [host.raw(HANDSHAKE) for _ in range(LIMIT - 1)]
    for client in gone:
        assert client.recv(12) == b"HTTP/1.1 101", "a client is turned away before there is a crowd"
    newcomers = []

    def gets_in():
        with contextlib.suppress(OSError, websocket.WebSocketException):
            newcomers.append(host.listen(beat))
            return True

    until("clients that have vanished hold every place", gets_in, step=0.02)
    assert value(newcomers[0], beat) == [10]
    until("who answers is not pinged any more", lambda: len(pings) > 3, step=0.02)
    assert set(pings) == {b""}
    before = len(received)
    host.peer.send("layer/1/beat", 9.5)
    until("a client that answers its pings gets no more values", lambda: len(received) > before, step=0.02)
    # Each of the others has been closed.
    for client in gone:
        everything(client)
        client.close()
    print(f"figure: one that answered was pinged {len(pings)} times while {LIMIT - 1} that did not were closed")
    stays.shutdown(), newcomers[0].shutdown()


def send(client, data):
    with contextlib.suppress(OSError):
        client.sendall(data)
