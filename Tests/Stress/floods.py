"""Floods of commands from one sender or from sixty: the program's memory stays small and shrinks again, another peer is answered, and afterwards
the reported state is what sounds. The latency of answers is printed, but not judged, since machines are busy.

    floods.py PROGRAM

The late cycles that the server reports are counted by client, also those of an idle recorder on the same server, which only the machine can
make late.

The server is named JACK_DEFAULT_SERVER, and the program's client CLIENT_NAME. With BINAURAL_STRESS set every row of the
table has its turn and the heavy ones last a minute.
"""
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import time

from pinging import Pinging
from program import Program
from peer import Peer
from recording import Capture
from servers import Server, dice as dice_of, server_environment, until
from wire import NTP_TO_UNIX, bundle, message as packet, useless

NAME = os.environ.get("CLIENT_NAME", "binaural")
SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")
IS_LONG = "BINAURAL_STRESS" in os.environ
# Messages a second of one sender.
RATE = 500
# MB by which RssAnon may grow under a flood, and afterwards.
MOST, LEFT = 20, 5
# Seconds of a flood, and until the remaining growth is judged.
LONG, SHORT, REST = (60, 3, 10) if IS_LONG else (1, 0, 10)

# Addresses that end the program or the conversation.
LEFT_OUT = {"quit", "preferences/oscPort", "preferences/oscAddress", "preferences/startSession", "preferences/oscListen", "preferences/oscAllow",
            "preferences/oscFeedback", "preferences/transport", "preferences/outputs", "preferences/zeroconf",
            "preferences/mpris"}
HEAVY = {
    "reset": ("layer/1/reset",), "next": ("queue/next",), "select": ("queue/select", 2), "position": ("position", 17.0),
    "rate": ("rate", 2.0), "a fader": ("layer/1/gain", -20.0), "a ramp": ("layer/1/beat", 6.0, 10.0, "sineInOut"), "undo": ("undo",),
    "solo": ("layer/2/solo", 1), "save a preset": ("preset/save", "a"), "load a preset": ("preset/load", "a"),
    "load sessions": ("session/load", "other"), "save": ("session/save",), "add": ("queue/add", "rain"), "toggle": ("toggle",),
    "pattern": ("{layer,touch}/*/{gain,carrier,pan}", -20.0), "pattern that asks": ("layer/*/*",), "master": ("master/gain", -10.0),
}


def argument(given, dice):
    """An argument for an input of the table; values out of range are clamped or refused."""
    match given["kind"]:
        case "number" | "bounded":
            low, high = given.get("range", (-30, 30))
            return dice.uniform(max(low, -30), min(high, 30))
        case "choice":
            return dice.choice(given["names"])
        case "text":
            return dice.choice(["a", "other", "rain"])
        case "blob" | "timeTag":
            return b""
        case _:
            return dice.randrange(0, 4)


def rows(program):
    table = json.loads(subprocess.run([program.path, "osc-table", "--json"], check=True, capture_output=True).stdout)
    return [row for row in table if row["access"] != "r" and row["path"] not in LEFT_OUT]


def message(row, dice):
    inputs = [given for given in row["inputs"] if not given["isOptional"] or dice.random() < 0.25]
    return packet(row["path"].replace("/N/", f"/{dice.randrange(1, 5)}/"), *[argument(given, dice) for given in inputs])


class Watched:
    """The program and its peer."""

    def __init__(self, program):
        self.program = program
        self.peer = Peer(program.port)

    @property
    def memory(self):
        """MB of RssAnon."""
        with open(f"/proc/{self.program.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("RssAnon")) / 1024

    def flood(self, name, make, seconds, senders=1, rate=RATE, limit=MOST):
        """Sends the packets of `make` this many times a second from all senders together, and judges; returns a figure."""
        figure, most, left = self.measure(name, make, seconds, senders, rate)
        for attempt in ("second", "third"):
            if left <= LEFT and most <= limit:
                break
            # The heap may have grown to the size that such a flood works in, or several states of a large patch were alive at once. A leak,
            # and a flood that always takes too much, come back each time.
            figure, most, left = self.measure(name, make, seconds, senders, rate)
            figure += f", the {attempt} time"
        assert most <= limit and left <= LEFT, figure
        return figure

    def measure(self, name, make, seconds, senders, rate):
        """A figure, the largest growth of memory in MB, and the growth that remained."""
        sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(senders)]
        for each in sockets:
            each.connect(("127.0.0.1", self.program.port))
            each.setblocking(False)
        pinging, before, most, sent = Pinging(self.program.port), self.memory, 0.0, 0
        # The latency is reported; only the answer itself is asserted.
        pinging.LIMIT = 10
        began = time.monotonic()
        while (passed := time.monotonic() - began) < seconds:
            while sent < passed * rate:
                sender = sockets[sent % senders]
                try:
                    sender.send(make())
                    # The answers of a flood are not read, but dropped when the buffer is full.
                except (BlockingIOError, ConnectionRefusedError):
                    pass
                sent += 1
                if sent % 2000 == 0 and time.monotonic() - began > passed + 0.05:
                    break
            most = max(most, self.memory)
            time.sleep(0.002)
        took = pinging.end()
        for each in sockets:
            each.close()
        end = time.monotonic() + REST
        while (left := self.memory - before) > LEFT and time.monotonic() < end:
            time.sleep(0.1)
        most -= before
        percentile = statistics.quantiles(took, n=100)[98] * 1000 if len(took) > 1 else 0
        figure = (f"{name}, {rate:.0f}/s from {senders} for {seconds} s: memory {most:+.1f} MB, {left:+.1f} MB afterwards; "
                  f"another's ping {percentile:.1f} ms at the 99th percentile")
        return figure, most, left

    def settle(self):
        """Waits until something plays, and nothing is pending."""
        for path, value in (("repeat", "all"), ("rate", 1.0), ("master/gain", 0.0), ("transport/mode", "none"), ("master/mute", 0), ("queue/select", 1)):
            self.peer.send(path, value)

        def plays():
            # A flood may have removed every item.
            queue = self.asked("now/queue")
            if queue and queue[1] == 0:
                self.peer.send("queue/add", "rain")
            self.peer.send("play")
            return self.asked("now/state") == ["playing"]

        until("nothing plays after a flood", plays)

    def asked(self, path):
        """The values of an address; None if it has none, or a packet was lost, as while a flood fills the socket."""
        return next((answer.values for answer in self.peer.answers(path) if answer.path == path), None)


