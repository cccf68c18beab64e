"""The conversation, queue, sessions, JACK and the program."""
import math
import os
import shutil
import subprocess
import time
from pathlib import Path

import pyliblo3 as liblo

from patience import PATIENCE, note
from program import QUEUE
from suite import case, check, expect, prepare, reads, same, sets


@case("ping answers pong with the token, or 0, and the boot id", ["set ping"], ["root optional for ping and accxyz"])
def ping(peer, _):
    for path in ("ping", "/ping"):
        boot = peer.get("info")[5]
        expect(peer.ask(path, 42, answer="pong").values, [42, boot])
        expect(peer.ask(path, answer="pong").values, [0, boot])


reads("info", "ssiiih", lambda v: v[0].startswith("binaural") and v[1] and v[2:4] == [1, 0] and v[5] != 0)
reads("status", "siiffii", lambda v: v[0] == "running" and v[1] == 48000 and v[2] > 0 and v[3] >= 0 and v[4] >= 0)
reads("guards", "iii", lambda v: all(count >= 0 for count in v))


@case("info has the port, and one boot id throughout", ["get info"], ["10 version 1"])
def info(peer, _):
    one, other = peer.get("info"), peer.get("info")
    check(one == other and one[4] == peer.destination[1], f"{one} {other}")


@case("sync answers with its token once earlier commands have reached the sound", ["set sync"])
def sync(peer, _):
    for state in ("stop", "play"):
        peer.code(state)
        peer.send("layer/1/gain", -30.0)
        expect(peer.ask("sync", 77, answer="synced").values, [77])


reads("replies", "i", [2])


@case("replies 0 sends none, 1 errors, 2 all", ["set replies", "get replies"], ["replies 0, 1, 2", "code 0"])
def replies(peer, new_peer):
    other = new_peer()
    check(other.answers("stop") == [], "errors only is the default")
    check([a.path for a in other.answers("layer/99/gain", 0)] == ["error"])
    other.send("replies", 0)
    check(other.answers("layer/99/gain", 0) == [] and other.answers("stop") == [])
    other.send("replies", 2)
    answer = other.outcome("stop")
    check(answer.path == "reply" and answer.types == "sis" and answer.values[:2] == ["/binaural/stop", 0] and answer.values[2], f"{answer}")
    answer = other.outcome("layer/99/gain", 0)
    check(answer.path == "error" and answer.types == "sis" and answer.values[1] == 404, f"{answer}")


@case("subscribe answers with topic, id, ttl and port, then the snapshot and its end", ["set subscribe"],
      ["snapshot and its end", "idempotent subscriptions", "leases"])
def subscribe(peer, new_peer):
    other = new_peer()
    first = other.subscribe("mixer")
    check(first[0].types == "siii" and first[0].values[0] == "mixer" and first[0].values[2:] == [30, other.port], f"{first[0]}")
    check({m.path for m in first if m.path != "alive"} >= {"subscribed", "master/gain", "master/gain/norm", "master/mute", "tuning/a4",
                                                           "snapshot/end"})
    again = other.subscribe("mixer")
    check([m.path for m in again if m.path != "alive"] == [m.path for m in first if m.path != "alive"])
    check(again[0].values == first[0].values, "the same id for the same subscription")
    expect(other.subscribe("jack", 0, 1000)[0].values[2], 300)
    expect(other.subscribe("jack", 0, 7)[0].values[2], 7)
    check(other.outcome_of_error("subscribe", "nonsense") == 400)


@case("unsubscribe ends one topic, or all", ["set unsubscribe"])
def unsubscribe(peer, new_peer):
    other = new_peer()
    other.subscribe("mixer")
    other.subscribe("jack")
    other.subscribe("log")
    expect(other.ask("unsubscribe", "mixer", answer="unsubscribed").values, ["mixer"])
    gone = [m.values[0] for m in other.answers("unsubscribe") if m.path == "unsubscribed"]
    expect(sorted(gone), ["jack", "log"])
    since = other.mark
    peer.code("master/gain", -9)
    other.settle()
    check(not [m for m in other.inbox[since:] if m.path.startswith("master")], "still sent")


