"""Floods of commands that cost most with large patches and long queues: values of 64 layers, subscriptions to ever new patterns, a large patch
added again and again, thousands of chapters that are moved, all points of a patch, a tuning that hundreds of items follow.

    large_floods.py PROGRAM

As in floods.py, memory stays bounded and another peer is answered. With BINAURAL_STRESS set each flood lasts a minute, and the queue is full.
"""
import itertools
import os
import sys

from floods import IS_LONG, LONG, NAME, RATE, SERVER, Watched, judge_truth, late_cycles, packet
from program import Program
from recording import Capture
from servers import Server, dice, server_environment, until

COUNT = 4096 if IS_LONG else 600
LAYERS = "".join(f"  - {{name: tone-{number}, tone: {{carrier: {100 + 5 * number}}}, gain: -50}}\n" for number in range(1, 65))
CHAPTERS = "".join(f"  - {{at: {number}, title: Chapter {number}, over: 0.5, set: {{tone.carrier: {200 + number % 50}}}}}\n"
                   for number in range(4000))
# Their points, with those at the start, are more than one answer lists.
SETTINGS = "".join(f"  - {{at: {number}, over: 0.5, set: {{{', '.join(f'tone-{layer}.gain: -60' for layer in range(1, 5))}}}}}\n"
                   for number in range(256))
FILES = {
    "patches/points.yaml": f"title: Points\nduration: 600\nlayers:\n{LAYERS}chapters:\n{SETTINGS}",
    "many.yaml": f"title: Many\nduration: 600\nlayers:\n{LAYERS}",
    "patches/notes.yaml": "title: Notes\nduration: 600\nlayers:\n  - {name: one, tone: {note: A4}, gain: -30}\n  - {name: two, tone: {note: E4}, gain: -30}\n",
    "patches/large.yaml": f"title: Large\nduration: 4000\nlayers:\n  - {{name: tone, tone: {{carrier: 200}}, gain: -30}}\nchapters:\n{CHAPTERS}",
}


def main(path):
    os.environ.update(server_environment(SERVER))
    figures, chance, numbers = [], dice(30), itertools.count()

    def subscription():
        """Subscribes to a pattern that was never used before, or unsubscribes from it."""
        number, ends = divmod(next(numbers), 2)
        return packet("unsubscribe" if ends else "subscribe", f"/binaural/{{x{number},layer}}/*/*")

    with Server(SERVER, is_patient=False) as server, Capture(f"idle-{NAME}", ["system:capture_1"], 1), Program(
            path, NAME, "--session", "flooded.yaml", queue=["many.yaml"], files=FILES) as program:
        watched = Watched(program)
        peer = watched.peer

        def start():
            for address, *value in (("replies", 2), ("queue/select", 1), ("repeat", "all"), ("play",)):
                peer.send(address, *value)
            until("it does not play", lambda: peer.get("now/state") == ["playing"])

        def flood(name, make, rate=RATE):
            figures.append(watched.flood(name, make, LONG, rate=rate))
            start()

        start()
        assert peer.code("preset/save", "a") == 0
        # Memory that is allocated once and kept. Reading a large patch takes 20 MB for a moment.
        assert peer.code("queue/add", "large") == 0
        for address, *value in (("layer/*/gain", -50.0), ("preset/load", "a")):
            watched.measure("warming up", lambda made=packet(address, *value): made, 1, 1, RATE)
            peer.settle()
        flood("load a preset of 64 layers", lambda: packet("preset/load", "a"))
        flood("faders of 64 layers", lambda: packet("layer/*/gain", chance.uniform(-60, -40)))
        flood("subscribe to new patterns", subscription)
        # Chapters of a large patch, a thousand of which were moved before.
        assert peer.code("queue/select", 2) == 0
        for number in range(2, 1002):
            peer.send("course/start", number, number - 0.75)
            if number % 100 == 0:
                peer.settle()
        peer.until("course/revision", lambda values: values[1] == 1000)
        # The layer's gain at the start of the patch is one more change.
        flood("chapters of a patch with 1000 changed ones", lambda: packet(*chance.choice([
            ("course/start", number := chance.randint(2, 1001), number - chance.uniform(0.6, 0.9)), ("course/over", number, chance.uniform(0.1, 0.5)),
            ("course/value", 0, 1, "gain", chance.uniform(-40, -20))])))
        assert peer.code("queue/select", 1) == 0
        assert peer.code("queue/add", "points") == 0
        peer.send("queue/select", 3)
        assert len(peer.answers("course/point/list")) == 1025
        flood("list 1024 points", lambda: packet("course/point/list"))
        # Adding a large patch takes memory once: its items share it.
        flood("add a large patch", lambda: packet("queue/add", "large"))
        while (count := peer.get("now/queue")[1]) < COUNT:
            for _ in range(min(100, COUNT - count)):
                peer.send("queue/add", "notes")
            peer.settle()
        start()
        peer.send("queue/select", COUNT)
        flood(f"a tuning that {COUNT} items may follow", lambda: packet("tuning/a4", chance.uniform(400, 480)), rate=60)
        flood(f"a fader, with {COUNT} items", lambda: packet("layer/1/gain", chance.uniform(-60, -40)))
        judge_truth(watched)
        assert peer.get("status")[0] == "running"
        program.end()
    for figure in figures:
        print(f"figure: flood: {figure}")
    print(f"figure: flood: cycles for which the program was late: {late_cycles(server, NAME)}, an idle recorder: "
          f"{late_cycles(server, 'idle-' + NAME)}")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
