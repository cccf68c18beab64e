"""Messages in and out: rules 1 to 6, 8 and 9 of the contract, beyond single rows."""
import time

from wire import Listener, message
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


@case("no argument, a number above 0 and T press; the release is ignored", [], ["2 press and release"])
def press(peer, _):
    for argument in (0, 0.0, False, -1, -0.5, ("h", 0), ("d", 0.0)):
        peer.answers("play", argument)
        expect(peer.get("now/state"), ["stopped"], f"play {argument}")
    for argument in (1, 0.001, True, 127, ("h", 5), ("d", 1.0)):
        check(peer.code("play", argument) == 0)
        expect(peer.get("now/state"), ["playing"], f"play {argument}")
        peer.code("stop")


@case("0 and negative numbers are values for rows that are not a press", [], ["2 zero and negative numbers are values elsewhere"])
def zero(peer, _):
    for path, value in (("layer/4/phase", -90.0), ("layer/4/pan", 0.0), ("layer/1/beat", -4.0), ("layer/1/beat", 0.0), ("layer/1/gain", 0.0)):
        check(peer.code(path, value) == 0)
        expect(peer.get(path), [value], path)
    prepare(peer, [("position", 50), ("skip/by", -20)])
    expect(peer.get("now/elapsed"), [30.0])


@case("too few arguments, the wrong kind, NaN and infinity are 400 and change nothing", [],
      ["2 too few, wrong kind, not finite", "code 400"])
def bad_arguments(peer, new_peer):
    prepare(peer, [("master/gain", -7), ("tuning/a4", 441), ("position", 33), ("layer/1/beat", 3)])
    nan, infinity = float("nan"), float("inf")
    for count, step in enumerate([
        ("skip/by",), ("layer/1/xy", 0.5), ("queue/move", 1), ("queue/select",), ("session/load",), ("subscribe",), ("sync",),
        ("master/gain", "loud"), ("position", "start"), ("position", b"abcd"), ("layer/1/beat", "four"), ("repeat", "twice"), ("repeat", 9),
        ("rate", "fast"), ("layer/1/note", "H9"), ("queue/select", "two"), ("subscribe", 5), ("session/load", 5),
        ("master/mute", "yes"), ("play", "now"), ("play", nan),
    ] + [(path, value) for value in (nan, infinity, -infinity, ("d", nan), ("d", infinity)) for path in (
        "master/gain", "master/gain/norm", "position", "position/norm", "skip/by", "rate", "rating", "tuning/a4", "master/fade", "sleep",
        "layer/1/beat", "layer/1/gain/norm", "layer/4/note")] + [
        ("layer/1/beat", 5.0, nan), ("layer/1/xy", 0.5, nan), ("layer/1/mute", nan), ("queue/select", nan), ("replies", infinity)]):
        # A peer gets at most ten errors a second.
        if count % 10 == 0:
            other = new_peer()
        outcome = other.outcome(*step)
        check(outcome.values[1] == 400 and len(outcome.values[2]) > 10, f"{step} answered {outcome}")
    expect([peer.get(p)[0] for p in ("master/gain", "tuning/a4", "now/elapsed", "layer/1/beat", "rate")], [-7.0, 441.0, 33.0, 3.0, 1.0])


@case("more arguments than an address takes are 400 and change nothing; a text with spaces is one string", [], ["2 surplus arguments"])
def surplus(peer, new_peer):
    prepare(peer, [("tuning/a4", 441), ("layer/1/beat", 3), ("stop",)])
    for step in [
        ("tuning/a4", 431.0, "and"), ("tuning/a4", 431.0, 5, ("d", 1.0)), ("layer/1/beat", 6.0, 0.05, "linear", 99), ("play", 1, 2), ("play", 1, 0),
        ("preset/save", "my", "preset"), ("layer/1/mute", 1, 1), ("now/title", 5),
    ]:
        outcome = new_peer().outcome(*step)
        check(outcome.values[1] == 400 and len(outcome.values[2]) > 10, f"{step} answered {outcome}")
    expect([peer.get("tuning/a4"), peer.get("layer/1/beat"), peer.get("now/state")], [[441.0], [3.0], ["stopped"]])
    check("quotes" in new_peer().outcome("preset/save", "my", "preset").values[2])
    expect([m.path for m in peer.answers("preset/list")], ["preset/end"])
    check(peer.code("preset/save", "my preset") == 0)
    check([m.values[1] for m in peer.answers("preset/list") if m.path == "preset/item"] == ["my preset"])