def judge_truth(watched):
    """Checks that the feedback matches the sound: a client that extrapolates is correct."""
    peer = watched.peer
    # The lease of the peer has ended in a flood of a minute, and with it the replies.
    peer.send("replies", 2)

    def reaches_position():
        return peer.code("position", 1.0) == 0 and 1.0 <= peer.get("now/elapsed")[0] < 5

    def has_last_layer():
        # Packets of sixty senders may still be queued, and select another item between the two questions.
        count = watched.asked("layer/count")
        return count and watched.asked(f"layer/{count[0]}/name")

    until("a position is not reached", reaches_position)
    until("the last layer has no name", has_last_layer)


def late_cycles(server, client):
    """The number of cycles that the server began without having waited for a client."""
    return sum(re.search(rf"XRun: client = {re.escape(client)} was not finished", line) is not None for line in server.lines)


def main(path):
    os.environ.update(server_environment(SERVER))
    figures, dice = [], dice_of(20)
    with Server(SERVER, is_patient=False) as server, Capture(f"idle-{NAME}", ["system:capture_1"], 1), Program(
            path, NAME, "--session", "flooded.yaml") as program:
        watched = Watched(program)
        watched.settle()
        everything = rows(program)
        # Memory that is allocated once and kept.
        for _ in range(3):
            for row in everything:
                watched.peer.send_bytes(message(row, dice))
            watched.peer.settle()
        watched.settle()
        # This includes tables and pictures of every queue item, and the heap used by many starts in sequence.
        for index in range(watched.peer.get("now/queue")[1]):
            watched.peer.send("queue/select", index + 1)
            # Pictures are drawn in the background, without an answer.
            time.sleep(0.2)
        for _ in range(250):
            watched.peer.send("queue/next")
            time.sleep(1 / RATE)
        watched.settle()
        # Freed memory is returned after a moment, without an answer.
        time.sleep(1)
        for name, command in HEAVY.items():
            for senders in (1, 60) if IS_LONG else (1,):
                figures.append(watched.flood(name, lambda made=packet(*command): made, LONG, senders))
                watched.settle()
        figures.append(watched.flood("bundles of 20", lambda: bundle(*[message(dice.choice(everything), dice) for _ in range(20)]), LONG,
                                     rate=RATE / 20))
        watched.settle()
        figures.append(watched.flood("useless packets", lambda: useless(dice), LONG))
        ahead = [packet("layer/1/gain", -30.0), packet("layer/2/gain", -30.0)]
        figures.append(watched.flood("bundles far in the future",
                                     lambda: bundle(*ahead, tag=round((time.time() + 50 + NTP_TO_UNIX) * 2**32)), LONG))
        # It drops them.
        watched.peer.send("panic")
        watched.settle()
        if IS_LONG:
            for row in everything:
                figures.append(watched.flood(row["path"], lambda row=row: message(row, dice), SHORT))
                watched.settle()
        heavy = [packet(*command) for command in HEAVY.values()]
        mixed = [message(row, dice) for row in everything for _ in range(3)] + heavy * 5
        for senders in (1, 60):
            figures.append(watched.flood("everything", lambda: dice.choice(mixed), LONG, senders))
            watched.settle()
        # Sixty times the rate that the limit of memory is meant for, and more than any program can keep up with.
        figures.append(watched.flood("everything", lambda: dice.choice(mixed), LONG, 60, 60 * RATE, 1.5 * MOST))
        watched.settle()
        judge_truth(watched)
        assert watched.peer.get("status")[0] == "running"
        program.end()
    for figure in figures:
        print(f"figure: flood: {figure}")
    print(f"figure: flood: cycles for which the program was late: {late_cycles(server, NAME)}, an idle recorder: "
          f"{late_cycles(server, 'idle-' + NAME)}")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