@case("describe sends path, types, access, range, unit and doc of each child, then their number", ["set describe"])
def describe(peer, _):
    answers = peer.answers("describe", "/binaural/layer/1/beat")
    rows = [a for a in answers if a.path == "describe"]
    check(all(a.types == "sssffss" for a in rows))
    check(rows[0].values[:6] == ["layer/1/beat", "f", "rw", -100.0, 100.0, "Hz"] and rows[0].values[6], f"{rows[0]}")
    check(rows[1].values[:5] == ["layer/1/beat/norm", "f", "rw", 0.0, 1.0])
    check(answers[-1].path == "describe/end" and answers[-1].types == "si" and answers[-1].values == ["/binaural/layer/1/beat", 2],
          f"{answers[-1]}")
    check(peer.answers("describe", "nowhere")[-1].values == ["nowhere", 0])
    check([a.values for a in peer.answers("describe")] == [a.values for a in peer.answers("describe", "")])
    names = [a.values for a in peer.answers("describe", "repeat") if a.path == "describe/value"]
    check(names == [["repeat", 0, "off"], ["repeat", 1, "one"], ["repeat", 2, "all"]], f"{names}")
    for path in ("/binaural/preferences/shake", "/preferences/shake/"):
        check([a.values[2] for a in peer.answers("describe", path) if a.path == "describe/value"][:2] == ["none", "undo"], path)


@case("queue/list answers with the items and their number", ["set queue/list"])
def queue_list(peer, _):
    answers = peer.answers("queue/list")
    items = [a for a in answers if a.path == "queue/item"]
    expect([a.values[0] for a in items], [1, 2, 3, 4])
    check(all(a.types == "iss" for a in items) and [a.values[2] for a in items][:3] == ["Deep", "A4", "Last"], f"{items}")
    check(answers[-1].path == "queue/end" and answers[-1].values == [4])


@case("patch/list answers with the library's patches, or those with all words in name or title", ["set patch/list"])
def patch_list(peer, _):
    def listed(*words):
        """The answers, which come later, since files are read for them."""
        since = peer.mark
        peer.ask("patch/list", *words, answer="patch/end")
        return [each for each in peer.inbox[since:] if each.path.startswith("patch/")]

    every = listed()
    items = [a for a in every if a.path == "patch/item"]
    check(items and all(a.types == "issfs" for a in items) and every[-1].path == "patch/end", f"{every}")
    expect(every[-1].values, [len(items)] * 2)
    names = [a.values[1] for a in items]
    check("welcome" in names and names == sorted(names), f"{names}")
    found = [a for a in listed("wel") if a.path == "patch/item"]
    check([a.values[0] for a in found] == list(range(1, len(found) + 1)) and "welcome" in [a.values[1] for a in found], f"{found}")
    expect(listed("no such patch")[-1].values, [0, 0])


@case("peer/list answers with every peer, and marks the asking one", ["set peer/list"])
def peer_list(peer, new_peer):
    other = new_peer()
    expect(other.ask("ping", 1, answer="pong").values[0], 1)
    answers = peer.answers("peer/list")
    items = [a for a in answers if a.path == "peer/item"]
    check(len(items) >= 2 and all(a.types == "isssfi" for a in items), f"{answers}")
    check(answers[-1].path == "peer/end" and answers[-1].values == [len(items)], f"{answers}")
    check(sum(a.values[5] for a in items) == 1, f"{items}")
    check(all(a.values[2] in ("view", "control", "admin") and a.values[3] in ("udp", "unix", "websocket") for a in items), f"{items}")


@case("queue/move, queue/remove and queue/restore change the queue; the current item keeps playing",
      ["set queue/move", "set queue/remove", "set queue/restore"], ["code 100"])
def queue_changes(peer, new_program):
    titles = lambda: [a.values[2] for a in peer.answers("queue/list") if a.path == "queue/item"][:3]
    prepare(peer, [("queue/move", 1, 3)])
    expect(titles(), ["A4", "Last", "Deep"])
    expect(peer.get("now/queue"), [3, 4])
    prepare(peer, [("queue/move", 3, 1)])
    expect(titles(), ["Deep", "A4", "Last"])
    current = peer.get("now/id")
    prepare(peer, [("queue/remove", 2)])
    expect(titles()[:2], ["Deep", "Last"])
    prepare(peer, [("queue/restore",)])
    expect(titles(), ["Deep", "A4", "Last"])
    expect(peer.get("now/id"), current)
    for step in (("queue/move", 1, 9), ("queue/move", 0, 1), ("queue/remove", 9)):
        check(peer.code(*step) == 100, f"{step}")


@case("session/list, session/load, session/save and session/dirty",
      ["set session/list", "set session/load", "set session/save", "get session/dirty", "get session/name"], ["topic session"], patient=True)
