"""Layers and the mixer."""
import time

from suite import address, case, check, expect, prepare, reads, same, sets

# Parameter: its layer, initial value, value to set, excessive value, its clamped value, norm, norm to set, its value.
PARAMETERS = {
    "carrier": (4, 432.0, 220.0, 1e6, 20000.0, 0.5, 200.0),
    "beat": (1, 10.0, 4.0, -1e6, -100.0, 0.5, 20.0),
    "pulseRate": (3, 7.0, 9.0, 1e6, 100.0, 0.5, 20.0),
    "duty": (3, 0.5, 0.25, 2.0, 0.95, 1.0, 0.95),
    "edge": (3, 0.02, 0.05, 9.0, 1.0, 1.0, 1.0),
    "depth": (8, 90.0, 60.0, 1e6, 360.0, 0.5, 180.0),
    "decay": (6, 6.0, 10.0, 1e6, 60.0, 0.5, 4.0),
    "delay": (7, 350.0, 250.0, -1.0, 0.0, 0.5, 500.0),
    "phase": (4, 0.0, -90.0, 1000.0, 360.0, 0.75, 90.0),
    "gain": (1, -26.0, -40.0, 12.0, 0.0, 0.5, -30.0),
    "pan": (4, -0.3, 0.25, -9.0, -1.0, 0.75, 0.5),
    "width": (1, 1.0, 0.5, 2.0, 1.0, 0.25, 0.25),
    "correlation": (2, 0.3, 0.75, -1.0, 0.0, 0.5, 0.5),
    "attack": (10, 0.02, 0.1, 99.0, 10.0, 1.0, 10.0),
    "release": (10, 0.5, 1.0, 0.0, 0.02, 1.0, 30.0),
}
for name, (layer, value, new, excess, clamped, norm, at_norm) in PARAMETERS.items():
    row = f"layer/N/{name}"
    path = f"layer/{layer}/{name}"
    reads(row, "f", [value], layer=layer)
    sets(row, [new], {path: [new]}, layer=layer)
    sets(row, [excess], {path: [clamped]}, layer=layer)
    reads(f"{row}/norm", "f", lambda v: 0 <= v[0] <= 1, layer=layer)
    sets(f"{row}/norm", [norm], {path: [at_norm], f"{path}/norm": [norm]}, layer=layer)

reads("layer/count", "i", [10])
@case("chapter/list answers with start and title of each chapter", ["set chapter/list"])
def chapter_list(peer, _):
    answers = peer.answers("chapter/list")
    check([a.types for a in answers] == ["ifs"] * 3 + ["i"] and [a.values[1] for a in answers[:-1]] == [0.0, 200.0, 400.0], f"{answers}")
    expect(answers[-1].values, [3])


@case("bookmark/list answers with the time of each bookmark, in order", ["set bookmark/list"])
def bookmark_list(peer, _):
    for position in (90.0, 30.0):
        peer.send("position", position), peer.send("bookmark", 1), peer.sync()
    answers = peer.answers("bookmark/list")
    check([a.types for a in answers] == ["if"] * 2 + ["i"], f"{answers}")
    check(abs(answers[0].values[1] - 30) < 2 and abs(answers[1].values[1] - 90) < 2 and answers[-1].values == [2], f"{answers}")


@case("course/place/list answers with each chapter, course/point/list with each value of carriers, beats and gains",
      ["set course/place/list", "set course/point/list"])
def course_lists(peer, _):
    places = peer.answers("course/place/list")
    check([a.types for a in places] == ["isffs"] * 3 + ["i"], f"{places}")
    expect(places[1].values, [2, "chapter", 200.0, 100.0, "Drop"])
    points = peer.answers("course/point/list")
    check({a.types for a in points[:-1]} == {"iiisff"} and points[-1].values == [len(points) - 1], f"{points}")
    check([a.values[1:] for a in points[:-1] if a.values[1] > 0] == [[2, 1, "beat", 4.0, 300.0]], f"{points}")


@case("changes of chapters and points are in the lists, count up course/revision, and are undone",
      ["set course/start", "set course/over", "set course/value", "set course/reset", "get course/revision"])
