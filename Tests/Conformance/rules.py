"""The rules of the contract, beyond single rows."""
import random
import struct
import time

from peer import full
from raw import Listener, message, unpack
from suite import case, check, expect, prepare, same

@case("numbers of every kind mean the same", [], ["2 numbers are interchangeable"])
def numbers(peer, _):
    for path, value in (("tuning/a4", 432), ("layer/4/carrier", 300), ("position", 20)):
        for kind in "ihfd":
            check(peer.code(path, (kind, value if kind in "ih" else float(value))) == 0, f"{path} ,{kind}")
            expect(peer.get(path), [float(value)], f"{path} ,{kind}")
            prepare(peer, [("tuning/a4", 440), ("layer/4/carrier", 432), ("position", 0)])
    for path in ("master/mute", "layer/1/mute", "layer/1/width"):
        for yes, no in ((True, False), (1, 0), (1.0, 0.0), (("h", 1), ("h", 0)), (("d", 1.0), ("d", 0.0))):
            check(peer.code(path, yes) == 0)
            check(peer.get(path)[0] == 1, f"{path} {yes}")
            check(peer.code(path, no) == 0)
            check(peer.get(path)[0] == 0, f"{path} {no}")


@case("a press is no argument, a number above 0 or T; the release is ignored", [], ["2 press and release"])
def press(peer, _):
    for argument in (0, 0.0, False, -1, -0.5, ("h", 0), ("d", 0.0)):
        peer.answers("play", argument)
        expect(peer.get("now/state"), ["stopped"], f"play {argument}")
    for argument in (1, 0.001, True, 127, ("h", 5), ("d", 1.0)):
        check(peer.code("play", argument) == 0)
        expect(peer.get("now/state"), ["playing"], f"play {argument}")
        peer.code("stop")


@case("0 and negative numbers are values where no press is meant", [], ["2 zero and negative numbers are values elsewhere"])
def zero(peer, _):
    for path, value in (("layer/4/phase", -90.0), ("layer/4/pan", 0.0), ("layer/1/beat", -4.0), ("layer/1/beat", 0.0), ("layer/1/gain", 0.0)):
        check(peer.code(path, value) == 0)
        expect(peer.get(path), [value], path)
    prepare(peer, [("position", 50), ("skip/by", -20)])
    expect(peer.get("now/elapsed"), [30.0])


@case("too few arguments, a wrong kind, not a number and infinity are 400 and change nothing", [],
      ["2 too few, wrong kind, not finite", "code 400"])
def bad_arguments(peer, new_peer):
    prepare(peer, [("master/gain", -7), ("tuning/a4", 441), ("position", 33), ("layer/1/beat", 3)])
    nan, infinity = float("nan"), float("inf")
    for count, step in enumerate([
        ("skip/by",), ("layer/1/xy", 0.5), ("queue/move", 1), ("queue/select",), ("session/load",), ("subscribe",), ("describe",), ("sync",),
        ("master/gain", "loud"), ("position", "start"), ("position", b"abcd"), ("layer/1/beat", "four"), ("repeat", "twice"), ("repeat", 9),
        ("rate", "fast"), ("layer/1/note", "H9"), ("queue/select", "two"), ("subscribe", 5), ("session/load", 5),
        ("master/mute", "yes"), ("play", "now"), ("play", nan),
    ] + [(path, value) for value in (nan, infinity, -infinity, ("d", nan), ("d", infinity)) for path in (
        "master/gain", "master/gain/norm", "position", "position/norm", "skip/by", "rate", "rating", "tuning/a4", "master/fade", "sleep",
        "layer/1/beat", "layer/1/gain/norm", "layer/4/note")] + [
        ("layer/1/beat", 5.0, nan), ("layer/1/xy", 0.5, nan), ("layer/1/mute", nan), ("queue/select", nan), ("replies", infinity)]):
        # Each peer is told ten errors a second.
        if count % 10 == 0:
            other = new_peer()
        outcome = other.outcome(*step)
        check(outcome.values[1] == 400 and len(outcome.values[2]) > 10, f"{step} answered {outcome}")
    expect([peer.get(p)[0] for p in ("master/gain", "tuning/a4", "now/elapsed", "layer/1/beat", "rate")], [-7.0, 441.0, 33.0, 3.0, 1.0])


