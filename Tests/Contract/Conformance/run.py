"""Runs every case of the OSC contract against a program, from peers on genuine liblo.

    run.py PROGRAM [--group GROUP] [PART OF A CASE'S NAME]

The packets go over UDP, or those of the group `websocket`, which are ten cases of the others, over WebSockets. The groups together are the contract.
Cases follow each other: jackd may stop answering when clients come and go at the same time.

One line for each case that fails, "FAIL name: why", and at the end how many ran. The environment names the JACK server;
the names of its clients begin with CONFORMANCE_NAME.
"""
import argparse
import inspect
import os
import sys
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Peers/osc"))

import suite
from contract import ADDRESSES
from peer import Peer
from program import Program
from websocket_bridge import Bridge

import budget_rules  # noqa: F401
import bundle_rules  # noqa: F401
import crowd_rules  # noqa: F401
import library_rows  # noqa: F401
import limit_rules  # noqa: F401
import loss  # noqa: F401
import network_rules  # noqa: F401
import rules  # noqa: F401
import sound_rows  # noqa: F401
import stranger_rules  # noqa: F401
import topic_rules  # noqa: F401
import transport_rows  # noqa: F401

# The initial state of every case: the queue's first item, stopped, without edits.
FRESH = [
    ("panic",), ("transport/mode", "none"), ("repeat", "off"), ("shuffle", "off"), ("rate", 1), ("queue/select", 1), ("queue/reset", 1), ("stop",), ("position", 0),
    ("layer/select", 1), ("layer/*/solo", 0), ("master/gain", 0), ("master/mute", 0), ("tuning/a4", 440), ("rating", 0), ("like", 0),
    ("dislike", 0), ("preferences/shortFade", 0.02), ("preferences/crossfade", 0), ("preferences/sleepFade", 60), ("preferences/buttonWindow", 0.35),
    ("preferences/buttonHold", 0.5), ("preferences/softStart", 0), ("preferences/maximumLevel", 0), ("touch/mode", "latch"),
]
# Cases that show over WebSockets what they have shown over UDP: answers, values of every kind, bundles, patterns, errors, echoes, touches,
# subscriptions, leases and feedback. The way from a packet on is the same for both.
OVER_WEBSOCKET = (
    "status answers ,siiffii", "numbers of every kind mean the same", "all messages of a bundle take effect at one frame",
    "patterns match within one part of the address", "a malformed packet gets one short error and does nothing",
    "a change is sent to others at once, and to its sender after a rest", "each topic sends its changes",
    "touch/layer/N/gain holds it: another peer's set is 409, and the touching peer gets no echo",
    "now playing is sent whole, in one bundle with a time tag, on change only",
    "a lease ends if its peer is silent, with a notification; any packet renews it",
)
# Where the cases are that wait for time to pass, by group; all other cases are `quick`.
PATIENT = {
    "network": ("network_rules", "stranger_rules", "crowd_rules"),
    "time": ("topic_rules", "transport_rows", "budget_rules"),
    "files": ("library_rows", "loss"),
}
GROUPS = ("quick", *PATIENT, "websocket")
failures = []


def fail(name, why):
    failures.append(name)
    print(f"FAIL {name}: {why}", flush=True)


def group(case):
    """The name of the group that a case belongs to."""
    if not case.patient:
        return "quick"
    found = [name for name, files in PATIENT.items() if case.body.__module__ in files]
    assert found, f"{case.body.__module__}.py has patient cases, and no group in PATIENT"
    return found[0]


def reason(text):
    return text if suite.used.seed is None else f"seed {suite.used.seed}: {text}"