def sessions(peer, new_peer):
    names = lambda: [a.values[1] for a in peer.answers("session/list") if a.path == "session/item"]
    answers = peer.answers("session/list")
    check(answers[-1].path == "session/end" and answers[-1].values == [len(answers) - 1] and "other" in names(), f"{answers}")
    check(all(a.types == "is" for a in answers[:-1]))
    watcher = new_peer()
    watcher.subscribe("session")
    # The initial state is being saved.
    peer.until("session/dirty", lambda v: v == [0])
    watcher.pump(0.1)
    since = watcher.mark
    peer.code("layer/1/gain", -44)
    watcher.wait("session/dirty", lambda m: m.values == [1], since)
    check(peer.code("session/save", "kept") == 0)
    watcher.wait("session/dirty", lambda m: m.values == [0], since)
    peer.until("session/dirty", lambda v: v == [0])
    check("kept" in names(), f"{names()}")
    check(peer.code("session/load", "other") == 0)
    expect(peer.get("now/queue"), [1, 2])
    check(peer.code("session/load", "kept") == 0)
    expect(peer.get("layer/1/gain"), [-44.0])
    expect(peer.get("session/name"), ["kept"])
    check(peer.code("session/load", "nowhere") == 100)
    # Back at once: the session to open is the one being closed.
    for name in ("other", "kept") * 4:
        outcome = peer.outcome("session/load", name)
        check(outcome.values[1] == 0, f"{outcome}")
    for name in ("../x", "/etc/passwd", ".hidden", "a/b", ""):
        for path in ("session/load", "session/save"):
            check(new_peer().outcome_of_error(path, name) == 400, f"a path is not a name: {name}")
    for name in ("last-session", "-x", "x.yaml", "x.yml", "x.sbg", "x.sbxseq", "x.position", "x.yaml.1", "x.yaml.lock"):
        check(new_peer().outcome_of_error("session/save", name) == 400, f"the name of a file or an option: {name}")


@case("a pipe in place of a file is 200, and the next ping is answered", ["set session/save", "set session/load", "set queue/add"],
      ["code 200"], patient=True)
def pipes(_, new_peer, new_program):
    with new_program() as program:
        sessions = Path(program.environment["XDG_STATE_HOME"]) / "binaural/sessions"
        for folder in (sessions, program.folder / "patches"):
            folder.mkdir(parents=True, exist_ok=True)
            os.mkfifo(folder / "pipe.yaml")
        peer = new_peer(program)
        peer.send("replies", 2)
        for path in ("session/save", "session/load", "queue/add"):
            outcome = peer.outcome(path, "pipe")
            check(outcome.values[1] == 200 and "a named pipe" in outcome.values[2], f"{outcome}")
            expect(peer.ask("ping", 42, answer="pong").values[0], 42)


@case("an error about a file does not quote its text", ["set queue/add", "set session/load"], ["code 200", "errors quote no file"], patient=True)
def private(_, new_peer, new_program):
    with new_program() as program:
        (program.folder / "notes.txt").write_text("title: swordfish\nlogin: {password: trustno1}\n")
        for folder in ("patches", "sessions"):
            (program.folder / folder).mkdir(exist_ok=True)
            (program.folder / folder / "private.yaml").symlink_to(program.folder / "notes.txt")
        peer = new_peer(program)
        for path in ("queue/add", "session/load"):
            outcome = peer.outcome(path, "private")
            check(outcome.values[1] == 200 and "private.yaml:" in outcome.values[2], f"{outcome}")
            check(not any(word in outcome.values[2] for word in ("swordfish", "login", "password", "trustno1")), f"{outcome}")


reads("jack/state", "s", ["running"])
# The machine may be short of memory at any time.
reads("lifecycle", "s", lambda v: v[0] in ("didBecomeActive", "willSave", "didSave", "didRestore", "memoryPressure"))
# Empty, or a sentence.
reads("log", "s", lambda v: v == [""] or v[0].endswith((".", ")")))


@case("jack/connections lists all connections as pairs of ports, or a single empty text", ["get jack/connections"],
      ["topic jack", "an answer is not answered"])
