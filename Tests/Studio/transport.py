"""JACK's transport with other people's programs: what follows them is at their frame, and what leads them takes them along.

    transport.py PROGRAM klick|jack-osc|hydrogen|ardour

Followed, every locate is taken to the frame, standing and rolling, also beyond the end; what sounds at the transport's frame n is frame n
of the render, bit for bit. Led, the other rolls, stops and stands with us. The timebase is always theirs, or nobody's.
The server gets the name that JACK_DEFAULT_SERVER has, the program's client that of STUDIO_NAME.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from jack_transport import Transport
from recording import Capture, Disturbed, equal_tail, judge, render, stretches, undisturbed
from studio import MOVING, PATIENCE, Lost, Running, Server, in_own_network, server_environment, until
import pyliblo3 as liblo
from peer import Peer
from program import Program

NAME = os.environ.get("STUDIO_NAME", "binaural")
SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-studio")
LENGTH = 30 * 48_000


def ports():
    return subprocess.run(["jack_lsp"], capture_output=True, text=True).stdout.split("\n")


class Klick(Running):
    """A metronome that is the timebase master. It moves nothing by itself: the transport is moved by any other client."""
    tempo, moves = 97, None

    def __init__(self, folder, transport):
        super().__init__("klick", "-n", f"klick-{NAME}", "-T", "4/4", 97, env=dict(os.environ, HOME=str(folder)))
        self.transport = transport
        until("klick is no timebase master", lambda: transport.tempo == 97)
        self.start, self.stop, self.locate = transport.start, transport.stop, transport.locate


class JackOSC(Running):
    """The daemon of jack-tools that moves and tells the transport over OSC."""
    tempo = None

    def __init__(self, folder, transport):
        super().__init__("jack-osc", "-p", 57130, env=dict(os.environ, HOME=str(folder)))
        self.to = liblo.Address("127.0.0.1", 57130)
        self.server = liblo.Server()
        self.status = None
        self.server.add_method("/status.reply", None, lambda path, values: setattr(self, "status", values[4]))
        until("jack-osc does not answer", lambda: self.rolls is not None)

    @property
    def rolls(self):
        """As it sees the transport."""
        self.server.send(self.to, "/status")
        self.server.recv(50)
        return self.status

    def start(self):
        self.server.send(self.to, "/start")

    def stop(self):
        self.server.send(self.to, "/stop")

    def locate(self, frame):
        self.server.send(self.to, "/locate", ("f", frame / 48_000))


class Hydrogen(Running):
    """The drum machine with one of its own songs, without a screen, moved over OSC; it is the timebase master."""
    tempo = 98

    def __init__(self, folder, transport):
        (folder / ".hydrogen/data").mkdir(parents=True)
        text = Path("/usr/share/hydrogen/data/hydrogen.default.conf").read_text()
        for name, value in (("audio_driver", "JACK"), ("jack_timebase_enabled", "true"),
                            ("jack_transport_mode_master", "USE_JACK_TIME_MASTER"), ("oscEnabled", "true")):
            text, count = re.subn(f"<{name}>.*</{name}>", f"<{name}>{value}</{name}>", text)
            assert count == 1, name
        (folder / ".hydrogen/hydrogen.conf").write_text(text)
        song = "/usr/share/hydrogen/data/demo_songs/tutorial_georgyporgy.h2song"
        super().__init__("hydrogen", "--child", "-n", "-d", "jack", "-s", song, patient_end=False,
                         env=dict(os.environ, HOME=str(folder), QT_QPA_PLATFORM="offscreen"))
        self.to = liblo.Address("127.0.0.1", 9000)
        until(lambda: f"Hydrogen is no timebase master: {self.lines}", lambda: transport.tempo == self.tempo)

    def start(self):
        liblo.send(self.to, "/Hydrogen/PLAY", ("f", 1))

    def stop(self):
        liblo.send(self.to, "/Hydrogen/PAUSE", ("f", 1))

    def locate(self, frame):
        """It knows bars; what frame that is the transport tells."""
        liblo.send(self.to, "/Hydrogen/RELOCATE", ("f", round(frame / 48_000 * self.tempo / 240)))


class Ardour(Running):
    """Without a window (hardour), moved over OSC, its own transport bound to JACK's; it is the timebase master."""
    tempo = 120

    def __init__(self, folder, transport):
        environment = dict(
            os.environ, HOME=str(folder), XDG_CONFIG_HOME=str(folder), ARDOUR_DATA_PATH="/usr/share/ardour7",
            ARDOUR_CONFIG_PATH="/etc/ardour7", ARDOUR_DLL_PATH="/usr/lib/ardour7", LD_LIBRARY_PATH="/usr/lib/ardour7")
        session = folder / "song"
        subprocess.run(["ardour7-new_session", "-s", "48000", "-m", "2", str(session), "song"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, env=environment)
        file = session / "song.ardour"
        text = file.read_text()
        for name, old, new in (("Open Sound Control (OSC)", 'active="0"', 'active="1"'), ("external-sync", 'value="0"', 'value="1"')):
            text, count = re.subn(f'(name="{re.escape(name)}" ){old}', rf"\g<1>{new}", text)
            assert count == 1, name
        file.write_text(text)
        # What its transport is bound to, by default MIDI's clock, is a matter of the user's, not of the session's.
        (folder / "ardour7").mkdir(exist_ok=True)
        (folder / "ardour7/config").write_text(
            '<?xml version="1.0" encoding="UTF-8"?><Ardour><TransportMasters current="JACK">'
            '<TransportMaster type="JACK" removeable="0" name="JACK" sclock_synced="0" collect="1" allowed_transport_requests=""/>'
            "</TransportMasters></Ardour>")
        headless = next(Path("/usr/lib/ardour7").glob("hardour-*"))
        super().__init__(headless, "-P", "-c", f"ardour-{NAME}", session, "song", env=environment, patient_end=False)
        self.to = liblo.Address("127.0.0.1", 3819)
        try:
            self.has(lambda: f"ardour-{NAME}:auditioner/audio_out 2" in ports(), lambda: None)
            # It rolls or stands when the session is open, and tells the tempo only where the transport moves.
            self.has(lambda: transport.tempo == self.tempo, lambda: (self.stop(), self.locate(0 if transport.frame else 48_000)))
            # Now and then it rolls on from its start, whatever it is told.
            self.has(lambda: not transport.rolls, self.stop)
        except BaseException:
            # It would keep the port, and be told what the next one is meant to do.
            self.close()
            raise

    def has(self, condition, ask):
        """Asks, as often as it takes."""
        for _ in range(120):
            ask()
            # What it does about it, it tells nobody.
            time.sleep(0.5)
            if condition():
                return
        raise Lost(f"it does not do it: {self.lines[-5:]}")

    def start(self):
        liblo.send(self.to, "/transport_play")

    def stop(self):
        liblo.send(self.to, "/transport_stop")

    def locate(self, frame):
        liblo.send(self.to, "/locate", ("i", frame), ("i", 2))


PARTIES = {"klick": Klick, "jack-osc": JackOSC, "hydrogen": Hydrogen, "ardour": Ardour}


def stands(transport, party=None):
    """The frame at which the transport has come to stand; who is in the middle of something is asked again to stop it."""
    until("the transport rolls on", lambda: not transport.rolls or (party and party.stop()), 0.5 if party else 0.02)
    return transport.frame


def follow(peer, transport, party, capture):
    """Moves the other about, and sees that the player is where it is; returns how often it rolled inside the patch."""
    assert peer.get("transport/mode") == ["follow"]

    def told(state, frame, since):
        peer.wait("now/frame", lambda m: m.values == [frame], since, PATIENCE)
        peer.until("now/state", lambda values: values == [state])
        assert peer.get("now/frame") == [frame], (peer.get("now/frame"), frame)

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
        capture.advance()

    def stop():
        mark = peer.mark
        party.stop()
        frame = stands(transport, party)
        told("paused", min(frame, LENGTH), mark)
        return frame

    # Standing: a locate is a seek, to the frame, and nothing sounds.
    mark, frame = locate(5 * 48_000)
    told("paused", frame, mark)
    roll()
    # Rolling.
    party.locate(12 * 48_000)
    until("the transport is not located", lambda: transport.frame > 10 * 48_000)
    capture.advance()
    mark = peer.mark
    stop()
    # Beyond the end: the position is told as the end, rolling there is silence that plays, and back inside is sound again.
    mark, frame = locate(40 * 48_000)
    assert frame > LENGTH, frame
    told("paused", LENGTH, mark)
    roll()
    assert peer.get("now/state") == ["playing"]
    stop()
    mark, frame = locate(20 * 48_000)
    told("paused", frame, mark)
    roll()
    # Our own commands take everybody along.
    assert peer.code("pause") == 0
    told("paused", stands(transport), mark)
    mark = peer.mark
    assert peer.code("position", 2.0) == 0
    until("the transport is not located", lambda: transport.frame == 96_000)
    told("paused", 96_000, mark)
    return 4


def lead(peer, transport, party):
    """The other is where we are."""
    assert peer.code("transport/mode", "lead") == 0
    assert peer.code("position", 3.0) == 0
    until("the transport is not located", lambda: transport.frame == 144_000)
    assert peer.code("play") == 0
    until("the transport does not roll", lambda: transport.rolls)
    if isinstance(party, JackOSC):
        until("jack-osc does not see it roll", lambda: party.rolls == 1)
    assert peer.code("pause") == 0
    stands(transport)
    # Brought in line to the frame once it stands.
    until("the transport is not where we are", lambda: transport.frame == peer.get("now/frame")[0])
    assert peer.code("transport/mode", "none") == 0


def measure(path, party_name):
    folder = Path(tempfile.mkdtemp(prefix="binaural-transport-"))
    os.environ.update(server_environment(SERVER))
    try:
        with Server(SERVER), Transport(f"watch-{NAME}") as transport, Program(
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
    # From each start or locate on, once it was seen and faded in, up to the stop that the transport was seen at.
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
            # Ardour does that, while it starts and when it is moved; nobody else may.
            assert party == "ardour", "the server does not understand what it is asked"
            raise Disturbed(f"Ardour is lost: {why}") from why
    lengths = undisturbed(measured)
    print(f"figure: followed {party} through starts, locates and stops: {sum(lengths)} frames in {len(lengths)} stretches, equal to the "
          "render at the transport's frame in every bit; led, it came along; the timebase was never ours")


if __name__ == "__main__":
    in_own_network()
    main(os.path.abspath(sys.argv[1]), sys.argv[2])