@case("a number that stands for a name has to be whole: as an integer or as a float", [], ["3 enumerations by name or index"])
def whole_numbers(peer, new_peer):
    for step in [
        ("repeat", 1.5), ("shuffle", 0.5), ("layer/4/wave", 2.5), ("layer/1/beat", 4.0, 0.1, 2.5), ("layer/select", 1.5), ("queue/select", 1.5),
        ("queue/move", 1.5, 2), ("preset/load", 1.5), ("replies", 1.5), ("midi/map", 7.5, "rate"), ("subscribe", "now", 9000.5),
    ]:
        outcome = new_peer().outcome(*step)
        check(outcome.values[1] == 400, f"{step} answered {outcome}")
    for step in [("repeat", 2.0), ("layer/4/wave", 2.0), ("layer/1/beat", 4.0, 0.1, 2.0), ("layer/select", 2.0), ("queue/select", 1.0)]:
        check(peer.code(*step) == 0, f"{step}")
    expect([peer.get("repeat"), peer.get("layer/4/wave"), peer.get("layer/select")], [["all"], ["square"], [2]])


@case("only i f s are sent, and h t b where the table says so", [], ["2 only i f s go out"])
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


@case("a change is sent to others at once, and to its sender after a rest", [], ["4 echo to others at once, to the sender at rest"])
def echo(peer, new_peer):
    watcher = new_peer()
    for each in (peer, watcher):
        each.subscribe("mixer")
    mine, theirs = peer.mark, watcher.mark
    began = time.monotonic()
    peer.send("master/gain", -8.0)
    watcher.wait("master/gain", lambda m: same(m.values, [-8.0]), theirs)
    peer.wait("master/gain", lambda m: same(m.values, [-8.0]), mine)
    check(time.monotonic() - began >= 0.149, "the sender got its own value too early")
    # The sender of a stream of sets gets only the last value.
    mine = peer.mark
    rests, last = 0, time.monotonic()
    for step in range(40):
        peer.send("master/gain", -float(step))
        peer.pump(0.01)
        # If the machine lets the peer sleep for 150 ms, there is another rest.
        rests += time.monotonic() - last > 0.1
        last = time.monotonic()
    peer.wait("master/gain", lambda m: same(m.values, [-39.0]), mine)
    received = [m.values[0] for m in peer.inbox[mine:] if m.path == "master/gain"]
    check(len(received) <= 4 + rests, f"{received}, {rests} rests")


@case("the sender is notified at once if the applied value differs", [], ["4 echo to the sender when it came out different"])
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


@case("answers and feedback go to another port of the same address on request", [], ["6 another port of the same address"])
def other_port(peer, new_peer):
    sender, listener = new_peer(), new_peer()
    sender.send("subscribe", "mixer", listener.port)
    expect(listener.wait("subscribed").values[3], listener.port)
    listener.wait("snapshot/end")
    peer.code("master/gain", -4)
    listener.wait("master/gain", lambda m: m.values == [-4.0])
    sender.send("ping", 9)
    expect(listener.wait("pong").values[0], 9)
    check(not sender.inbox)
    for none in (-1, 65536, 99999):
        check(peer.code("subscribe", "mixer", none) == 400, f"{none}")


