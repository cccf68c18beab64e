"""Two JACK servers, as on two machines, joined by JACK's network driver, play the same samples from one position, shared over OSC.

    netjack.py PROGRAM

The machines are two network namespaces joined by a virtual cable. The near one runs a server with netmanager, the far one a server with the
network as its sound card. The sound of the far program comes back through the network, so the near server has both. NetJACK2 does not carry
the transport (jack2's issues 124 and 372), which is checked too: one bundle ahead of its time moves both programs to a position and starts
them. The near server is named JACK_DEFAULT_SERVER.
"""
import os
import subprocess
import sys

import numpy
from jack_transport import Transport
from disturbance import judge, undisturbed
from recording import Capture
from servers import HERE, MOVING, Running, Server, in_own_network, server_environment, until
import pyliblo3 as liblo
from peer import Peer
from program import Program

NAME = os.environ.get("CLIENT_NAME", "binaural")
NEAR = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")
FAR = f"{NEAR}-far"


def lay_cable():
    """Returns the prefix of commands on the far machine, and the process that holds its network."""
    machine = Running("unshare", "--net", "sh", "-c", "ip link set lo up && echo up && exec sleep 3600")
    machine.line(lambda line: line == "up")
    far = ["nsenter", f"--net=/proc/{machine.process.pid}/ns/net"]

    def do(*command):
        subprocess.run(command, check=True)
    do("ip", "link", "add", "near", "type", "veth", "peer", "name", "far", "netns", str(machine.process.pid))
    for prefix, name, number in (([], "near", 1), (far, "far", 2)):
        do(*prefix, "ip", "addr", "add", f"10.77.0.{number}/24", "dev", name)
        do(*prefix, "ip", "link", "set", name, "up")
        # The driver finds its manager by multicast.
        do(*prefix, "ip", "route", "add", "224.0.0.0/4", "dev", name)
    return far, machine


def ports(server):
    return subprocess.run(["jack_lsp"], capture_output=True, text=True, env=dict(os.environ, **server_environment(server))).stdout.split("\n")


def returned(server):
    """The ports on which the far machine's sound returns."""
    return sorted(port for port in ports(server) if ":from_slave_" in port)


def play(path, server, name, *options, launcher=()):
    os.environ.update(server_environment(server))
    try:
        return Program(path, name, "--connect", "system:playback", *options, queue=["moving.yaml"], files={"moving.yaml": MOVING},
                       launcher=launcher)
    finally:
        os.environ.update(server_environment(NEAR))


def peer_of(program, host="127.0.0.1"):
    peer = Peer(program.port)
    peer.target = liblo.Address(host, program.port)
    peer.send("replies", 2)
    peer.settle()
    return peer


def equal_from(near, far, begin, end):
    """Frames by which the far machine's sound is later than near[begin:end], found bit for bit; None if it is missing."""
    part = near[begin:end]
    for place in numpy.nonzero((far[begin:begin + 48_000] == part[0]).all(axis=1))[0]:
        if (far[begin + place:begin + place + len(part)] == part).all():
            return int(place)
    return None


def share(peers, capture):
    """Moves both to positions; returns a second of each recording in which both play from there on."""
    found = []
    for position in (3.0, 17.0, 9.5):
        for peer in peers:
            peer.send_bundle(("position", position), ("play",), after=0.5)
        for peer in peers:
            peer.until("now/elapsed", lambda values: position <= values[0] < position + 4)
        capture.advance()
        begin = capture.recorded
        capture.advance(48_000)
        found.append((begin, begin + 24_000))
    return found


def transport_is_carried(far, transport):
    """Whether a far client sees the near transport move within a second, which it must not."""
    transport.locate(96_000)
    until("the near transport is not located", lambda: transport.frame == 96_000)
    look = ("import sys, time; sys.path.insert(0, sys.argv[1]); from jack_transport import Transport\n"
            # Long enough for the frame to arrive, which it must not.
            "with Transport('look') as transport:\n time.sleep(1); print('frame', transport.frame)")
    with Running(sys.executable, "-uBc", look, str(HERE), env=dict(os.environ, **server_environment(FAR))) as client:
        seen = client.line(lambda line: line.startswith("frame"))
    transport.locate(0)
    return seen != "frame 0"


def measure(path):
    os.environ.update(server_environment(NEAR))
    far, machine = lay_cable()
    with machine, Server(NEAR), Transport(f"watch-{NAME}") as transport:
        subprocess.run(["jack_load", "netmanager"], check=True, stdout=subprocess.DEVNULL)
        with Running(*far, "jackd", "-n", FAR, "-R", "-P10", "-p", 64, "-d", "net", "-C", 2, "-P", 2):
            until("the far machine is not seen", lambda: len(returned(NEAR)) == 2)
            until("the far server does not answer", lambda: "system:playback_2" in ports(FAR))
            carried = transport_is_carried(far, transport)
            with play(path, NEAR, NAME) as one, play(path, FAR, f"{NAME}-far", "--osc-listen", "127.0.0.1", "--osc-listen", "10.77.0.2",
                                                     "--osc-allow", "10.77.0.1/32=control", launcher=far) as two:
                peers = [peer_of(one), peer_of(two, "10.77.0.2")]
                before = sum(peer.get("status")[5] for peer in peers)
                with Capture(f"timed-{NAME}", [f"{NAME}:out_left", f"{NAME}:out_right", *returned(NEAR)], 60) as capture:
                    parts = share(peers, capture)
                    wave, _, xruns = capture.finish()
                # The far server's cycles may be late as well.
                xruns += sum(peer.get("status")[5] for peer in peers) - before
                one.end()
                two.end()
    # If a later version does, docs/jack.md has to say so.
    assert not carried, "NetJACK2 carries the transport now"
    delays = [equal_from(wave.samples[:, :2], wave.samples[:, 2:], *part) for part in parts]
    judge(None not in delays, f"the far machine does not play what the near one does: {delays}", xruns)
    return delays


def main(path):
    delays = undisturbed(measure, path)
    print(f"figure: two machines joined by NetJACK2, taken to three positions by one bundle each: 72000 frames, the same near and far in every "
          f"bit; the far ones come back {', '.join(map(str, delays))} frames later")


if __name__ == "__main__":
    in_own_network()
    main(os.path.abspath(sys.argv[1]))
