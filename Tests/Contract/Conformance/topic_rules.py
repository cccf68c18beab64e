"""Topics and leases of subscribers."""
import os
import time

from patience import PATIENCE, note
from wire import Listener, contents, unpack
from suite import case, check, expect


@case("each topic sends its changes", [],
      [f"topic {t}" for t in ("now", "commands", "layers", "mixer", "tick", "meters", "pattern")])
def topics(peer, new_peer):
    watchers = {}
    for topic in ("now", "commands", "layers", "mixer", "jack", "log", "tick/20", "meters/40", "/binaural/layer/[12]/pan"):
        watchers[topic] = new_peer()
        snapshot = watchers[topic].subscribe(topic)
        check(snapshot[-1].path == "snapshot/end" or any(m.path == "snapshot/end" for m in snapshot))
    marks = {topic: watcher.mark for topic, watcher in watchers.items()}

    def sends(topic, path, where=lambda m: True):
        watchers[topic].wait(path, where, marks[topic])

    peer.code("play")
    sends("now", "now/state", lambda m: m.values == ["playing"])
    peer.code("repeat", "all")
    sends("commands", "repeat", lambda m: m.values == ["all"])
    peer.code("layer/1/gain", -31)
    sends("layers", "layer/1/gain", lambda m: m.values == [-31.0])
    peer.code("layer/1/pan", 0.5)
    sends("/binaural/layer/[12]/pan", "layer/1/pan", lambda m: m.values == [0.5])
    peer.code("tuning/a4", 444)
    sends("mixer", "tuning/a4", lambda m: m.values == [444.0])
    sends("tick/20", "now/tick", lambda m: m.values[0] > 0)
    sends("tick/20", "now/text")
    sends("tick/20", "now/norm")
    sends("meters/40", "meter", lambda m: m.values[0] > -120)
    # A change of item sends all layers again.
    marks["layers"] = watchers["layers"].mark
    peer.code("queue/next")
    sends("layers", "layer/count", lambda m: m.values == [1])
    sends("layers", "snapshot/end")
    # A topic sends only its own addresses.
    for watcher, foreign in ((watchers["mixer"], "layer/"), (watchers["jack"], "now/"), (watchers["now"], "meter")):
        check(not [m for m in watcher.inbox if m.path.startswith(foreign)])
    for wrong in ("tick", "meters/", "tick/fast", "songs", "/a[", ""):
        check(new_peer().outcome_of_error("subscribe", wrong) == 400, wrong)


@case("topics jack and log report that JACK's server has gone", [], ["topic jack", "topic log"], patient=True)
def server_gone(_, new_peer, new_program):
    with new_program("--server", f"gone{os.getpid()}", "--start-server") as program:
        peer = new_peer(program)
        peer.until("jack/state", lambda v: v == ["running"])
        watchers = {}
        for topic in ("jack", "log"):
            watchers[topic] = new_peer(program)
            watchers[topic].subscribe(topic)
        marks = {topic: watcher.mark for topic, watcher in watchers.items()}
        program.kill_server()
        watchers["jack"].wait("jack/state", lambda m: m.values == ["away"], marks["jack"])
        received = watchers["log"].wait("log", lambda m: "JACK" in m.values[0], marks["log"])
        expect(peer.get("log"), lambda v: len(v[0]) > 10)
        check(received.types == "s" and len(received.values[0]) > 10, f"{received}")


@case("long work reports its progress to peers that request replies", [], ["progress"])
def progress(peer, new_peer):
    since = peer.mark
    check(peer.code("session/save") == 0)
    received = [m for m in peer.inbox[since:] if m.path == "progress"]
    expect([m.values for m in received], [["/binaural/session/save", 0.0], ["/binaural/session/save", 1.0]])
    check(all(m.types == "sf" for m in received))
    other = new_peer()
    other.send("replies", 0)
    since = other.mark
    other.send("session/save")
    # Saved after it.
    check(peer.code("session/save") == 0)
    other.settle()
    check(not [m for m in other.inbox[since:] if m.path == "progress"])


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
    "rating liked sleep start").split()}