def course_changes(peer, _):
    for message, read in ((("course/start", 2, 150.0), ["chapter", 150.0, 100.0]), (("course/over", 2, 50.0), ["chapter", 150.0, 50.0])):
        peer.code(*message)
        expect(peer.answers("course/place/list")[1].values[1:4], read)
    peer.code("course/value", 2, 1, "beat", 6.0)
    check([2, 1, "beat", 6.0, 200.0] in [a.values[1:] for a in peer.answers("course/point/list")[:-1]], "the value is not in the list")
    expect(peer.get("course/revision")[1], 3)
    peer.code("undo")
    expect(peer.get("course/revision")[1], 2)
    peer.code("course/reset")
    expect(peer.get("course/revision")[1], 0)
    expect(peer.answers("course/place/list")[1].values[2:4], [200.0, 100.0])


sets("course/start", [2, 500], {}, code=400)
sets("course/start", [9, 1], {}, code=100)
sets("course/over", [2, 0], {}, code=400)
sets("course/value", [1, 1, "beat", 5], {}, code=100)
sets("course/value", [0, 2, "beat", 5], {}, code=501)
reads("chapter/starts", "fff", [0.0, 200.0, 400.0])
reads("layer/select", "i", [1])
sets("layer/select", [3], {"layer/select": [3], "layer/selected/name": ["pulse"]})
sets("layer/select", [11], {}, code=404)
reads("layer/N/name", "s", ["bed"], layer=1)
reads("layer/N/kind", "s", ["noise"], layer=2)
reads("layer/N/note", "i", [69], layer=4, after=[("layer/4/carrier", 440)])
sets("layer/N/note", [57], {"layer/4/carrier": [220.0]}, layer=4)
sets("layer/N/note", ["C#4"], {"layer/4/carrier": lambda v: same(v, [277.18263])}, layer=4)
sets("layer/N/note", ["A3"], {"layer/4/carrier": [216.0]}, layer=4, after=[("tuning/a4", 432)])
reads("layer/N/mute", "i", [0], layer=1)
sets("layer/N/mute", [1], {"layer/2/mute": [1]}, layer=2)
sets("layer/N/mute", [False], {"layer/2/mute": [0]}, layer=2, after=[("layer/2/mute", 1)])
reads("layer/N/edited", "i", [0], layer=1)
reads("layer/N/solo", "i", [0], layer=1)
sets("layer/N/solo", [True], {"layer/3/solo": [1]}, layer=3)
reads("layer/N/xy", "ff", lambda v: same(v[0], 0.25), layer=1)
sets("layer/N/xy", [0.5, 1.0], {"layer/1/beat": [20.0], "layer/1/gain": [0.0], "layer/1/edited": [1]}, layer=1)
sets("layer/N/reset", [], {"layer/1/beat": [10.0], "layer/1/gain": [-26.0], "layer/1/edited": [0]}, layer=1, after=[("layer/1/beat", 5), ("layer/1/gain", -50)])
sets("queue/reset", [1], {"layer/1/beat": [10.0], "layer/4/pan": [-0.3]}, after=[("layer/1/beat", 5), ("layer/4/pan", 1)])
sets("queue/reset", [50], {}, code=100)