@case("patterns match within one part of the address", [], ["8 patterns"])
def patterns(peer, new_peer):
    for step in [("layer/[12]/gain", -41), ("layer/{3,4}/gain", -42), ("layer/?/mute", 1), ("layer/*/wid*", 0.5)]:
        replies = [m for m in peer.answers(*step) if m.path == "reply"]
        check(replies and all(m.values[1] == 0 for m in replies), f"{step} {replies}")
    expect([peer.get(f"layer/{n}/gain")[0] for n in (1, 2, 3, 4, 5)], [-41.0, -41.0, -42.0, -42.0, -34.0])
    expect([peer.get(f"layer/{n}/mute")[0] for n in range(1, 10)], [1] * 9)
    expect(peer.get("layer/1/width"), [0.5])
    # Layers without the parameter are skipped, and a get matches all others.
    received = {m.path: m.values for m in peer.answers("layer/*/beat")}
    expect(sorted(received), ["layer/1/beat", "layer/10/beat", "layer/5/beat", "layer/7/beat", "layer/8/beat", "layer/9/beat"])
    expect(sorted(m.path for m in peer.answers("master/*")), ["master/gain", "master/mute"])
    # Without arguments a pattern only reads: it presses nothing.
    prepare(peer, [("layer/1/gain", -44)])
    check("layer/1/gain" in {m.path for m in peer.answers("layer/1/*")})
    check(new_peer().outcome_of_error("layer/*/reset") == 400)
    expect(peer.get("layer/1/gain"), [-44.0])
    prepare(peer, [("layer/1/gain", -41)])
    peer.answers("layer/[!1-4]/gain", -43)
    expect(peer.get("layer/5/gain"), [-43.0])