@case("now playing is sent whole, in one bundle with a time tag, on change only", [],
      ["now playing in one bundle", "now playing only on change"])
def now_playing(peer, _):
    # The picture of the first item is drawn at the start, and changes now playing when it is ready.
    peer.until("now/artwork", lambda values: values != [""])
    listener = Listener(peer.destination[1], "now")
    listener.until(lambda tag, addresses: "snapshot/end" in addresses)
    for step, is_change in [(("play",), True), (("play",), False), (("position", 100), True), (("rate", 2), True), (("master/gain", -3), False),
                          (("pause",), True), (("rating", 3), True), (("layer/1/gain", -20), False), (("next",), True), (("stop",), True),
                          (("stop",), False), (("sleep", 60), True), (("sleep", 0), True), (("queue/next",), True), (("rate", 3), True)]:
        peer.code(*step)
        peer.sync()
        received = [listener.until(lambda tag, addresses: "now/state" in addresses)[-1]] if is_change else []
        # A second set would have arrived by then.
        received += [data for data in listener.packets(0.15) if "now/state" in unpack(data)[1]]
        check(is_change or not received, f"{len(received)} sets after {step}")
        # On a busy machine the position is sent before the engine has reported it, and again afterwards; never the same one twice.
        values = [{path: given for path, given in contents(data).items() if path.startswith("now/")} for data in received]
        check(len(values) < 2 or len(values) == 2 and values[0] != values[1], f"after {step}: {values}")
        for tag, addresses in map(unpack, received):
            check(set(addresses) - {"alive"} == NOW, f"after {step}: {addresses}")
            check(abs(tag - time.time()) < 5, f"time tag {tag}")
    listener.close()


@case("alive has the boot id and the number of the last change, and is sent more often after a change", [], ["alive"])
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
        # Once more, although nothing has changed.
        watcher.wait("alive", lambda m: m.values[1] == numbers[-1], watcher.mark)
    expect(numbers, list(range(numbers[0], numbers[0] + 3)))


@case("at rest, alive comes every five seconds", [], ["alive"], patient=True)
def alive_at_rest(peer, new_peer):
    watcher = new_peer()
    watcher.subscribe("log")

    def next_sign():
        began = time.monotonic()
        watcher.wait("alive", since=watcher.mark)
        return time.monotonic() - began

    # After the subscription it is sent more often.
    while next_sign() < 4:
        pass
    began, since = time.monotonic(), watcher.mark
    next_sign(), next_sign()
    passed, count = time.monotonic() - began, len([m for m in watcher.inbox[since:] if m.path == "alive"])
    check(count <= passed / 5 + 1.5, f"{count} in {passed:.1f} s")


@case("a lease ends if its peer is silent, with a notification; any packet renews it", [], ["expired", "leases"], patient=True)
def expired(peer, new_peer):
    silent_one, lively = new_peer(), new_peer()
    # A longer lease than this process may be without a processor.
    for each in (silent_one, lively):
        each.subscribe("mixer", 0, 10)
    began = time.monotonic()
    while not any(m.path == "expired" for m in silent_one.inbox):
        check(time.monotonic() - began < PATIENCE, "the lease does not end")
        lively.settle()
        silent_one.pump(0.5)
    note(began)
    expect(silent_one.wait("expired").values, ["mixer"])
    lively.settle()
    check(not [m for m in lively.inbox if m.path == "expired"])
    since = lively.mark
    peer.code("master/gain", -2)
    lively.wait("master/gain", since=since)
    silent_one.settle()
    check(not [m for m in silent_one.inbox if m.path == "master/gain" and m.values == [-2.0]])


@case("a surface that cannot subscribe is named at startup and gets feedback without a lease", [], ["feedback peers"], patient=True)
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
