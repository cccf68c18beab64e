"""Commands and now playing."""
from pathlib import Path

from program import FILES
from suite import case, check, expect, prepare, reads, same, sets

PLAYING = [("play",)]
LAST = [("queue/select", 4)]


def enabled(command, disabled_after=None, enabled_after=(), attempt=()):
    """`enabled` is 1 if the command is possible; otherwise it is 0 and the command answers 405."""
    path = f"{command}/enabled"
    reads(path, "i", [1], after=enabled_after)
    if disabled_after is not None:
        @case(f"{command} is disabled if it is not possible", [f"get {path}", f"set {command}"], ["code 405"])
        def body(peer, _):
            for step in disabled_after:
                check(peer.code(*step) == 0, f"{step} failed")
            expect(peer.get(path), [0], path)
            outcome = peer.outcome(command, *attempt)
            check(outcome.values[1] == 405 and len(outcome.values[2]) > 10, f"{outcome}")


def near(seconds, tolerance=3):
    return lambda values: seconds - 0.01 <= values[0] <= seconds + tolerance


for press in ([], [1.0], [True], [2]):
    sets("play", press, {"now/state": ["playing"], "now/rate": [1.0]})
sets("pause", [], {"now/state": ["paused"], "now/rate": [0.0]}, after=PLAYING)
sets("toggle", [], {"now/state": ["playing"]})
sets("toggle", [1], {"now/state": ["paused"]}, after=PLAYING)
sets("stop", [], {"now/state": ["stopped"], "now/elapsed": [0.0]}, after=PLAYING + [("position", 30)])
sets("next", [], {"now/chapter": [2, 3, "Drop"], "now/queue": [1, 4]})
sets("next", [], {"now/queue": [2, 4]}, after=[("position", 450)])
sets("previous", [], {"now/chapter": [1, 3, "Settle"], "now/elapsed": [0.0]}, after=[("position", 201)])
sets("previous", [], {"now/elapsed": [200.0]}, after=[("position", 250)])
sets("queue/next", [], {"now/queue": [2, 4]})
sets("queue/previous", [], {"now/queue": [2, 4]}, after=[("queue/select", 3)])
sets("skip/forward", [], {"now/elapsed": [115.0]}, after=[("position", 100)])
sets("skip/backward", [], {"now/elapsed": [85.0]}, after=[("position", 100)])
sets("skip/by", [12.5], {"now/elapsed": [112.5]}, after=[("position", 100)])
sets("skip/by", [-200], {"now/elapsed": [0.0]}, after=[("position", 100)])
sets("skip/by", [700], {"now/queue": [2, 4]}, after=[("position", 100)])
for argument in (30.5, ("d", 30.5), 30, ("h", 30)):
    sets("position", [argument], {"position": near(30, 0.6), "now/frame": lambda v: v[0] in (1440000, 1464000)})
sets("position/norm", [0.25], {"position/norm": [0.25], "now/elapsed": [150.0]})
sets("position", [1e9], {"now/queue": [2, 4], "now/elapsed": [0.0]}, after=[("position", 10)])
sets("rate", [2.5], {"rate": [2.5], "now/rate/default": [2.5]})
sets("rate", [2.0], {"now/rate": [2.0]}, after=PLAYING)
sets("rate", [99], {"rate": [10.0]})
sets("rate", [-1], {"rate": lambda v: same(v, [0.1])})
for argument, mode in (("one", "one"), ("all", "all"), (0, "off"), (1.0, "one"), (2, "all")):
    sets("repeat", [argument], {"repeat": [mode]})