def connections(peer, new_peer):
    answer = peer.ask("jack/connections")
    check(answer.types == "s" and answer.values == [""], f"{answer}")
    watcher = new_peer()
    check({m.path for m in watcher.subscribe("jack")} >= {"jack/state", "jack/connections"})
    name = peer.get("info")[0]
    wanted = {(f"{name}:out_{side}", f"system:playback_{number}") for side in ("left", "right") for number in (1, 2)}

    def wire(tool, pair):
        # The tool's client has the name it is called by. Clients of one name disturb each other, on different servers too.
        subprocess.run([f"{tool}-{name}", *pair], executable=shutil.which(tool), check=True, capture_output=True)

    for pair in sorted(wanted):
        wire("jack_connect", pair)
    reported = watcher.wait("jack/connections", lambda m: len(m.values) == 8)
    expect(sorted(zip(reported.values[::2], reported.values[1::2])), sorted(wanted))
    expect(peer.get("jack/connections"), reported.values)
    for pair in sorted(wanted):
        wire("jack_disconnect", pair)
    peer.until("jack/connections", lambda v: v == [""])


@case("a command that failed is 200, with the reason", ["set session/save"], ["code 200"], patient=True)
def fails(_, new_peer, new_program):
    with new_program("--session", "mine.yaml") as program:
        peer = new_peer(program)
        peer.send("replies", 2)
        check(peer.code("session/save") == 0)
        # In the way of the next save.
        obstacle = program.folder / "mine.yaml.tmp"
        obstacle.mkdir()
        prepare(peer, [("tuning/a4", 432)])
        outcome = peer.outcome("session/save")
        check(outcome.values[1] == 200 and len(outcome.values[2]) > 10, f"{outcome}")
        expect(peer.get("session/dirty"), [1])
        obstacle.rmdir()
        check(peer.code("session/save") == 0)
        peer.until("session/dirty", lambda v: v == [0])


@case("while JACK is away jack/* and transport/* are 120, and everything else works", ["set transport/mode", "set jack/reconnect", "get jack/state"],
      ["code 120"], patient=True)
def jack_is_away(_, new_peer, new_program):
    with new_program("--server", f"away{os.getpid()}", "--start-server") as program:
        peer = new_peer(program)
        peer.send("replies", 2)
        peer.until("jack/state", lambda v: v == ["running"])
        check(peer.code("transport/mode", "lead") == 0 and peer.code("transport/mode", "none") == 0 and peer.code("play") == 0)
        program.kill_server()
        peer.until("jack/state", lambda v: v == ["away"])
        for mode in ("follow", "lead"):
            outcome = peer.outcome("transport/mode", mode)
            check(outcome.values[1] == 120 and len(outcome.values[2]) > 10, f"{outcome}")
        check(peer.code("jack/reconnect") == 120)
        expect([peer.get("now/state"), peer.get("now/rate"), peer.get("transport/mode")], [["interrupted"], [0.0], ["none"]])
        check(peer.code("layer/1/beat", 5.0) == 0 and peer.code("transport/mode", "none") == 0)
        expect(peer.get("layer/1/beat"), [5.0])
        check(peer.code("pause") == 0 and peer.get("now/state") == ["paused"])
        # A button held meanwhile has its usual meaning, although no frames pass.
        check(peer.code("button") == 0)
        peer.until("now/state", lambda v: v == ["interrupted"])


@case("jack/connect and jack/disconnect take the program's ports by name", ["set jack/connect", "set jack/disconnect"])
def wiring(peer, new_peer):
    playback = [peer.get("info")[0] + ":out_left", "system:playback_1"]
    before = peer.get("jack/connections")
    for port in ("out_left", playback[0]):
        check(peer.code("jack/connect", port, "system:playback_1") == 0)
        peer.until("jack/connections", lambda v: v == playback + [port for port in before if port])
        check(peer.code("jack/connect", port, "system:playback_1") == 0, "it is connected already")
        check(peer.code("jack/disconnect", port, "system:playback_1") == 0)
        peer.until("jack/connections", lambda v: v == before)
        check(peer.code("jack/disconnect", port, "system:playback_1") == 100)
    incoming = ["system:capture_1", peer.get("info")[0] + ":in_left"]
    check(peer.code("jack/connect", "in_left", incoming[0]) == 0)
    peer.until("jack/connections", lambda v: v == [port for port in before if port] + incoming)
    check(peer.code("jack/disconnect", "in_left", incoming[0]) == 0)
    peer.until("jack/connections", lambda v: v == before)
    for port, other in (("out_middle", "system:playback_1"), ("in_left", "system:playback_1"), ("midi_in", "system:capture_1"), ("out_left", "nobody:in"), ("out_left", "system:capture_1"), ("out_left", "[")):
        check(new_peer().code("jack/connect", port, other) == 100, f"{port} {other}")
    for row in ("jack/connect", "jack/disconnect"):
        for arguments in ((), ("out_left",), ("", "system:playback_1"), ("out_left", ""), ("out_left", 1)):
            check(new_peer().outcome_of_error(row, *arguments) == 400, f"{row} {arguments}")