class Runner:
    def __init__(self, path, name, over_websocket=False):
        self.path, self.name, self.count = path, name, 0
        self.options = ("--web", "auto") if over_websocket else ()
        self.bridges = {}
        self.program = Program(path, name, *self.options)

    def peer(self, program=None):
        program = program or self.program
        if self.options and program not in self.bridges:
            # Not by its port, which a program that has ended may have had before.
            self.bridges[program] = Bridge(program.panel_port)
        peer = Peer(self.bridges[program].port if self.options else program.port)
        self.peers.append(peer)
        return peer

    def extra_program(self, *options, **more):
        self.count += 1
        return Program(self.path, f"{self.name}-{self.count}", *self.options, *options, **more)

    def run(self, case):
        self.peers, suite.used.seed = [], None
        try:
            peer = self.peer()
            peer.send("replies", 2)
            for step in FRESH:
                peer.send(*step)
            peer.settle()
            peer.inbox.clear()
            arguments = [peer, self.peer, self.extra_program][:len(inspect.signature(case.body).parameters)]
            case.body(*arguments)
        except AssertionError as error:
            line = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.endswith("suite.py")][-1]
            fail(case.name, reason(f"{line.line}: {error}"))
        except Exception:
            fail(case.name, reason(traceback.format_exc().replace("\n", " | ")))
        finally:
            for peer in self.peers:
                peer.close()
            for bridge in self.bridges.values():
                bridge.end_connections()


def walk(peer):
    """The rows of the program's table from describe: path to access; layers by their kind, written N."""
    rows = {}
    waiting, seen = [""], set()
    while waiting:
        path = waiting.pop()
        for child in peer.answers("describe", path):
            if child.path != "describe" or child.values[0] in seen:
                continue
            seen.add(child.values[0])
            waiting.append(child.values[0])
            parts = child.values[0].split("/")
            place = parts.index("layer") if "layer" in parts else len(parts)
            if place + 2 < len(parts):
                parts[place + 1] = "N"
            if child.values[2]:
                rows["/".join(parts)] = child.values[2]
    return rows


def check_coverage(runner):
    """Checks that every row has a case for each of its uses, and every case has an existing row; returns the number of rows."""
    peer = Peer(runner.program.port)
    rows = walk(peer)
    peer.close()
    uses = {f"{verb} {path}" for path, access in rows.items() for verb, letter in (("get", "r"), ("set", "w")) if letter in access}
    covered = {use for case in suite.CASES for use in case.rows}
    for use in sorted(uses - covered):
        fail(f"a case for {use}", "the table has this row, and no case of the contract uses it")
    for use in sorted(covered - uses):
        fail(use, "the contract has this, and the program's table has not")
    for path, letters in sorted(ADDRESSES.items()):
        missing = set(letters) - set(rows.get(path, ""))
        if missing:
            fail(path, f"the contract has this address, and the program has no {''.join(sorted(missing))} of it")
    shown = {rule for case in suite.CASES for rule in case.rules}
    for rule in sorted(set(suite.RULES) - shown):
        fail(f"rule {rule}", "no case shows it")
    for rule in sorted(shown - set(suite.RULES)):
        fail(f"rule {rule}", "a case names an unknown rule")
    return len(rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("part", nargs="?", default="")
    parser.add_argument("--group", choices=GROUPS)
    arguments = parser.parse_args()
    cases = {name: [case for case in suite.CASES if group(case) == name] for name in GROUPS}
    missing = set(OVER_WEBSOCKET) - {case.name for case in suite.CASES}
    assert not missing, f"no cases of these names: {missing}"
    cases["websocket"] = [case for case in suite.CASES if case.name in OVER_WEBSOCKET]
    prefix = os.environ.get("CONFORMANCE_NAME", f"binaural-{os.getpid()}")
    for name in [arguments.group] if arguments.group else GROUPS:
        chosen = [case for case in cases[name] if arguments.part in case.name]
        runner = Runner(arguments.program, f"{prefix}-{name}", over_websocket=name == "websocket")
        rows = check_coverage(runner) if name == "quick" and not arguments.part else 0
        for case in chosen:
            runner.run(case)
        runner.program.close()
        print(f"{name}: {len(chosen)} cases, " + (f"{rows} rows, " if rows else "") + f"{len(failures)} failed", flush=True)
    sys.exit(1 if failures else 0)


main()
