"""Invalid packets, and limits."""
import struct
import time

from wire import full
from suite import case, check, dice, expect


@case("accxyz is accepted without the root, and is not a command by itself", [], ["root optional for ping and accxyz"])
def accelerometer(peer, _):
    for _ in range(20):
        peer.send("/accxyz", 0.0, 0.0, 1.0)
    check(not [m for m in peer.answers("/accxyz", 0.1, 0.0, 0.9) if m.path == "error"])
    expect(peer.get("now/state"), ["stopped"])


GARBAGE = {
    "nothing": b"\0", "no slash": b"play\0\0\0\0,\0\0\0", "not aligned": b"/binaural/play\0", "no end": b"/binaural/play" + b"x" * 10,
    "a float that is not there": b"/binaural/master/gain\0\0\0,f\0\0",
    "a blob beyond the end": b"/binaural/ping\0\0,b\0\0\x7f\xff\xff\xffabcd",
    "an unknown kind": b"/binaural/ping\0\0,Q\0\0\0\0\0\0", "a string without end": b"/binaural/subscribe\0,s\0\0abcd",
    "half a bundle": b"#bundle\0\0\0\0\0", "an element beyond the end": b"#bundle\0" + bytes(7) + b"\1" + b"\0\0\1\0" + b"/a\0\0",
    "a negative size": b"#bundle\0" + bytes(7) + b"\1" + b"\xff\xff\xff\xfc" + b"/a\0\0",
    "bundles in bundles": b"", "a thousand elements": b"#bundle\0" + bytes(7) + b"\1" + (b"\0\0\0\x08" + b"/a\0\0,\0\0\0") * 1000,
    "a huge packet": b"/binaural/" + b"x" * 65000 + b"\0\0",
}
nested = b"/binaural/play\0\0,\0\0\0"
for _ in range(20):
    nested = b"#bundle\0" + bytes(7) + b"\1" + struct.pack(">i", len(nested)) + nested
GARBAGE["bundles in bundles"] = nested


@case("a malformed packet gets one short error and does nothing", [], ["a malformed packet gets one short error"])
def garbage(peer, new_peer):
    for name, data in GARBAGE.items():
        other = new_peer()
        other.send_bytes(data)
        answers = [m for m in other.settle()]
        check(len(answers) <= 1, f"{name}: {answers}")
        for answer in answers:
            check(answer.path == "error" and answer.types == "sis" and answer.values[1] in (400, 404), f"{name}: {answer}")
            check(len(answer.values[2]) < 200, f"{name}: {answer}")
        if name == "an unknown kind":
            expect([answer.values[:2] for answer in answers], [["/binaural/ping", 400]])
    expect(peer.get("now/state"), ["stopped"])


@case("random bytes and mutated packets get at most one short error each, and the program continues", [],
      ["a malformed packet gets one short error"])
def mutilated(peer, new_peer):
    chance = dice(1)
    other = new_peer()
    sound = other.message("layer/1/beat", 4.0, 10.0, "sineInOut").serialise(full("layer/1/beat")) if hasattr(
        other.message("ping"), "serialise") else b"/binaural/layer/1/beat\0\0,ffs\0\0\0\0\x40\x80\0\0\x41\x20\0\0sineInOut\0\0\0"
    for _ in range(2000):
        data = bytearray(sound)
        for _ in range(chance.randrange(1, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        other.send_bytes(bytes(data[:chance.randrange(1, len(data) + 1)]))
        other.send_bytes(bytes(chance.randrange(256) for _ in range(chance.randrange(1, 64))))
        other.pump()
    other.settle()
    check(peer.get("status")[0] == "running")


@case("errors are sent at most ten times a second", [], ["errors at most 10 a second"])
def error_rate(peer, new_peer):
    other = new_peer()
    began = time.monotonic()
    for _ in range(300):
        other.send("nowhere", 1)
    other.settle()
    passed = time.monotonic() - began
    count = len([m for m in other.inbox if m.path == "error"])
    check(1 <= count <= 10 + 10 * passed + 1, f"{count} in {passed} s")


@case("a peer may have 16 topics", [], ["16 topics", "code 413"])
def topic_limit(peer, new_peer):
    other = new_peer()
    for rate in range(1, 17):
        other.subscribe(f"tick/{rate}")
    expect(other.ask("subscribe", "mixer", answer="error").values[1], 413)
    other.send("unsubscribe")


@case("an answer is not answered; otherwise two programs would loop", [], ["an answer is not answered"])
def echoes(peer, new_peer):
    other = new_peer()
    for path, *arguments in [("pong", 1), ("reply", "/x", 0, ""), ("error", "/x", 404, "no"), ("alive", ("h", 1), 1), ("bye", "quit"),
                             ("snapshot/end", "now"), ("subscribed", "now", 1, 30, 9)]:
        check(other.answers(path, *arguments) == [], path)


@case("panic is always accepted, also from a peer that exceeds its rate", [], ["panic always"])
def panic(peer, _):
    for _ in range(50):
        peer.send("panic")
    check(peer.code("panic") == 0)
    expect(peer.get("panic/enabled"), [1])