@case("jack/forget forgets missing ports, and no others", ["set jack/forget"])
def forgetting(peer, new_peer):
    check(peer.code("jack/connect", "out_left", "system:playback_1") == 0)
    connected = peer.until("jack/connections", lambda v: "system:playback_1" in v)
    check(peer.code("jack/forget") == 0)
    check(peer.code("jack/forget", "system:playback_1") == 405 and peer.code("jack/forget", "nobody:in") == 100)
    for arguments in (("",), (1,), ("a", "b")):
        check(new_peer().outcome_of_error("jack/forget", *arguments) == 400, f"{arguments}")
    expect(peer.get("jack/connections"), connected)
    check(peer.code("jack/disconnect", "out_left", "system:playback_1") == 0)
    peer.until("jack/connections", lambda v: "system:playback_1" not in v)


@case("quit says bye to subscribers and ends the program", ["set quit"], ["bye", "7 session work and quit run outside"])
def quit_program(peer, new_peer, new_program):
    program = new_program()
    one = new_peer(program)
    one.subscribe("jack")
    since = one.mark
    # The first of the bundle, but the last to take effect.
    one.send_bundle(("quit",), ("master/gain", -3.0))
    expect(one.wait("bye", since=since).values, ["quit"])
    check(program.ends() == 0, f"{program.lines}")
    program.close()


@case("clock answers with the times of sending, receiving and answering, from which a peer computes its clock's offset", ["set clock"])
def clock(peer, _):
    before = liblo.time()
    answer = peer.ask("clock", ("t", before))
    check(answer.types == "ttt", f"{answer}")
    sent, received, answered = answer.values
    check(abs(sent - before) < 1e-6 and before - 1e-3 <= received <= answered <= liblo.time() + 1e-3, f"{answer}")
    check(peer.outcome_of_error("clock", "now") == 400)


@case("hello answers welcome with a cookie, never longer than the request", ["set hello"])
def hello(peer, _):
    welcome = peer.ask("hello", "me", bytes(200), answer="welcome")
    check(welcome.types == "si" and welcome.values[0] and welcome.values[1] > 0, f"{welcome}")
    peer.subscribe("mixer", 0, 30, welcome.values[0])
    check(peer.outcome_of_error("subscribe", "mixer", 0, 30, "nobody's cookie") == 401)
    check(not [m for m in peer.answers("hello", "me", bytes(4)) if m.path == "welcome"], "longer than the request")


@case("bundles counts waiting, late and refused bundles", ["get bundles"], ["7 late bundles"])
def bundles(peer, _):
    first = peer.ask("bundles")
    check(first.types == "iii", f"{first}")
    waits, late, refused = first.values
    peer.send_bundle(("tuning/a4", 440), after=-5)
    peer.send_bundle(("tuning/a4", 440), after=90)
    peer.send_bundle(("tuning/a4", 440), after=30)
    expect(peer.get("bundles"), [waits + 1, late + 1, refused + 1])
    peer.code("panic")
    expect(peer.get("bundles")[0], 0)


def kept(name, arguments, value):
    @case(f"preferences/{name} is saved, and sent to the subscribers of session", [f"set preferences/{name}"], ["topic session"])
    def body(peer, new_peer):
        path = f"preferences/{name}"
        before = peer.get(path)
        watcher = new_peer()
        snapshot = [m.path for m in watcher.subscribe("session")]
        check(path in snapshot, f"not in the snapshot: {snapshot}")
        since = watcher.mark
        try:
            check(peer.code(path, *arguments) == 0)
            expect(peer.get(path), value)
            if peer.get(path) != before:
                watcher.wait(path, since=since)
        finally:
            peer.code(path, *before)
        expect(peer.get(path), before)