sets("shuffle", ["items"], {"shuffle": ["items"]})
sets("shuffle", [0], {"shuffle": ["off"]}, after=[("shuffle", 1)])
sets("rate/norm", [0.5], {"rate": [1.0], "rate/norm": [0.5]}, after=[("rate", 4)])
sets("rate/norm", [1], {"rate": [10.0]})
sets("rating/norm", [0.5], {"rating": [2.5], "rating/norm": [0.5]})
sets("rating", [3.5], {"rating": [3.5], "now/rating": [3.5]})
sets("rating", [9], {"rating": [5.0]})
sets("like", [1], {"like": [1], "now/liked": [1], "dislike": [0]}, after=[("dislike", 1)])
sets("like", [0], {"like": [0], "now/liked": [0]}, after=[("like", 1)])
sets("dislike", [1], {"dislike": [1], "like": [0], "now/liked": [0]}, after=[("like", 1)])
sets("bookmark", [True], {"bookmark": [1]}, after=[("position", 40)])
sets("bookmark", [0], {"bookmark": [0]}, after=[("position", 41), ("bookmark", 1)])
sets("panic", [], {"now/state": ["stopped"]}, after=PLAYING)
sets("undo", [], {"layer/1/beat": [10.0], "undo/depth": lambda v: v[1] == 1}, after=[("layer/1/beat", 7)])
sets("redo", [], {"layer/1/beat": [7.0]}, after=[("layer/1/beat", 7), ("undo",)])
sets("queue/select", [3], {"now/queue": [3, 4], "now/title": ["Last"]})
sets("queue/select", [99], {}, code=100)
sets("chapter/select", [2], {"now/chapter": lambda v: v[:2] == [2, 3], "position": lambda v: abs(v[0] - 200) < 1})
sets("chapter/select", ["drop"], {"now/chapter": lambda v: v[:2] == [2, 3]}, after=[("position", 500)])
sets("chapter/select", [4], {}, code=100)
sets("seek/forward", [1], {"now/elapsed": lambda v: v[0] > 100.5}, after=[("position", 100)])
sets("seek/backward", [], {"now/elapsed": lambda v: v[0] < 99.5}, after=[("position", 100)])


@case("seek/forward 0 ends the seek that 1 started", ["set seek/forward", "set seek/backward"])
def seek_ends(peer, _):
    for path in ("seek/forward", "seek/backward"):
        peer.code("position", 300)
        check(peer.code(path, 1) == 0)
        peer.until("now/elapsed", lambda v: v[0] != 300)
        check(peer.code(path, 0) == 0)
        place = peer.get("now/elapsed")
        peer.pump(0.5)
        expect(peer.get("now/elapsed"), place, f"after the end of {path}")


def ends_with_lease(path, presses, moved):
    @case(f"a held {path} ends with the lease of its holder", [f"set {path}"], ["leases"], patient=True)
    def body(peer, new_peer):
        peer.code("position", 300)
        holder = new_peer()
        holder.subscribe("jack", 0, 3)
        for value in presses:
            holder.send(path, value)
        peer.until("now/elapsed", moved)
        # It stops with the lease, and not by itself after ten seconds.
        holder.wait("expired")
        peer.settle()
        place = peer.get("now/elapsed")
        peer.pump(0.7)
        expect(peer.get("now/elapsed"), place, "it still moves")
        check(abs(place[0] - 300) > 3, f"it ended at once, at {place}")


ends_with_lease("seek/forward", [1], lambda v: v[0] > 300.5)
ends_with_lease("seek/backward", [1], lambda v: v[0] < 299.5)
ends_with_lease("button", [1, 0, 1], lambda v: v[0] > 300.5)


@case("a held seek ends by itself after 10 s", ["set seek/forward"], patient=True)
def seek_by_itself(peer, _):
    peer.code("position", 10)
    check(peer.code("seek/forward") == 0)
    places = [peer.until("now/elapsed", lambda v: v[0] > 60)]
    # In 10 s it goes 184 s; at the end of the item it would stop, too.
    while len(places) < 2 or places[-1] != places[-2]:
        check(places[-1][0] < 500, f"it does not end: {places[-9:]}")
        peer.pump(0.7)
        places.append(peer.get("now/elapsed"))


for command, state, disabled in [
    ("play", (), None), ("pause", PLAYING, [("stop",)]), ("toggle", (), None), ("stop", PLAYING, None),
    ("next", (), LAST), ("previous", (), None), ("queue/next", (), LAST), ("queue/previous", (), None),
    ("skip/forward", (), None), ("skip/backward", (), None), ("skip/by", (), None), ("seek/forward", (), None), ("seek/backward", (), None),
    ("position", (), None), ("rate", (), None), ("repeat", (), None), ("shuffle", (), None), ("rating", (), None), ("like", (), None),
    ("dislike", (), None), ("bookmark", (), None), ("sleep", (), None), ("panic", (), None), ("queue/select", (), None),
    ("undo", [("layer/1/beat", 6)], None), ("redo", [("layer/1/beat", 6), ("undo",)], [("layer/1/beat", 6)]),
]:
    enabled(command, disabled, state)
enabled("position/norm", [("queue/select", 2)], attempt=[0.5])