@case("surplus arguments are ignored", [], ["2 surplus arguments"])
def surplus(peer, _):
    check(peer.code("tuning/a4", 431.0, "and", 5, ("d", 1.0)) == 0)
    expect(peer.get("tuning/a4"), [431.0])
    check(peer.code("layer/1/beat", 6.0, 0.05, "linear", 99) == 0)
    check(peer.code("play", 1, 2, 3) == 0)


@case("out go only i f s, and h t b where the table says so", [], ["2 only i f s go out"])
def out_types(peer, new_peer):
    other = new_peer()
    for topic in ("now", "commands", "layers", "mixer", "session", "jack", "log", "tick/10", "meters/100"):
        other.subscribe(topic)
    for message in other.inbox:
        allowed = "ifs" + ("h" if message.path in ("now/frame", "alive") else "")
        check(set(message.types) <= set(allowed), f"{message}")


@case("a norm runs from 0 to 1 over its curve, both ways, and clamps", [], ["3 norm twins"])
def norms(peer, _):
    for path in ("layer/4/carrier", "layer/1/beat", "layer/1/gain", "layer/4/pan", "layer/1/width", "layer/3/duty", "master/gain"):
        values = []
        for norm in (0.0, 0.25, 0.5, 0.75, 1.0):
            check(peer.code(f"{path}/norm", norm) == 0)
            expect(peer.get(f"{path}/norm"), [norm], path)
            values.append(peer.get(path)[0])
        check(values == sorted(values) and len(set(values)) == 5, f"{path} {values}")
        peer.code(f"{path}/norm", 7.0)
        expect(peer.get(path), [values[-1]], f"{path} above 1")
        peer.code(f"{path}/norm", -7.0)
        expect(peer.get(path), [values[0]], f"{path} below 0")


@case("values clamp to the range, and the applied value is echoed", [], ["3 clamped and echoed as applied"])
def clamped(peer, new_peer):
    watcher = new_peer()
    for topic in ("mixer", "layers"):
        watcher.subscribe(topic)
    prepare(peer, [("master/gain", -5)])
    watcher.wait("master/gain", lambda m: m.values == [-5.0])
    for path, sent, applied in (("master/gain", 20.0, 0.0), ("tuning/a4", 5000.0, 900.0), ("layer/4/carrier", 1e9, 20000.0)):
        since = watcher.mark
        peer.code(path, sent)
        watcher.wait(path, lambda m: same(m.values, [applied]), since)


@case("an enumeration takes its name or its index from 0", [], ["3 enumerations by name or index"])
def enumerations(peer, _):
    for path, names in (("repeat", ("off", "one", "all")), ("shuffle", ("off", "items"))):
        for index, name in enumerate(names):
            for argument in (name, index, float(index)):
                check(peer.code(path, argument) == 0)
                expect(peer.get(path), [name], f"{path} {argument}")


@case("a change is told to others at once, to its sender when its hand rests", [], ["4 echo to others at once, to the sender at rest"])
def echo(peer, new_peer):
    watcher = new_peer()
    for each in (peer, watcher):
        each.subscribe("mixer")
    mine, theirs = peer.mark, watcher.mark
    began = time.monotonic()
    peer.send("master/gain", -8.0)
    watcher.wait("master/gain", lambda m: same(m.values, [-8.0]), theirs)
    peer.wait("master/gain", lambda m: same(m.values, [-8.0]), mine)
    check(time.monotonic() - began >= 0.149, "the sender was told under its finger")
    # Of a stream of sets the sender is told the last value alone.
    mine = peer.mark
    for step in range(40):
        peer.send("master/gain", -float(step))
        peer.pump(0.01)
    peer.wait("master/gain", lambda m: same(m.values, [-39.0]), mine)
    told = [m.values[0] for m in peer.inbox[mine:] if m.path == "master/gain"]
    # A machine that lets the peer sleep for 150 ms makes one rest more.
    check(len(told) <= 4, f"{told}")