reads("master/gain", "f", [0.0])
sets("master/gain", [-12.5], {"master/gain": [-12.5]})
sets("master/gain", [6], {"master/gain": [0.0]})
sets("master/gain", [-500], {"master/gain": [-120.0]})
reads("tuning/a4/norm", "f", [0.25], after=[("tuning/a4", 375)])
sets("tuning/a4/norm", [0.5], {"tuning/a4": [550.0], "tuning/a4/norm": [0.5]})
reads("master/gain/norm", "f", [1.0])
sets("master/gain/norm", [0.5], {"master/gain": [-30.0]})
reads("master/mute", "i", [0])
sets("master/mute", [1], {"master/mute": [1]})
sets("master/fade", [0.05], {"now/state": ["stopped"], "master/gain": [0.0]}, after=[("play",)])
sets("master/fade", [0], {"now/state": ["stopped"]}, after=[("play",)])
reads("sleep", "ffs", [0.0, 60.0, "sineIn"])
sets("sleep", [0.1], {"now/state": ["stopped"], "master/gain": [0.0], "now/sleep": [0.0]}, after=[("play",)])
sets("sleep", [90, 30, "quadIn"], {"sleep": lambda v: 85 < v[0] <= 90 and v[1:] == [30.0, "quadIn"]})
sets("sleep", [0], {"sleep": lambda v: v[0] == 0, "now/sleep": [0.0]}, after=[("play",), ("sleep", 90)])
reads("sleep/norm", "f", [0.0])
sets("sleep/norm", [0.5], {"sleep": lambda v: 2270 < v[0] < 2277, "sleep/norm": lambda v: 0.499 < v[0] <= 0.5})
sets("sleep/norm", [0], {"sleep": lambda v: v[0] == 0}, after=[("sleep", 90)])
reads("tuning/a4", "f", [440.0])
sets("tuning/a4", [432], {"tuning/a4": [432.0]})
sets("tuning/a4", [1], {"tuning/a4": [200.0]})


@case("layer/selected/… is the layer that was selected", ["get layer/N/gain", "set layer/N/gain"])
def selected(peer, _):
    prepare(peer, [("layer/select", 2), ("layer/selected/gain", -50)])
    expect(peer.get("layer/2/gain"), [-50.0])
    expect(peer.get("layer/selected/kind"), ["noise"])


@case("a ramp takes its time, with or without an easing", ["set layer/N/beat", "set master/gain"], ["5 ramps and easings"])
def ramps(peer, _):
    for arguments in ([4.0, 0.2], [6.0, 0.3, "sineInOut"], [5, 0], [8.0, 0.1, "bounceOut"]):
        check(peer.code("layer/1/beat", *arguments) == 0, f"{arguments}")
        expect(peer.get("layer/1/beat"), [float(arguments[0])])
    check(peer.code("layer/1/beat", 4.0, 1.0, "noSuchEasing") == 400)
    # A clamped ramp could not be reported, so one out of its range is refused.
    value = peer.get("layer/1/beat")
    for seconds in (-1.0, -0.001, 86401, 1e9):
        outcome = peer.outcome("layer/1/beat", 3.5, seconds)
        check(outcome.values[1] == 400 and "0 to 86400 s" in outcome.values[2], f"{seconds} answered {outcome}")
    expect(peer.get("layer/1/beat"), value)
    check(peer.code("layer/1/beat", 3.5, 0) == 0)
    check(peer.code("master/gain", -6, 0.1, "linear") == 0)


@case("a ramp ends after its time and not before, whatever its easing", ["set layer/N/beat", "set master/gain"], ["5 ramps take their time"])
def ramp_times(peer, new_peer):
    watcher = new_peer()
    watcher.subscribe("layers")
    prepare(peer, [("play",)])
    for path, values, easing in (("layer/1/beat", (6.0, 3.0), []), ("layer/4/carrier", (300.0, 200.0), ["linear"]),
                                 ("master/gain", (-9.0, -3.0), ["bounceOut"])):
        for seconds, value in zip((0.4, 1.2), values):
            since, began = watcher.mark, time.monotonic()
            prepare(peer, [(path, value, seconds, *easing)])
            watcher.wait("ramp/done", lambda m: m.values == [f"/binaural/{path}"], since)
            # The report may be late on a busy machine, and early only by the latency between setting and hearing.
            check(time.monotonic() - began > seconds - 0.03, f"{path} {seconds} s took {time.monotonic() - began:.3f} s")

reads("layer/N/wave", "s", ["sine"], layer=1)
for argument, wave in (("triangle", "triangle"), (2, "square"), (3.0, "sawtooth")):
    sets("layer/N/wave", [argument], {"layer/4/wave": [wave]}, layer=4)
reads("layer/N/wave", "s", ["table"], layer=6)
sets("layer/N/wave", ["table"], {"layer/6/wave": ["table"]}, layer=6, after=[("layer/6/wave", "square")])
sets("layer/N/wave", ["table"], {"layer/4/wave": ["sine"]}, layer=4, code=501)