@case("a pattern matches no session, role or application address, and nothing across a slash", [],
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


@case("a layer answers by its name as by its number, on the address that was sent", [], ["layers by name"])
def names(peer, new_peer):
    watcher = new_peer()
    watcher.subscribe("/binaural/layer/rain/gain")
    since = watcher.mark
    check(peer.code("layer/rain/gain", -41) == 0)
    # Feedback has the number.
    expect(watcher.wait("layer/2/gain", since=since).values, [-41.0])
    expect([peer.get("layer/2/gain"), peer.get("layer/rain/gain"), peer.get("layer/rain/kind")], [[-41.0], [-41.0], ["noise"]])
    check(peer.code("touch/layer/rain/gain", 1) == 0 and peer.get("touch/layer/2/gain") == [1])
    check(peer.code("touch/layer/rain/gain", 0) == 0)
    expect(sorted(m.path for m in peer.answers("layer/{bed,rain,1}/gain")), ["layer/1/gain", "layer/2/gain"])
    expect([m.values[0] for m in peer.answers("describe", "layer/rain") if m.path == "describe"][0].split("/")[:2], ["layer", "rain"])
    check(peer.code("midi/map", 7, "layer/rain/gain") == 0 and peer.code("midi/forget", "layer/rain/gain") == 0)
    for name in ("Rain", "nobody", "rain ", "ra in", "0", "007", "99999999999999999999", "", "-", "x" * 65, "r\u00e4in"):
        check(new_peer().outcome_of_error(f"layer/{name}/gain", -3) in (400, 404), name)
    expect(peer.get("layer/2/gain"), [-41.0])


@case("an address that others begin with answers the values below it, and changes nothing", [], ["values below an address"])
def below(peer, new_peer):
    prepare(peer, [("layer/1/gain", -44)])
    told = {m.path: m.values for m in peer.answers("layer/1")}
    check(told["layer/1/gain"] == [-44.0] and told["layer/1/name"] == ["bed"] and told["layer/1/beat"] == [10.0], f"{told}")
    check(all(path.startswith("layer/1/") and not path.endswith("/norm") for path in told), f"{told}")
    check({m.path for m in peer.answers("layer/bed")} == {path.replace("/1/", "/bed/") for path in told})
    # liblo holds a bundle back until its time, so that a later answer may come first.
    since = peer.mark
    peer.send("now")
    for path in ("now/state", "now/title", "now/rate/default"):
        peer.wait(path, since=since)
    expect([m.values for m in peer.answers("layer") if m.path.endswith("/name")][:3], [["bed"], ["rain"], ["pulse"]])
    for path in ("layer/1", "layer", "preferences", "master", "queue", "skip", "jack", "session", "midi", "touch/master"):
        answers = peer.answers(path)
        check(0 < len(answers) <= 64 and not any(m.path in ("error", "reply") for m in answers), f"{path} {answers}")
        check(new_peer().outcome_of_error(path, 1) == 404, path)
    for path, code in (("touch", 400), ("preset", 404), ("layer/11", 404), ("layer/nobody", 404), ("/binaural/", 404)):
        check(new_peer().outcome_of_error(path) == code, path)
    expect([peer.get("layer/1/gain"), peer.get("now/state")], [[-44.0], ["stopped"]])


@case("a misspelt address is 404 with the nearest address", [], ["a misspelt address"])
def misspelt(peer, new_peer):
    for path, meant in (("layer/1/gian", "layer/1/gain"), ("layer/bed/bet", "layer/bed/beat"), ("plya", "play"), ("title", "now/title")):
        errors = [m for m in new_peer().answers(path, 1) if m.path == "error"]
        check(errors and errors[0].values[1] == 404 and errors[0].values[2].endswith(f"did you mean {meant}?"), f"{path} {errors}")
    errors = [m for m in new_peer().answers("layer/rian/gain", -3) if m.path == "error"]
    check(errors[0].values[2] == "There is no layer 'rian': did you mean rain?", f"{errors}")
    expect(peer.get("now/state"), ["stopped"])


@case("a pattern of stars takes almost no time", [], ["8 linear time"])
def stars(peer, _):
    hostile = b"/*?*?*?*?*?*?*?*?*?#\0\0\0\0,\0\0\0"
    for _ in range(200):
        peer.send_bytes(hostile)
    # A backtracking matcher takes seconds for each; any answer shows that this one does not.
    peer.settle()
    peer.send("/binaural/" + "*?" * 100 + "#", 1)
    peer.settle()


@case("a pattern that matches more than 64 addresses is refused", [], ["8 at most 64 targets"])
def too_many(_, new_peer):
    check(new_peer().outcome_of_error("*/*/*") == 400)
    check(new_peer().outcome_of_error("layer/*/{gain,mute}") is None)


@case("a parameter that the layer's kind lacks is 501", [], ["code 501"])
def not_supported(peer, _):
    for path in ("layer/2/carrier", "layer/1/pulseRate", "layer/4/width", "layer/3/correlation", "layer/2/note", "layer/2/xy"):
        outcome = peer.outcome(path, *([0.5, 0.5] if path.endswith("xy") else [3]))
        check(outcome.values[1] == 501, f"{outcome}")


@case("outgoing packets have at most 1400 bytes", [], ["9 packets of at most 1400 bytes"])
def packet_size(peer, _):
    listener = Listener(peer.destination[1], "layers", "commands", "now", "mixer")
    for path in ("", "layer", "layer/1"):
        listener.socket.send(message("describe", path))
    listener.socket.send(message("queue/list"))
    sizes = [len(data) for data in listener.packets(0.6)]
    listener.close()
    check(len(sizes) > 10 and 700 < max(sizes) <= 1400, f"{sizes}")


@case("texts are cut at a character boundary: 128 bytes of a title, 256 of a comment, 96 of others", [], ["9 texts cut at a character"])
def texts(peer, _):
    prepare(peer, [("queue/select", 4)])
    expect(peer.get("now/title"), ["ab" + "ß" * 63])
    expect(peer.get("now/comment"), ["a" + "🎧" * 63])
    expect(peer.get("now/artist"), ["x" * 96])
