"""Attacks on the panel while the sound is recorded, and a crowd of pages and listeners: the sound is equal in every bit, and memory stays flat.

    panel_attacks.py PROGRAM

The server gets the name that JACK_DEFAULT_SERVER has, the program's client that of CLIENT_NAME. What PROGRAM_PRELOAD names is preloaded into the
program.
"""
import contextlib
import json
import os
import socket
import sys
import threading
import time

from listening import DEVICE, NAME, SERVER, own_memory, peer_of
from panel_crowd import PATCH, crowd, looking
from panel_frames import cut_short, frames
from raw_client import Client, addresses, head, masked
from disturbance import judge, undisturbed
from recording import Capture, as_rendered
from patience import PATIENCE
from servers import Server, dice, server_environment, until
from program import Program
from pythonosc.osc_message_builder import build_msg

# A program may hold so many connections.
PLACES = 48
# MB; what a second round of attacks may add to the first.
FLAT_BOUND = 2
# Seconds in which the places of clients that send no request, or a slow one, are free: each has ten, and a busy machine is late.
FREED = 40


def foreign(program):
    """Names that a site has made to resolve to this machine, and pages of other sites."""
    evil = "rebound.example"
    for host, origin in ((evil, None), (f"{evil}:{program.panel_port}", f"http://{evil}:{program.panel_port}"), ("localhost", f"http://{evil}"),
                         ("127.0.0.1", "null"), (DEVICE, f"http://{evil}"), ("localhost", "http://localhost:3000")) * 20:
        client = Client.upgraded(program.panel_port, host, origin)
        assert client.status == 403, (host, origin, client.status)
        client.socket.close()
        if "localhost:3000" not in str(origin):
            client = Client(program.panel_port, head("/course.json", host, origin))
            assert client.answer() == 403, (host, origin)
            client.socket.close()
    return "240 requests of other sites"


def tokens(program):
    """Wrong tokens and keys: five for each address, then it has to wait before it may pair a device."""
    chance = dice(1)
    for _ in range(10):
        address = next(addresses)
        for kind in ("token", "key", "token", "key", "token"):
            client = Client.upgraded(program.panel_port, DEVICE, address=address)
            client.socket.sendall(masked(0x81, json.dumps({kind: chance.randbytes(16).hex()}).encode()))
            first, payload = client.frame()
            assert first == 0x81 and b"binaural web pair" in payload, payload
            assert client.rest() == b"\x88\x02\x03\xf0"
        client = Client.upgraded(program.panel_port, DEVICE, address=address)
        client.socket.sendall(masked(0x81, json.dumps({"token": "0"}).encode()))
        assert b"in a minute" in client.frame()[1]
        client.socket.close()
    return "50 wrong tokens"


def faders(program, seconds=3, rate=10_000):
    """Moves of a fader, as fast as a page cannot send them. The layer is silent, so that its sound does not matter."""
    client = Client.upgraded(program.panel_port)
    # Nobody may hold the others up by not reading.
    reader = threading.Thread(target=client.rest, daemon=True)
    reader.start()
    moves = [masked(0x82, build_msg("/binaural/layer/4/carrier/norm", [number / 100]).dgram) for number in range(100)]
    begin, sent = time.monotonic(), 0
    while (now := time.monotonic() - begin) < seconds:
        if sent < now * rate:
            client.socket.sendall(b"".join(moves))
            sent += len(moves)
        else:
            time.sleep(0.002)
    took = time.monotonic() - begin
    last = masked(0x82, build_msg("/binaural/layer/4/carrier/norm", [0.5]).dgram)
    client.socket.sendall(last)
    peer = peer_of(program)
    until("the last move is lost", lambda: abs(peer.get("layer/4/carrier/norm")[0] - 0.5) < 1e-6)
    client.socket.shutdown(socket.SHUT_RDWR)
    reader.join(PATIENCE)
    return f"{sent} fader moves ({sent / took:.0f} a second)"


def half_open(program):
    """200 sockets that send nothing, or half of a head, and heads that come a byte at a time: places are free again after ten seconds."""
    begin = time.monotonic()
    crowd = [Client(program.panel_port, b"GET / HTTP/1.1\r\nX" if number % 2 else b"") for number in range(200)]
    slow = head("/", "localhost", None, "X: " + "y" * 2000 + "\r\n")
    peer = peer_of(program)
    for byte in slow[:400]:
        # OSC is answered all the time.
        assert peer.get("now/title") == ["Moving"]
        for each in crowd[-20:] + crowd[:PLACES]:
            with contextlib.suppress(OSError):
                each.socket.send(bytes([byte]))
        time.sleep(0.02)

    def gets_in():
        client = Client(program.panel_port, head("/", "localhost", None, "Connection: close\r\n"))
        return client.rest().startswith(b"HTTP/1.1 200 ")

    until("half-open sockets keep their places", gets_in, step=0.1)
    took = time.monotonic() - begin
    assert took < FREED, took
    for each in crowd:
        each.socket.close()
    return f"200 half-open sockets (places free after {took:.0f} s)"


def attacks(path):
    """Two rounds of everything while the output is recorded."""
    preload = os.environ.get("PROGRAM_PRELOAD")
    launcher = ("env", f"LD_PRELOAD={preload}") if preload else ()
    with Program(path, NAME, "--web", "auto", "--web-host", DEVICE, "--web-proxy", "0", queue=["moving.yaml"], files={"moving.yaml": PATCH},
                 launcher=launcher) as program:
        peer = peer_of(program)
        until("the panel does not come up", lambda: program.panel_port)
        with Capture(f"timed-{NAME}", [f"{NAME}:out_left", f"{NAME}:out_right"], 180) as capture:
            start = own_memory(program.process)
            assert peer.code("position", 0.0) == 0 and peer.code("play") == 0
            memory = []
            for _ in range(2):
                wait_for_end = cut_short(program)
                done = [foreign(program), tokens(program), frames(program, peer_of(program)), faders(program), half_open(program)]
                wait_for_end()
                memory.append(own_memory(program.process))
            peer = peer_of(program)
            assert peer.get("now/title") == ["Moving"]
            own = peer.get("status")[5]
            wave, _, xruns = capture.finish()
        equal, count = as_rendered(wave, program.path, program.folder / "moving.yaml")
        judge(equal == count > 500_000, f"{equal} of {count} frames are those of the render", xruns)
        print(f"figure: during attacks on the panel, {equal} of {count} frames are those of the render in every bit; {own} xruns of our own")
        print(f"figure: in each of two rounds {', '.join(done)}")
        print(f"figure: {memory[0] - start} KB more memory after the first round of attacks, {memory[1] - memory[0]} KB more after the second")
        assert memory[1] - memory[0] < FLAT_BOUND * 1000, memory
        program.end()


def main(path):
    os.environ.update(server_environment(SERVER))
    with Server(SERVER):
        undisturbed(attacks, path)
        crowd(path)
        undisturbed(looking, path)
    print("panel attacks: the sound is the same in every bit, and memory stays flat")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