@case("the sender is told at once when its value came out different", [], ["4 echo to the sender when it came out different"])
def different(peer, _):
    peer.subscribe("mixer")
    since = peer.mark
    peer.send("master/gain", -500.0)
    peer.wait("master/gain", lambda m: m.values == [-120.0], since)
    since = peer.mark
    peer.send("tuning/a4", "high")
    peer.wait("tuning/a4", lambda m: m.values == [440.0], since)


@case("answers go to where the packet came from", [], ["6 answers to the source"])
def source(peer, new_peer):
    one, other = new_peer(), new_peer()
    one.ask("ping", 5, answer="pong")
    one.subscribe("mixer")
    other.settle()
    check(all(m.path == "pong" for m in other.inbox), f"{other.inbox}")


@case("answers and news go to another port of the same address when asked", [], ["6 another port of the same address"])
def other_port(peer, new_peer):
    sender, listener = new_peer(), new_peer()
    sender.send("subscribe", "mixer", listener.port)
    expect(listener.wait("subscribed").values[3], listener.port)
    listener.wait("snapshot/end")
    peer.code("master/gain", -4)
    listener.wait("master/gain", lambda m: m.values == [-4.0])
    sender.send("ping", 9)
    expect(listener.wait("pong").values, [9])
    check(not sender.inbox)


@case("all messages of a bundle take effect at one frame", [], ["7 a bundle is simultaneous"])
def bundle(peer, new_peer):
    watcher = new_peer()
    watcher.subscribe("layers")
    since = watcher.mark
    peer.send_bundle(("layer/1/beat", 5.0), ("layer/1/gain", -33.0), ("layer/4/carrier", 333.0))
    last = watcher.wait("layer/4/carrier", lambda m: m.values == [333.0], since)
    told = [m for m in watcher.inbox[since:] if m.path in ("layer/1/beat", "layer/1/gain", "layer/4/carrier")]
    check(len(told) == 3 and {m.bundle for m in told} == {last.bundle}, f"{told}")
    # What a jump and its pause leave is exactly where the jump went: no frame passed between the two.
    for position in (20.0, 33.0, 47.0, 61.0):
        prepare(peer, [("play",)])
        since = peer.mark
        peer.send_bundle(("position", position), ("pause",))
        peer.reply("pause", since)
        peer.sync()
        expect(peer.get("now/frame"), [int(position * 48000)])


@case("a bad member of a bundle gets its 400, the others stand", [], ["7 a bad member"])
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
    # However slow this machine is: while it counts among those that wait, it has not been done.
    waits, value = peer.get("bundles")[0], peer.get("tuning/a4")
    check(value == [440.0] or time.monotonic() - began > 2.9, f"{value} with {waits} waiting")
    peer.reply("tuning/a4", since)
    # It is handed over so far ahead as the sound needs.
    check(time.monotonic() - began > 2.5, "it was done early")
    expect(peer.get("tuning/a4"), [450.0])


@case("a late bundle is done at once", [], ["7 late bundles"])
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


@case("patterns reach what they match, inside one part of the address", [], ["8 patterns"])
def patterns(peer, _):
    for step in [("layer/[12]/gain", -41), ("layer/{3,4}/gain", -42), ("layer/?/mute", 1), ("layer/*/wid*", 0.5)]:
        replies = [m for m in peer.answers(*step) if m.path == "reply"]
        check(replies and all(m.values[1] == 0 for m in replies), f"{step} {replies}")
    expect([peer.get(f"layer/{n}/gain")[0] for n in (1, 2, 3, 4, 5)], [-41.0, -41.0, -42.0, -42.0, -34.0])
    expect([peer.get(f"layer/{n}/mute")[0] for n in range(1, 10)], [1] * 9)
    expect(peer.get("layer/1/width"), [0.5])
    # Layers without the parameter are skipped, and a get reaches them all.
    told = {m.path: m.values for m in peer.answers("layer/*/beat")}
    expect(sorted(told), ["layer/1/beat", "layer/10/beat", "layer/5/beat", "layer/7/beat", "layer/8/beat", "layer/9/beat"])
    expect(sorted(m.path for m in peer.answers("master/*")), ["master/gain", "master/mute"])
    peer.answers("layer/[!1-4]/gain", -43)
    expect(peer.get("layer/5/gain"), [-43.0])