# Touches

# Control: its layer, the toucher's value, another peer's value.
HELD = {
    "master/gain": (None, [-7.0], [0.75]), "master/gain/norm": (None, [0.4], [0.75]),
    "tuning/a4": (None, [430.0], [450.0]), "tuning/a4/norm": (None, [0.4], [0.75]),
    "layer/N/note": (4, [57], ["C4"]), "layer/N/xy": (1, [0.4, 0.3], [0.75, 0.75]),
}
for name, (layer, _, new, *_) in PARAMETERS.items():
    HELD[f"layer/N/{name}"] = (layer, [new], [0.75])
    HELD[f"layer/N/{name}/norm"] = (layer, [0.4], [0.75])
for control, (layer, mine, theirs) in HELD.items():
    reads(f"touch/{control}", "i", [0], layer=layer)

    def held(control, layer, mine, theirs):
        @case(f"touch/{control} holds it: another peer's set is 409, and the touching peer gets no echo", [f"set touch/{control}"],
              ["code 409", "touch"])
        def body(peer, new_peer):
            path = address(control, layer)
            other, watcher = new_peer(), new_peer()
            other.send("replies", 2)
            for topic in ("layers", "mixer"):
                peer.subscribe(topic)
                watcher.subscribe(topic)
            began = watcher.mark
            check(peer.code(f"touch/{path}", 1) == 0)
            expect(peer.get(f"touch/{path}"), [1])
            since, seen = peer.mark, watcher.mark
            check(peer.code(path, *mine) == 0)
            expect(other.outcome(path, *theirs).values[1], 409)
            watcher.wait(path, since=seen)
            peer.pump(0.2)
            check(not [m for m in peer.inbox[since:] if m.path == path], "the touching peer got an echo")
            # A touch is sent to the others like any change; a touch of a twin is one of the control itself.
            watcher.wait(f"touch/{path.removesuffix('/norm')}", lambda m: m.values == [1], began)
            seen = watcher.mark
            check(peer.code(f"touch/{path}", 0) == 0)
            watcher.wait(f"touch/{path.removesuffix('/norm')}", lambda m: m.values == [0], seen)
            check(other.code(path, *theirs) == 0)
    held(control, layer, mine, theirs)


@case("a rate that follows another layer's is sent when that is set, and neither setting nor touching it is possible: 409",
      [], ["code 409"])
def follower(_, new_peer, new_program):
    text = "layers:\n  - {name: rain, noise: {amRate: bed.beat}}\n  - {name: bed, binaural: {beat: 8}}\n"
    with new_program(queue=["locked.yaml"], files={"locked.yaml": text}) as program:
        peer, watcher = new_peer(program), new_peer(program)
        peer.send("replies", 2)
        watcher.subscribe("layers")
        expect(peer.get("layer/1/amRate"), [8.0])
        seen = watcher.mark
        check(peer.code("layer/2/beat", 4.0) == 0)
        watcher.wait("layer/1/amRate", lambda m: same(m.values, [4.0]), seen)
        for path, value in (("layer/1/amRate", 5.0), ("layer/1/amRate/norm", 0.5), ("touch/layer/1/amRate", 1)):
            outcome = peer.outcome(path, value)
            check(outcome.values[1] == 409 and "bed.beat" in outcome.values[2], f"{outcome}")
        expect(peer.get("layer/1/amRate"), [4.0])


reads("touch/mode", "s", ["latch"])
for argument, mode in (("return", "return"), (0, "latch"), (1.0, "return")):
    sets("touch/mode", [argument], {"touch/mode": [mode]})


@case("a released control stays with touch/mode latch, and goes back with return", ["set touch/mode", "set touch/layer/N/beat"], ["touch"])
def let_go(peer, _):
    for mode, left in (("latch", 3.0), ("return", 10.0)):
        prepare(peer, [("queue/reset", 1), ("touch/mode", mode), ("touch/layer/1/beat", 1), ("layer/1/beat", 3.0)])
        expect(peer.get("layer/1/beat"), [3.0])
        prepare(peer, [("touch/layer/1/beat", 0)])
        peer.until("layer/1/beat", lambda v: same(v, [left]))