# Preferences: default, another value as sent, and the value read back.
for name, types, default, arguments, value in [
    ("skipIntervals", "fff", [15.0, 30.0, 60.0], [10.0, 20.0], [10.0, 20.0]), ("buttonWindow", "f", [0.35], [0.5], [0.5]),
    ("buttonHold", "f", [0.5], [99.0], [5.0]), ("shortFade", "f", [0.02], [0.05], [0.05]), ("crossfade", "f", [0.0], [2], [2.0]),
    ("oscPort", "i", lambda v: 0 <= v[0] <= 65535, [8000], [8000]), ("oscAddress", "s", ["127.0.0.1"], ["192.0.2.1"], ["192.0.2.1"]),
    ("sleepFade", "f", [60.0], [90.0], [90.0]), ("sleepEasing", "s", ["sineIn"], ["quadOut"], ["quadOut"]),
    ("startSession", "s", [""], ["welcome"], ["welcome"]), ("connect", "s", lambda v: v[0], ["none"], ["none"]),
    ("softStart", "f", [0.0], [99], [10.0]), ("maximumLevel", "f", [0.0], [-70], [-60.0]),
    ("shake", "s", lambda v: v[0], [0], lambda v: v[0]),
    ("oscListen", "s", [""], ["127.0.0.2", "unix:/tmp/x"], ["127.0.0.2", "unix:/tmp/x"]),
    ("oscAllow", "s", [""], ["192.0.2.0/24=view"], ["192.0.2.0/24=view"]),
    ("oscFeedback", "s", [""], ["192.0.2.1:9000=now,tick/4"], ["192.0.2.1:9000=now,tick/4"]),
    ("transport", "s", ["session"], ["follow"], ["follow"]), ("outputs", "s", ["mix"], ["layers"], ["layers"]),
    ("zeroconf", "s", ["auto"], ["off"], ["off"]),
    ("web", "s", ["off"], ["7881"], ["7881"]), ("webListen", "s", [""], ["192.0.2.1"], ["192.0.2.1"]),
    ("webHost", "s", [""], ["studio.example.org"], ["studio.example.org"]), ("webProxy", "i", [0], [7882], [7882]),
    ("mpris", "s", ["auto"], ["off"], ["off"]), ("inhibitSleep", "s", ["auto"], [1], ["on"]),
]:
    reads(f"preferences/{name}", types, default)
    kept(name, arguments, value)
for name in ("buttonWindow", "buttonHold", "shortFade", "crossfade", "sleepFade", "softStart", "maximumLevel"):
    reads(f"preferences/{name}/norm", "f", lambda v: 0 <= v[0] <= 1)
    sets(f"preferences/{name}/norm", [0.0], {f"preferences/{name}/norm": [0.0]})


@case("skip/forward skips by the first of preferences/skipIntervals", ["set preferences/skipIntervals", "get skip/intervals"])
def skip_intervals(peer, _):
    try:
        prepare(peer, [("preferences/skipIntervals", 7.0, 70.0), ("position", 100), ("skip/forward",)])
        expect(peer.get("now/elapsed"), [107.0])
        expect(peer.get("skip/intervals"), [7.0, 70.0])
    finally:
        peer.code("preferences/skipIntervals", 15, 30, 60)


reads("transport/mode", "s", ["none"])
for argument, mode in (("follow", "follow"), (2, "lead"), (0.0, "none")):
    sets("transport/mode", [argument], {"transport/mode": [mode]})


@case("following the transport, rate and repeat are disabled", ["get rate/enabled", "get repeat/enabled", "set transport/mode"], ["code 405"])
def following(peer, _):
    check(peer.code("transport/mode", "follow") == 0)
    try:
        expect([peer.get("rate/enabled"), peer.get("repeat/enabled")], [[0], [0]])
        check(peer.code("rate", 2) == 405 and peer.code("repeat", "one") == 405)
    finally:
        check(peer.code("transport/mode", "none") == 0)
    expect([peer.get("rate/enabled"), peer.get("repeat/enabled")], [[1], [1]])


@case("queue/relink gives an item another patch by name, never by a path, and keeps its edits", ["set queue/relink"])
def relinking(peer, new_peer):
    # A file beside the item's own, with a layer of the same name.
    prepare(peer, [("queue/select", 3), ("layer/1/gain", -50)])
    check(peer.code("queue/relink", 3, "long.yaml") == 0)
    expect(peer.get("layer/1/gain"), [-50.0])
    check(peer.code("queue/relink", 3, "last.yaml") == 0)
    expect([peer.get("now/title"), peer.get("layer/1/gain")], [["Last"], [-50.0]])
    check(peer.code("queue/reset", 3) == 0)
    # A name of the library.
    count = peer.answers("queue/list")[-1].values[0]
    check(peer.code("queue/add", "reference-440") == 0 and peer.code("queue/relink", count + 1, "deep-alpha") == 0)
    expect(peer.answers("queue/list")[-2].values[1], "deep-alpha")
    check(peer.code("queue/remove", count + 1) == 0)
    check(peer.code("queue/relink", 99, "rain") == 100 and peer.code("queue/relink", 3, "no-such-patch") == 100)
    check(new_peer().outcome_of_error("queue/relink", 3, "./endless.yaml") == 400)