@case("a pattern reaches no session, role or application address, and nothing across a slash", [],
      ["8 what patterns do not reach", "code 404"])
def unreachable(peer, new_peer):
    for pattern in ("qui?", "session/sav*", "session/*", "pla*", "*", "l*gain", "layer*gain", "subscrib?", "nowhere/*", "replie[s]"):
        answers = new_peer().answers(pattern)
        if pattern == "*":
            # Properties in one part answer; nothing else does, and no verb is done.
            paths = {m.path for m in answers}
            check({"rate", "repeat", "shuffle", "rating", "position", "meter"} <= paths, f"{paths}")
            check(not paths & {"play", "panic", "quit", "info", "status", "replies", "lifecycle", "log", "error"}, f"{paths}")
        elif pattern == "session/*":
            check(all(m.path in ("session/dirty", "error") for m in answers), f"{pattern} {answers}")
        else:
            check([m.values[1] for m in answers] == [404], f"{pattern} {answers}")
    for pattern in ("layer/[1/gain", "layer/{1/gain"):
        check(peer.code(pattern, -3) == 400, pattern)
    for path in ("nowhere", "layer/0/gain", "layer/01/gain", "layer/99/gain", "layer/x/gain", "play/", "/play", "/binaural"):
        check(new_peer().outcome_of_error(path) == 404, path)
    expect(peer.get("now/state"), ["stopped"])


@case("a pattern of stars costs next to nothing", [], ["8 linear time"])
def stars(peer, _):
    hostile = b"/*?*?*?*?*?*?*?*?*?#\0\0\0\0,\0\0\0"
    for _ in range(200):
        peer.send_bytes(hostile)
    # Seconds for each in a matcher that goes back; any answer at all shows that this one does not.
    peer.settle()
    peer.send("/binaural/" + "*?" * 100 + "#", 1)
    peer.settle()


@case("a pattern that reaches more than 64 addresses is refused", [], ["8 at most 64 targets"])
def too_many(_, new_peer):
    check(new_peer().outcome_of_error("*/*/*") == 400)
    check(new_peer().outcome_of_error("layer/*/{gain,mute}") is None)


@case("what a layer's kind lacks is 501", [], ["code 501"])
def not_supported(peer, _):
    for path in ("layer/2/carrier", "layer/1/pulseRate", "layer/4/width", "layer/3/correlation", "layer/2/note", "layer/2/xy"):
        outcome = peer.outcome(path, *([0.5, 0.5] if path.endswith("xy") else [3]))
        check(outcome.values[1] == 501, f"{outcome}")


@case("packets out hold at most 1400 bytes", [], ["9 packets of at most 1400 bytes"])
def packet_size(peer, _):
    listener = Listener(peer.destination[1], "layers", "commands", "now", "mixer")
    for path in ("", "layer", "layer/1"):
        listener.socket.send(message("describe", path))
    listener.socket.send(message("queue/list"))
    sizes = [len(data) for data in listener.packets(0.6)]
    listener.close()
    check(len(sizes) > 10 and 700 < max(sizes) <= 1400, f"{sizes}")


@case("texts are cut where a character ends: 128 bytes of a title, 256 of a comment, 96 of others", [], ["9 texts cut at a character"])
def texts(peer, _):
    prepare(peer, [("queue/select", 4)])
    expect(peer.get("now/title"), ["ab" + "ß" * 63])
    expect(peer.get("now/comment"), ["a" + "🎧" * 63])
    expect(peer.get("now/artist"), ["x" * 96])


@case("each topic tells its changes", [],
      [f"topic {t}" for t in ("now", "commands", "layers", "mixer", "jack", "log", "tick", "meters", "pattern")])