@case("xy touches both of its parameters, or none if another peer touches one", ["set touch/layer/N/xy"], ["touch", "code 409"])
def both(peer, new_peer):
    other = new_peer()
    other.send("replies", 2)
    check(other.code("touch/layer/1/gain", 1) == 0)
    check(peer.code("touch/layer/1/xy", 1) == 409)
    check(peer.code("layer/1/xy", 0.9, 0.9) == 409)
    expect(peer.get("layer/1/beat"), [10.0])
    check(other.code("layer/1/beat", 11.0) == 0 and other.code("touch/layer/1/gain", 0) == 0)
    check(peer.code("touch/layer/1/xy", 1) == 0)
    for path in ("layer/1/beat", "layer/1/gain/norm"):
        check(other.code(path, 0.9) == 409, path)
    check(peer.code("touch/layer/1/xy", 0) == 0)


@case("a preset stores touched values as heard, and does not change what another peer touches", ["set preset/load", "set preset/save"], ["touch"])
def held_and_preset(peer, new_peer):
    other = new_peer()
    other.send("replies", 2)
    try:
        prepare(peer, [("touch/layer/1/beat", 1), ("layer/1/beat", 3.0), ("preset/save", "held"), ("layer/1/beat", 7.0)])
        check(other.code("layer/4/carrier", 500.0) == 0 and other.code("preset/load", "held") == 0)
        expect([peer.get("layer/1/beat")[0], peer.get("layer/4/carrier")[0]], [7.0, 432.0])
        prepare(peer, [("touch/layer/1/beat", 0), ("preset/load", "held")])
        expect(peer.get("layer/1/beat"), [3.0])
    finally:
        peer.code("preset/remove", "held")


@case("a change of item ends a touch", ["set touch/layer/N/gain"], ["touch"])
def next_item(peer, new_peer):
    other = new_peer()
    other.send("replies", 2)
    prepare(peer, [("touch/layer/1/gain", 1), ("queue/next",), ("queue/select", 1)])
    expect(peer.get("touch/layer/1/gain"), [0])
    check(other.code("layer/1/gain", -30) == 0)


@case("when a requested ramp ends, ramp/done names its address", ["set layer/N/gain", "set master/gain"], ["5 ramps and easings"])
def ramp_done(peer, new_peer):
    watcher = new_peer()
    watcher.subscribe("layers")
    prepare(peer, [("play",)])
    for path, value in (("layer/1/gain", -33.0), ("master/gain", -3.0)):
        since = watcher.mark
        prepare(peer, [(path, value, 0.3)])
        done = watcher.wait("ramp/done", since=since)
        check(done.types == "s" and done.values[0] == f"/binaural/{path}", f"{done}")


@case("a bundle with ramp/id gets ramp/finished once, when its last ramp ends", ["set ramp/id"], ["5 ramps and easings"])
def ramp_id(peer, _):
    prepare(peer, [("play",)])
    peer.subscribe("layers")
    since = peer.mark
    peer.send_bundle(("ramp/id", 77), ("layer/1/gain", -30.0, 0.2), ("layer/4/carrier", 300.0, 0.5))
    finished = peer.wait("ramp/finished", since=since)
    check(finished.types == "i" and finished.values == [77], f"{finished}")
    peer.pump(0.5)
    check(len([m for m in peer.inbox[since:] if m.path == "ramp/finished"]) == 1)
    # Without a ramp it is sent at once, also if every command was refused, or the bundle itself.
    for number, (messages, after) in enumerate([
        ((("layer/1/gain", -20.0), ("layer/1/mute", 1)), None), ((("layer/99/gain", -20.0, 1.0), ("layer/1/gain", "loud", 1.0)), None),
        ((("layer/2/carrier", 100.0, 1.0),), None), ((("layer/1/gain", -20.0, 1.0),), 75),
    ]):
        since = peer.mark
        peer.send_bundle(("ramp/id", 78 + number), *messages, after=after)
        check(peer.wait("ramp/finished", since=since).values == [78 + number], f"{messages}")