@case("queue/add adds a patch by name, or by the absolute path of its file, last or next, and answers its place", ["set queue/add"])
def queue_add(peer, new_peer):
    count = peer.answers("queue/list")[-1].values[0]
    places = lambda *arguments: [a.values for a in peer.answers("queue/add", *arguments) if a.path == "queue/place"]
    expect(places("reference-440", "next"), [[2, "reference-440"]])
    check(peer.code("queue/remove", 2) == 0)
    expect(places("reference-440"), [[count + 1, "reference-440"]])
    answers = peer.answers("queue/list")
    check(answers[-1].values == [count + 1] and answers[-2].values[1] == "reference-440", f"{answers}")
    expect(peer.get("now/queue"), [1, count + 1])
    check(peer.code("queue/remove", count + 1) == 0)
    expect(peer.answers("queue/list")[-1].values, [count])
    check(peer.code("queue/add", "no-such-patch") == 100)
    for path in ("../deep", "./deep.yaml", ".hidden", ""):
        check(new_peer().outcome_of_error("queue/add", path) == 400, path)
    check(peer.code("queue/add", "/etc/passwd") == 200 and peer.code("queue/add", "/no/such.yaml") == 100)
    check(peer.code("queue/add", "reference-440", "first") == 400)


@case("queue/play plays an item, a patch by name or path, or a session, and answers the place of an item", ["set queue/play"], ["code 100"],
      patient=True)
def queue_play(_, new_peer, new_program):
    with new_program() as program:
        peer = new_peer(program)
        peer.send("replies", 2)
        places = lambda name: [a.values[0] for a in peer.answers("queue/play", name) if a.path == "queue/place"]
        expect(places("reference-440"), [2])
        expect([peer.get("now/state"), peer.get("now/queue")[:1]], [["playing"], [2]])
        mine = Path(program.environment["HOME"]) / "mine.yaml"
        mine.write_text("title: Mine\nduration: 60\nlayers: [{tone: {carrier: 300}, gain: -40}]\n")
        expect(places(str(mine)), [3])
        expect(peer.get("now/title"), ["Mine"])
        expect(places("reference-440"), [2])
        expect(places(3), [3])
        check(peer.code("queue/play", "no-such-patch") == 100 and peer.code("queue/play", 99) == 100)
        check(peer.code("queue/play", "/etc/passwd") == 200)
        expect(peer.get("now/title"), ["Mine"])
        expect(places("other"), [])
        expect([peer.get("session/name"), peer.get("now/state")], [["other"], ["playing"]])


@case("patch/save saves the item with its live edits under a new name, and replaces one only if asked to", ["set patch/save"], patient=True)
def patch_save(_, new_peer, new_program):
    with new_program() as program:
        peer = new_peer(program)
        peer.send("replies", 2)
        prepare(peer, [("layer/1/beat", 3), ("layer/4/carrier", 333), ("layer/2/mute", 1)])
        check(peer.code("patch/save", "my patch") == 0)
        path = Path(program.environment["XDG_DATA_HOME"]) / "binaural/patches/my patch.yaml"
        text = path.read_text()
        check("beat: 3" in text and "carrier: 333" in text, text)
        check(peer.code("patch/save", "my patch") == 409 and path.read_text() == text)
        prepare(peer, [("layer/1/beat", 5)])
        check(peer.code("patch/save", "my patch", 0) == 409 and peer.code("patch/save", "my patch", 1) == 0)
        check("beat: 5" in path.read_text())
        check(peer.code("patch/save", "rain") == 409, "the name of a patch that came with the program")
        prepare(peer, [("queue/add", "my patch"), ("queue/select", len(QUEUE) + 1)])
        expect([peer.get("layer/1/beat"), peer.get("layer/4/carrier"), peer.get("layer/2/gain")], [[5.0], [333.0], [-120.0]])
        for name in ("../x", "/etc/passwd", ".hidden", "a/b", "", "-x", "x.yaml", "x.yml", "x.sbg", "x.sbxseq", "preferences"):
            check(new_peer(program).outcome_of_error("patch/save", name) == 400, name)


@case("controllers are mapped and forgotten by address or index; missing, read-only and text addresses are refused",
      ["set midi/list", "set midi/map", "set midi/learn", "set midi/forget", "get midi/learn", "get midi/count"])
