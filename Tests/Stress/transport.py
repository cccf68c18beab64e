"""JACK's transport with other programs: the player follows them to the frame, and drives them.

    transport.py PROGRAM klick|jack-osc|hydrogen|ardour

As a follower, the program takes every locate to the frame, stopped and rolling, also beyond the end; at the transport's frame n it plays
frame n of the render, bit for bit. As a leader, it makes JACK's transport roll, stop and locate, the timebase master counts the beats of
its frame, and Ardour, the only one that answers such questions, reports its frame. The timebase master is always the other program, or
nobody. The server is named JACK_DEFAULT_SERVER, and the program's client CLIENT_NAME.
"""
import os
import shutil
import sys
import tempfile
from pathlib import Path

from jack_transport import Transport
from disturbance import Disturbed, judge, undisturbed
from parties import PARTIES, JackOSC, Lost, Watched, until
from recording import Capture, equal_tail, render, stretches
from servers import MOVING, Server, in_own_network, server_environment
from peer import Peer
from program import Program

NAME = os.environ.get("CLIENT_NAME", "binaural")
SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")
LENGTH = 30 * 48_000


def stands(transport, party=None):
    """The frame at which the transport is stopped; a busy program is asked again to stop it."""
    until("the transport rolls on", lambda: not transport.rolls or (party and party.stop()), 0.5 if party else 0.02)
    return transport.frame


def advance(capture, frames=24_000):
    """Waits until half a second more has been recorded."""
    wanted = capture.recorded + frames
    until(lambda: f"the recording stands still: {capture.lines[-5:]}", lambda: capture.recorded >= wanted)


def follow(peer, transport, party, capture):
    """Moves the other program around, and checks that the player is at its position; returns how often it rolled inside the patch."""
    assert peer.get("transport/mode") == ["follow"]

    def reports(state, frame, since):
        try:
            peer.wait("now/frame", lambda m: m.values == [frame], since)
            peer.until("now/state", lambda values: values == [state])
            assert peer.get("now/frame") == [frame], (peer.get("now/frame"), frame)
        except AssertionError as why:
            if party.moves_unasked and transport.rolls:
                raise Disturbed("it rolls without a command") from why
            raise

    def locate(frame):
        before = transport.frame
        mark = peer.mark
        party.locate(frame)
        until("the transport is not located", lambda: transport.frame != before)
        return mark, stands(transport)

    def roll():
        party.start()
        until("the transport does not roll", lambda: transport.rolls)
        peer.until("now/state", lambda values: values == ["playing"])
        peer.sync()
        advance(capture)

    def stop():
        mark = peer.mark
        party.stop()
        frame = stands(transport, party)
        reports("paused", min(frame, LENGTH), mark)
        return frame

    # Stopped: a locate is a seek, exact to the frame, and silent.
    mark, frame = locate(5 * 48_000)
    reports("paused", frame, mark)
    roll()
    # Rolling.
    party.locate(12 * 48_000)
    until("the transport is not located", lambda: transport.frame > 10 * 48_000)
    advance(capture)
    mark = peer.mark
    stop()
    # Beyond the end: the position is the end, rolling there is silent but playing, and back inside it sounds again.
    mark, frame = locate(40 * 48_000)
    assert frame > LENGTH, frame
    reports("paused", LENGTH, mark)
    roll()
    assert peer.get("now/state") == ["playing"]
    stop()
    mark, frame = locate(20 * 48_000)
    reports("paused", frame, mark)
    roll()
    # The program's own commands drive everybody.
    assert peer.code("pause") == 0
    reports("paused", stands(transport), mark)
    mark = peer.mark
    assert peer.code("position", 2.0) == 0
    until("the transport is not located", lambda: transport.frame == 96_000)
    reports("paused", 96_000, mark)
    return 4


