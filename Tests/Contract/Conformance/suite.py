"""The cases of the contract, and what each covers. A row of the address table, or a rule of the contract, without a case fails the suite."""
import math
import random
import types

CASES = []
# The seed of the case that runs.
used = types.SimpleNamespace(seed=None)

# The rules of the contract beyond single addresses; each needs a case.
RULES = [
    "1 get, set, feedback on one address", "1 a verb is a command",
    "2 numbers are interchangeable", "2 press and release", "2 zero and negative numbers are values elsewhere",
    "2 too few, wrong kind, not finite", "2 surplus arguments", "2 only i f s go out",
    "3 norm twins", "3 clamped and echoed as applied", "3 enumerations by name or index",
    "4 echo to others at once, to the sender at rest", "4 echo to the sender when it came out different",
    "5 ramps and easings", "5 ramps take their time", "6 answers to the source", "6 another port of the same address",
    "7 a bundle is simultaneous", "7 a bad member", "7 a bundle waits for its time", "7 late bundles", "7 the horizon", "7 what may wait",
    "7 session work and quit run outside", "8 patterns", "8 what patterns do not reach", "8 linear time", "8 at most 64 targets",
    "9 packets of at most 1400 bytes", "9 texts cut at a character", "10 version 1",
    "code 0", "code 100", "code 120", "code 200", "code 400", "code 404", "code 405", "code 413", "code 414", "code 501",
    "replies 0, 1, 2", "snapshot and its end", "idempotent subscriptions", "leases", "alive", "expired", "bye",
    "topic now", "topic commands", "topic layers", "topic mixer", "topic session", "topic jack", "topic log", "topic tick", "topic meters",
    "topic pattern", "feedback peers", "root optional for ping and accxyz", "now playing in one bundle", "now playing only on change",
    "a malformed packet gets one short error", "errors at most 10 a second", "16 topics", "an answer is not answered",
    "panic always", "50 packets a second", "64 peers", "a busy port", "the .url file", "progress", "unreachable peers", "64 subscribers, half of whom never read", "a flood", "no more bytes out than in", "loss", "touch", "code 409", "code 401", "code 429",
    "layers by name", "values below an address", "a misspelt address", "--osc-local-role", "--osc-timetags", "a Unix socket", "errors quote no file",
]


class Case:
    def __init__(self, name, rows, rules, body, patient):
        self.name, self.rows, self.rules, self.body, self.patient = name, rows, rules, body, patient


def case(name, rows=(), rules=(), patient=False):
    """A case: its name, and the uses of rows ("get PATH", "set PATH") and the rules that it covers.

    One that is patient waits for time to pass; the groups of run.py run beside each other.
    """
    def add(body):
        CASES.append(Case(name, list(rows), list(rules), body, patient))
        return body
    return add


def dice(seed):
    """Random numbers of a seed, which is printed if the case fails."""
    used.seed = seed
    return random.Random(seed)


def check(condition, text=""):
    if not condition:
        raise AssertionError(text)


def same(one, other):
    """Whether the values are equal, floats in single precision."""
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other))
    if isinstance(one, float) or isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-5, abs_tol=1e-5)
    return one == other


def expect(found, wanted, text=""):
    if callable(wanted):
        check(wanted(found), f"{text} {found}")
    else:
        check(same(found, wanted), f"{text} {found} is not {wanted}")


def prepare(peer, steps):
    for step in steps:
        code = peer.code(*step)
        check(code == 0, f"in preparation, {step} answered {code}")


def address(row, layer=None):
    return row.replace("/N/", f"/{layer}/") if layer else row


def reads(row, types, values, after=(), layer=None, eventually=False):
    """A get, with the types and values of its answer."""
    path = address(row, layer)

    @case(f"{row} answers ,{types}", [f"get {row}"], ["1 get, set, feedback on one address", "2 only i f s go out"])
    def body(peer, _):
        prepare(peer, after)
        if eventually:
            peer.until(path, lambda found: values(found) if callable(values) else same(found, values))
        answer = peer.ask(path)
        check(answer.types == types, f"{path} answers ,{answer.types}, not ,{types}")
        expect(answer.values, values, path)


def sets(row, arguments, sent, after=(), layer=None, code=0):
    """A set or a command, and the values that can be read afterwards, by address."""
    path = address(row, layer)
    shown = " ".join(str(a[1] if isinstance(a, tuple) else a) for a in arguments)

    @case(f"{row} {shown}".strip(), [f"set {row}"], ["1 a verb is a command"] if not arguments else [])
    def body(peer, _):
        prepare(peer, after)
        outcome = peer.outcome(path, *arguments)
        check(outcome.values[1] == code, f"{path} answered {outcome}")
        for other, values in sent.items():
            peer.until(other, lambda found: values(found) if callable(values) else same(found, values))