def controllers(peer, new_peer):
    def mapped():
        answers = peer.answers("midi/list")
        check(answers[-1].path == "midi/end" and answers[-1].values == [len(answers) - 1], f"{answers}")
        check(all(a.path == "midi/item" and a.types == "isii" for a in answers[:-1]), f"{answers}")
        return [a.values[1:] for a in answers[:-1]]
    before = mapped()
    prepare(peer, [("midi/map", 21, "layer/1/beat", 3), ("midi/map", 22, "/binaural/play")])
    expect(mapped()[len(before):], [["layer/1/beat", 21, 3], ["play", 22, 0]])
    expect(peer.get("midi/count"), [len(before) + 2])
    prepare(peer, [("midi/map", 23, "layer/1/beat")])
    expect(mapped()[len(before):], [["layer/1/beat", 23, 0], ["play", 22, 0]])
    for address, code in [("layer/1/baet", 404), ("now/title", 400), ("session/load", 400), ("quit", 400), ("layer/1/xy", 400), ("layer/*/gain", 404)]:
        # A peer gets ten errors a second.
        check(new_peer().outcome_of_error("midi/map", 1, address) == code, address)
        check(new_peer().outcome_of_error("midi/learn", address) == code, address)
    prepare(peer, [("midi/learn", "master/gain")])
    expect(peer.get("midi/learn"), ["master/gain"])
    prepare(peer, [("midi/learn", "")])
    expect(peer.get("midi/learn"), [""])
    prepare(peer, [("midi/forget", "play"), ("midi/forget", len(before) + 1)])
    expect(mapped(), before)
    check(peer.code("midi/forget", "play") == 100 and peer.code("midi/forget", 99) == 100)


reads("transport/tempo", "f", [0.0])


@case("presets store the values of all parameters, and restore them in one undo step",
      ["set preset/list", "set preset/save", "set preset/load", "set preset/remove"])
def presets(peer, new_peer):
    def names():
        answers = peer.answers("preset/list")
        check(answers[-1].path == "preset/end" and answers[-1].values == [len(answers) - 1], f"{answers}")
        check(all(a.path == "preset/item" and a.types == "iss" for a in answers[:-1]), f"{answers}")
        return [a.values[1] for a in answers[:-1]]
    known = names()
    prepare(peer, [("layer/1/beat", 3), ("layer/4/carrier", 333), ("preset/save", "mine")])
    check("mine" in names())
    prepare(peer, [("queue/reset", 1)])
    expect([peer.get("layer/1/beat"), peer.get("layer/4/carrier")], [[10.0], [432.0]])
    prepare(peer, [("preset/load", "mine")])
    peer.until("layer/1/beat", lambda v: same(v, [3.0]))
    peer.until("layer/4/carrier", lambda v: same(v, [333.0]))
    prepare(peer, [("undo",)])
    expect([peer.get("layer/1/beat"), peer.get("layer/4/carrier")], [[10.0], [432.0]])
    prepare(peer, [("preset/load", names().index("mine") + 1), ("preset/remove", "mine")])
    expect([peer.get("layer/1/beat"), names()], [[3.0], known])
    check(peer.code("preset/load", "mine") == 100 and peer.code("preset/remove", 99) == 100)


@case("accxyz is a phone's acceleration in g; resting and walking are not shakes", ["set accxyz"], ["root optional for ping and accxyz"])
def accelerations(peer, new_peer):
    check(new_peer().outcome_of_error("accxyz", 1.0) == 400)
    check(new_peer().outcome_of_error("accxyz", 0.0, float("nan"), 1.0) == 400)
    for count in range(40):
        peer.send("/accxyz" if count % 2 else "accxyz", 0.0, 0.05 * (count % 3), 1.0)
    check(not [m for m in peer.settle() if m.path == "error"])
    expect(peer.get("now/state"), ["stopped"])


@case("jack/reconnect succeeds while the server is running", ["set jack/reconnect"])
def reconnect(peer, _):
    check(peer.code("jack/reconnect") == 0)
    expect(peer.get("jack/state"), ["running"])


@case("a shake is recognised in a phone's stream", ["set accxyz"], patient=True)
def shaken(peer, _):
    began = time.monotonic()
    try:
        check(peer.code("preferences/shake", "toggle") == 0)
        while peer.get("now/state") != ["playing"]:
            now = time.monotonic() - began
            check(now < PATIENCE, "not recognised")
            peer.send("/accxyz", 0.1, 3 * math.sin(2 * math.pi * 4 * now) if now > 2 else 0.0, 1.0)
            peer.pump(0.03)
        note(began)
    finally:
        peer.code("preferences/shake", 0)