def topics(peer, new_peer):
    watchers = {}
    for topic in ("now", "commands", "layers", "mixer", "jack", "log", "tick/20", "meters/40", "/binaural/layer/[12]/pan"):
        watchers[topic] = new_peer()
        snapshot = watchers[topic].subscribe(topic)
        check(snapshot[-1].path == "snapshot/end" or any(m.path == "snapshot/end" for m in snapshot))
    marks = {topic: watcher.mark for topic, watcher in watchers.items()}

    def tells(topic, path, where=lambda m: True):
        watchers[topic].wait(path, where, marks[topic])

    peer.code("play")
    tells("now", "now/state", lambda m: m.values == ["playing"])
    peer.code("repeat", "all")
    tells("commands", "repeat", lambda m: m.values == ["all"])
    peer.code("layer/1/gain", -31)
    tells("layers", "layer/1/gain", lambda m: m.values == [-31.0])
    peer.code("layer/1/pan", 0.5)
    tells("/binaural/layer/[12]/pan", "layer/1/pan", lambda m: m.values == [0.5])
    peer.code("tuning/a4", 444)
    tells("mixer", "tuning/a4", lambda m: m.values == [444.0])
    tells("tick/20", "now/tick", lambda m: m.values[0] > 0)
    tells("tick/20", "now/text")
    tells("tick/20", "now/norm")
    tells("meters/40", "meter", lambda m: m.values[0] > -120)
    # A change of item tells all layers anew.
    marks["layers"] = watchers["layers"].mark
    peer.code("queue/next")
    tells("layers", "layer/count", lambda m: m.values == [1])
    tells("layers", "snapshot/end")
    # A topic tells what is its own.
    for watcher, foreign in ((watchers["mixer"], "layer/"), (watchers["jack"], "now/"), (watchers["now"], "meter")):
        check(not [m for m in watcher.inbox if m.path.startswith(foreign)])
    for wrong in ("tick", "meters/", "tick/fast", "songs", "/a[", ""):
        check(new_peer().outcome_of_error("subscribe", wrong) == 400, wrong)


@case("enabled is broadcast when it changes", [], ["topic commands"])
def enabled(peer, new_peer):
    watcher = new_peer()
    watcher.subscribe("commands")
    since = watcher.mark
    peer.code("play")
    watcher.wait("pause/enabled", lambda m: m.values == [1], since)
    peer.code("queue/select", 2)
    watcher.wait("position/norm/enabled", lambda m: m.values == [0], since)
    since = watcher.mark
    peer.code("queue/select", 1)
    watcher.wait("position/norm/enabled", lambda m: m.values == [1], since)


NOW = {f"now/{name}" for name in (
    "state title artist album composer genre comment artwork id track disc duration elapsed frame rate rate/default queue chapter "
    "rating liked sleep").split()}


@case("now playing comes as a whole, in one bundle with a time tag, on change and at no other time", [],
      ["now playing in one bundle", "now playing only on change"])
def now_playing(peer, _):
    listener = Listener(peer.destination[1], "now")
    listener.until(lambda tag, addresses: "snapshot/end" in addresses)
    for step, is_news in [(("play",), True), (("play",), False), (("position", 100), True), (("rate", 2), True), (("master/gain", -3), False),
                          (("pause",), True), (("rating", 3), True), (("layer/1/gain", -20), False), (("next",), True), (("stop",), True),
                          (("stop",), False), (("sleep", 60), True), (("sleep", 0), True), (("queue/next",), True), (("rate", 3), True)]:
        peer.code(*step)
        peer.sync()
        told = [listener.until(lambda tag, addresses: "now/state" in addresses)[-1]] if is_news else []
        # A second set would have been on its way by then.
        told += [data for data in listener.packets(0.15) if "now/state" in unpack(data)[1]]
        check(len(told) == is_news, f"{len(told)} sets after {step}")
        for tag, addresses in map(unpack, told):
            check(set(addresses) - {"alive"} == NOW, f"after {step}: {addresses}")
            check(abs(tag - time.time()) < 5, f"time tag {tag}")
    listener.close()