IN = {"in.yaml": "title: In\nduration: 300\nlayers:\n  - {name: in, input: {}, gain: -20}\n"}


@case("an item with JACK's inputs has rate 1, regardless of the previous rate, and rate is disabled", ["get rate/enabled", "set rate"],
      ["code 405"], patient=True)
def rate_of_its_own(_, new_peer, new_program):
    with new_program(queue=["deep.yaml", "in.yaml"], files={**FILES, **IN}) as program:
        peer, watcher = new_peer(program), new_peer(program)
        peer.send("replies", 2)
        for topic in ("commands", "now"):
            watcher.subscribe(topic)
        prepare(peer, [("queue/select", 1), ("rate", 2.0), ("play",)])
        since = watcher.mark
        prepare(peer, [("queue/next",)])
        for path, values in (("rate/enabled", [0]), ("rate", [1.0]), ("now/rate", [1.0]), ("now/rate/default", [1.0])):
            watcher.wait(path, lambda m: m.values == values, since)
        expect([peer.get("rate/enabled"), peer.get("rate")], [[0], [1.0]])
        for path, value in (("rate", 3.0), ("rate/norm", 0.1)):
            outcome = peer.outcome(path, value)
            check(outcome.values[1] == 405 and len(outcome.values[2]) > 10, f"{outcome}")
        prepare(peer, [("queue/previous",)])
        peer.until("now/rate", lambda v: v == [2.0])
        expect([peer.get("rate/enabled"), peer.get("rate")], [[1], [2.0]])


@case("undo and redo in another item than the current one are reported in the log, with its number", ["set undo", "set redo"])
def undo_elsewhere(peer, new_peer):
    watcher = new_peer()
    watcher.subscribe("log")
    prepare(peer, [("layer/1/beat", 7.0), ("queue/select", 2)])
    for command, word in (("undo", "Undone"), ("redo", "Redone")):
        since = watcher.mark
        prepare(peer, [(command,)])
        watcher.wait("log", lambda m: m.values[0].startswith(f"{word} in queue item 1, '"), since)


@case("undo is disabled without edits", ["get undo/enabled"], ["code 405"])
def nothing_to_undo(_, new_peer, new_program):
    with new_program() as program:
        peer = new_peer(program)
        expect(peer.get("undo/enabled"), [0])
        check(peer.outcome_of_error("undo") == 405)


@case("on the last item of the last round next is enabled with repeat all", ["get next/enabled"])
def next_with_repeat(peer, _):
    peer.code("queue/select", 4)
    expect(peer.get("next/enabled"), [0])
    peer.code("repeat", "all")
    expect(peer.get("next/enabled"), [1])


reads("skip/intervals", "fff", [15.0, 30.0, 60.0])
reads("position", "f", [30.0], after=[("position", 30)])
reads("position/norm", "f", [0.5], after=[("position", 300)])
reads("rate", "f", [1.0])
reads("rate/norm", "f", [0.75], after=[("rate", 10 ** 0.5)])
reads("rate/range", "ff", [0.1, 10.0])
reads("repeat", "s", ["off"])
reads("shuffle", "s", ["off"])
reads("rating", "f", [0.0], after=[("rating", 0)])
reads("rating/norm", "f", [0.8], after=[("rating", 4)])
reads("like", "i", [0], after=[("like", 0)])
reads("dislike", "i", [0], after=[("dislike", 0)])
reads("bookmark", "i", [0], after=[("position", 77)])
reads("undo/depth", "ii", lambda v: v[0] >= 1 and v[1] == 0, after=[("layer/1/beat", 3)])


@case("a button: one press toggles, two go to the next item, three to the previous one", ["set button"])
def button(peer, _):
    def press(count):
        for _ in range(count):
            peer.send("button", 1)
            peer.send("button", 0)
    press(1)
    peer.until("now/state", lambda v: v == ["playing"])
    press(2)
    peer.until("now/queue", lambda v: v[0] == 2)
    press(3)
    peer.until("now/queue", lambda v: v[0] == 1)
    peer.send("button")
    peer.until("now/state", lambda v: v == ["paused"])


