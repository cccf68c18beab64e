"""Bundles: rule 7 of the contract."""
import time

from suite import case, check, expect, prepare


@case("all messages of a bundle take effect at one frame", [], ["7 a bundle is simultaneous"])
def bundle(peer, new_peer):
    watcher = new_peer()
    watcher.subscribe("layers")
    since = watcher.mark
    peer.send_bundle(("layer/1/beat", 5.0), ("layer/1/gain", -33.0), ("layer/4/carrier", 333.0))
    last = watcher.wait("layer/4/carrier", lambda m: m.values == [333.0], since)
    sent = [m for m in watcher.inbox[since:] if m.path in ("layer/1/beat", "layer/1/gain", "layer/4/carrier")]
    check(len(sent) == 3 and {m.bundle for m in sent} == {last.bundle}, f"{sent}")
    # After a seek and a pause the position is exactly the seek's: no frame passed between the two.
    for position in (20.0, 33.0, 47.0, 61.0):
        prepare(peer, [("play",)])
        since = peer.mark
        peer.send_bundle(("position", position), ("pause",))
        peer.reply("pause", since)
        peer.sync()
        expect(peer.get("now/frame"), [int(position * 48000)])


@case("an invalid message in a bundle gets its 400, the others are applied", [], ["7 a bad member"])
def bad_member(peer, _):
    since = peer.mark
    peer.send_bundle(("layer/1/beat", 6.0), ("layer/1/gain", "loud"), ("tuning/a4", 435.0), ("nowhere", 1))
    expect(peer.reply("layer/1/gain", since).values[1], 400)
    expect(peer.reply("nowhere", since).values[1], 404)
    expect([peer.get("layer/1/beat")[0], peer.get("tuning/a4")[0]], [6.0, 435.0])


@case("a bundle waits for its time", [], ["7 a bundle waits for its time"])
def future(peer, _):
    peer.settle()
    since = peer.mark
    began = time.monotonic()
    peer.send_bundle(("tuning/a4", 450.0), after=3)
    # However slow this machine is: while the bundle is counted as waiting, it has not been applied.
    waits, value = peer.get("bundles")[0], peer.get("tuning/a4")
    check(value == [440.0] or time.monotonic() - began > 2.9, f"{value} with {waits} waiting")
    peer.reply("tuning/a4", since)
    # It is handed over as far ahead as the sound needs.
    check(time.monotonic() - began > 2.5, "it was done early")
    expect(peer.get("tuning/a4"), [450.0])


@case("a late bundle is applied at once", [], ["7 late bundles"])
def late(peer, _):
    since = peer.mark
    peer.send_bundle(("tuning/a4", 451.0), after=-5)
    expect(peer.reply("tuning/a4", since).values[1], 0)
    expect(peer.get("tuning/a4"), [451.0])


@case("a bundle more than 60 s ahead is 414", [], ["7 the horizon", "code 414"])
def horizon(peer, _):
    since = peer.mark
    peer.send_bundle(("tuning/a4", 452.0), after=75)
    error = peer.wait("error", since=since)
    check(error.values[1] == 414, f"{error}")


@case("256 messages of a peer may wait, more are 413; panic drops them", [], ["7 what may wait", "code 413", "panic always"])
def waiting(peer, new_peer):
    other = new_peer()
    since = other.mark
    for _ in range(300):
        other.send_bundle(("tuning/a4", 500.0), after=20)
    error = other.wait("error", since=since)
    check(error.values[1] == 413, f"{error}")
    check(peer.code("panic") == 0)
    # There is room again.
    other.pump(1.1)
    since = other.mark
    other.send_bundle(("tuning/a4", 500.0), after=20)
    other.settle()
    check(not [m for m in other.inbox[since:] if m.path == "error"])
    check(peer.code("panic") == 0)