@case("alive tells the boot id and the number of the last change, hastily after one", [], ["alive"])
def alive(peer, new_peer):
    watcher = new_peer()
    watcher.subscribe("mixer")
    boot = peer.get("info")[5]
    numbers = []
    for gain in (-1, -2, -3):
        since = watcher.mark
        peer.code("master/gain", gain)
        watcher.wait("master/gain", lambda m: m.values == [gain], since)
        sign = watcher.wait("alive", since=since)
        check(sign.types == "hi" and sign.values[0] == boot, f"{sign}")
        numbers.append(sign.values[1])
        # Once more, though nothing has changed.
        watcher.wait("alive", lambda m: m.values[1] == numbers[-1], watcher.mark)
    expect(numbers, list(range(numbers[0], numbers[0] + 3)))


@case("at rest, alive comes every five seconds", [], ["alive"], patient=True)
def alive_at_rest(peer, new_peer):
    watcher = new_peer()
    watcher.subscribe("log")
    watcher.pump(3)
    since = watcher.mark
    watcher.pump(10.5)
    count = len([m for m in watcher.inbox[since:] if m.path == "alive"])
    check(1 <= count <= 3, f"{count} in 10 s")


@case("a lease ends when its peer is silent, and is told; any packet renews it", [], ["expired", "leases"], patient=True)
def expired(peer, new_peer):
    silent_one, lively = new_peer(), new_peer()
    for each in (silent_one, lively):
        each.subscribe("mixer", 0, 3)
    for _ in range(5):
        lively.settle()
        lively.pump(1)
    expect(silent_one.wait("expired").values, ["mixer"])
    lively.settle()
    check(not [m for m in lively.inbox if m.path == "expired"])
    since = lively.mark
    peer.code("master/gain", -2)
    lively.wait("master/gain", since=since)
    silent_one.pump(0.2)
    check(not [m for m in silent_one.inbox if m.path == "master/gain" and m.values == [-2.0]])


@case("a surface that cannot subscribe is named at the start and told without a lease", [], ["feedback peers"], patient=True)
def feedback(_, new_peer, new_program):
    surface = new_peer()
    with new_program("--osc-feedback", f"127.0.0.1:{surface.port}=now,mixer,tick/10") as program:
        for path in ("now/title", "master/gain", "now/text"):
            surface.wait(path)
        driver = new_peer(program)
        driver.send("replies", 2)
        driver.code("master/gain", -11)
        surface.wait("master/gain", lambda m: m.values == [-11.0])
        check(not [m for m in surface.inbox if m.path in ("alive", "expired")])


@case("accxyz is taken without the root, and is nobody's command by itself", [], ["root optional for ping and accxyz"])
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
    expect(peer.get("now/state"), ["stopped"])


@case("random bytes and mutilated packets: at most one short error each, and the program goes on", [],
      ["a malformed packet gets one short error"])
def mutilated(peer, new_peer):
    dice = random.Random(1)
    other = new_peer()
    sound = other.message("layer/1/beat", 4.0, 10.0, "sineInOut").serialise(full("layer/1/beat")) if hasattr(
        other.message("ping"), "serialise") else b"/binaural/layer/1/beat\0\0,ffs\0\0\0\0\x40\x80\0\0\x41\x20\0\0sineInOut\0\0\0"
    for _ in range(2000):
        data = bytearray(sound)
        for _ in range(dice.randrange(1, 6)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        other.send_bytes(bytes(data[:dice.randrange(1, len(data) + 1)]))
        other.send_bytes(bytes(dice.randrange(256) for _ in range(dice.randrange(1, 64))))
        other.pump()
    other.settle()
    check(peer.get("status")[0] == "running")


@case("errors are told ten times a second at most", [], ["errors at most 10 a second"])
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


@case("an answer is not answered, or two programs would talk for ever", [], ["an answer is not answered"])
def echoes(peer, new_peer):
    other = new_peer()
    for path, *arguments in [("pong", 1), ("reply", "/x", 0, ""), ("error", "/x", 404, "no"), ("alive", ("h", 1), 1), ("bye", "quit"),
                             ("snapshot/end", "now"), ("subscribed", "now", 1, 30, 9)]:
        check(other.answers(path, *arguments) == [], path)


@case("panic is always enabled, also from a peer without a break", [], ["panic always"])
def panic(peer, _):
    for _ in range(50):
        peer.send("panic")
    check(peer.code("panic") == 0)
    expect(peer.get("panic/enabled"), [1])