def lead(peer, transport, party):
    """Checks that the other program is at the player's position: by JACK's transport, and by its own report if it has one."""
    def stands_where_we_are():
        # Synchronised to the frame once it is stopped.
        until("the transport is not where we are", lambda: not transport.rolls and transport.frame == peer.get("now/frame")[0])
        if party.tempo:
            # The timebase master's beat at the player's frame; just before the next one it may be either.
            frame = transport.frame
            beats = {int((frame + way) / 48_000 * party.tempo / 60) for way in (-480, 480)}
            assert transport.beats in beats, f"at {frame} it is at beat {transport.beats}, not {beats}"
        says(lambda rolls, place: not rolls and place == transport.frame == peer.get("now/frame")[0])

    def says(condition):
        if party.rolls_at():
            until(lambda: f"{party.process.args[0]} says {party.rolls_at()}, and we are at {transport.frame}",
                  lambda: condition(*party.rolls_at()), 0.05)

    assert peer.code("transport/mode", "lead") == 0
    assert peer.code("position", 3.0) == 0
    until("the transport is not located", lambda: transport.frame == 144_000)
    stands_where_we_are()
    assert peer.code("play") == 0
    until("the transport does not roll", lambda: transport.rolls)
    says(lambda rolls, _: rolls)
    if isinstance(party, JackOSC):
        until("jack-osc does not see it roll", lambda: party.rolls == 1)
    # Leading does not make the program the timebase master.
    assert transport.tempo == party.tempo, f"the timebase says {transport.tempo}, not {party.tempo}"
    assert peer.code("pause") == 0
    stands(transport)
    stands_where_we_are()
    assert peer.code("transport/mode", "none") == 0


def measure(path, party_name):
    folder = Path(tempfile.mkdtemp(prefix="binaural-transport-"))
    os.environ.update(server_environment(SERVER))
    try:
        with Server(SERVER) as Watched.server, Transport(f"watch-{NAME}") as transport, Program(
                path, NAME, "--transport", "follow", queue=["moving.yaml"], files={"moving.yaml": MOVING}) as program:
            rendered = render(path, program.folder / "moving.yaml", to=folder / "rendered.wav")
            peer = Peer(program.port)
            peer.send("replies", 2)
            peer.subscribe("now")
            assert transport.timebase_is_free(), "the timebase is taken"
            with PARTIES[party_name](folder, transport) as party:
                with Capture(f"timed-{NAME}", [f"{NAME}:out_left", f"{NAME}:out_right"], 90) as capture:
                    stops = follow(peer, transport, party, capture)
                    recording, cycles, xruns = capture.finish()
                lead(peer, transport, party)
                if party.tempo:
                    assert transport.tempo == party.tempo, "the timebase is not theirs any more"
                else:
                    assert transport.tempo is None and transport.timebase_is_free(), "somebody has taken the timebase"
            until("the timebase stays taken", transport.timebase_is_free)
            program.end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    # From each detected start or locate, after the fade-in, up to the detected stop.
    if party.moves_unasked and len(stretches(cycles)) != stops:
        raise Disturbed(f"it rolled {len(stretches(cycles))} times after {stops} commands")
    found = [(s, equal_tail(recording, cycles, s, rendered)) for s in stretches(cycles)]
    lengths = [equal for (first, last), equal in found if cycles[last][0] - cycles[first][0] > 12_000]
    wrong = [(cycles[first], cycles[last], equal) for (first, last), equal in found
             if cycles[last][0] - cycles[first][0] > 12_000 and equal < 4_800]
    judge(len(lengths) >= stops and not wrong, f"{stops} stretches wanted: {lengths}, wrong: {wrong}", xruns)
    return lengths


def main(path, party):
    def measured():
        try:
            return measure(path, party)
        except Lost as why:
            # Ardour does that, while it starts and when it is moved; no other program may.
            assert party == "ardour", "the server does not understand what it is asked"
            raise Disturbed(f"Ardour is lost: {why}") from why
    lengths = undisturbed(measured)
    print(f"figure: followed {party} through starts, locates and stops: {sum(lengths)} frames in {len(lengths)} stretches, equal to the "
          "render at the transport's frame in every bit; led, it came along; the timebase was never ours")


if __name__ == "__main__":
    in_own_network()
    main(os.path.abspath(sys.argv[1]), sys.argv[2])