@case("a button held after two presses seeks forward, after three backward, until it is released", ["set button"])
def button_held(peer, _):
    for count, moved in ((2, lambda v: v[0] > 301), (3, lambda v: v[0] < 299)):
        peer.code("position", 300)
        for index in range(count):
            peer.send("button", 1.0)
            if index + 1 < count:
                peer.send("button", 0.0)
        peer.until("now/elapsed", moved)
        peer.send("button", 0.0)
        peer.settle()
        place = peer.get("now/elapsed")
        peer.pump(0.5)
        expect(peer.get("now/elapsed"), place)


# Now playing

reads("now/state", "s", ["paused"], after=[("position", 5)])
reads("now/title", "s", ["Deep"])
reads("now/artist", "s", ["Somebody"])
reads("now/album", "s", ["An album"])
reads("now/composer", "s", ["A composer"])
reads("now/genre", "s", ["A genre"])
reads("now/comment", "s", ["A comment"])
reads("now/artwork", "s", lambda v: v[0].endswith(".png") and Path(v[0]).is_file(), eventually=True)
reads("now/id", "s", lambda v: "deep" in v[0])
reads("now/track", "ii", [0, 0])
reads("now/disc", "ii", [0, 0])
reads("now/duration", "f", [600.0])
reads("now/duration", "f", [0.0], after=[("queue/select", 2)])
reads("now/elapsed", "f", [12.5], after=[("position", 12.5)])
reads("now/frame", "h", [600000], after=[("position", 12.5)])
reads("now/rate", "f", [0.0])
reads("now/rate", "f", [1.0], after=PLAYING)
reads("now/rate/default", "f", [1.0])
reads("now/queue", "ii", [1, 4])
reads("now/chapter", "iis", [2, 3, "Drop"], after=[("position", 250)])
reads("now/chapter", "iis", [0, 0, ""], after=[("queue/select", 2)])
reads("now/rating", "f", [4.0], after=[("rating", 4)])
reads("now/liked", "i", [1], after=[("like", 1)])
reads("now/sleep", "f", [0.0])
reads("now/sleep", "f", lambda values: 55 < values[0] <= 60, after=[("sleep", 60)])
reads("now/start", "f", [-1.0])
reads("now/tick", "f", [90.0], after=[("position", 90)])
reads("now/norm", "f", [0.25], after=[("position", 150)])
reads("now/text", "s", ["2:30 / 10:00"], after=[("position", 150.5)])
reads("meter", "ffff", lambda v: all(-120 <= each <= 0 for each in v))


@case("the meter shows the level of the sound, and silence without sound", ["get meter"])
def meter(peer, _):
    peer.code("play")
    peer.until("meter", lambda v: -60 < v[0] < 0 and -60 < v[2] <= v[0])
    peer.code("stop")
    peer.until("meter", lambda v: v == [-120.0] * 4)


@case("each press and release of the button is answered by its command's responder, or with the reason of the failure", ["set button"],
      ["code 405", "code 0"])
def button_replies(peer, _):
    since = peer.mark
    peer.send("button")
    expect(peer.reply("button", since).values, ["/binaural/button", 0, "application"])
    since = peer.mark
    peer.send("button")
    peer.send("button")
    peer.wait("reply", lambda m: m.values == ["/binaural/button", 0, "queue"], since)
    peer.code("queue/select", 4)
    since = peer.mark
    peer.send("button")
    peer.send("button")
    error = peer.wait("error", since=since)
    check(error.values[:2] == ["/binaural/button", 405] and len(error.values[2]) > 10, f"{error}")


@case("shake runs the command of preferences/shake", ["set shake"])
def shake(peer, _):
    try:
        check(peer.code("preferences/shake", "none") == 0 and peer.get("shake/enabled") == [0])
        check(peer.code("shake") == 405)
        check(peer.code("preferences/shake", "next") == 0 and peer.get("shake/enabled") == [1])
        expect(peer.outcome("shake").values[2], "patch")
        peer.code("queue/select", 4)
        expect(peer.get("shake/enabled"), [0])
        check(peer.code("shake") == 405)
        peer.code("stop")
        check(peer.code("preferences/shake", "toggle") == 0)
        check(peer.code("shake") == 0)
        peer.until("now/state", lambda v: v == ["playing"])
        peer.answers("shake", 0)
        expect(peer.get("now/state"), ["playing"])
        check(peer.code("shake", 1.0) == 0)
        peer.until("now/state", lambda v: v == ["paused"])
    finally:
        peer.code("preferences/shake", 0)


reads("shake/enabled", "i", lambda v: v[0] in (0, 1))
reads("button/enabled", "i", [1])
