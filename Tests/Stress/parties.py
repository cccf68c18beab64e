"""Other people's programs that move JACK's transport, each as it is in Debian, started and moved as its users do."""
import os
import re
import subprocess
import time
from pathlib import Path

import servers
from peer import free_server
from servers import Running
import pyliblo3 as liblo

NAME = os.environ.get("CLIENT_NAME", "binaural")


class Lost(Exception):
    """Ardour calls JACK on several threads at once, which now and then confuses the server: then the test starts again."""


class Watched:
    """The server that the programs use."""
    server = None


def until(what, condition, step=0.02):
    """Waits for a condition, unless the server is confused."""
    def is_met():
        if any("Unknown request" in line for line in Watched.server.lines[-200:]):
            raise Lost("the server is confused")
        return condition()
    return servers.until(what, is_met, step)


def ports():
    return subprocess.run(["jack_lsp"], capture_output=True, text=True).stdout.split("\n")


class Party(Running):
    """Another program that uses JACK's transport."""
    # Its beats a minute as the timebase master; None if it is not.
    tempo = None
    # Whether it may start, stop or locate without a command.
    moves_unasked = False

    def rolls_at(self):
        """Whether it rolls, and its frame, by its own report; `None` without one."""
        return None


class Klick(Party):
    """A metronome that is the timebase master. It does not move the transport itself; another client does."""
    tempo, moves = 97, None

    def __init__(self, folder, transport):
        super().__init__("klick", "-n", f"klick-{NAME}", "-T", "4/4", 97, env=dict(os.environ, HOME=str(folder)))
        self.transport = transport
        until("klick is not the timebase master", lambda: transport.tempo == 97)
        self.start, self.stop, self.locate = transport.start, transport.stop, transport.locate


class JackOSC(Party):
    """The daemon of jack-tools that moves and reports the transport over OSC."""
    tempo = None

    def __init__(self, folder, transport):
        super().__init__("jack-osc", "-p", 57130, env=dict(os.environ, HOME=str(folder)))
        self.to = liblo.Address("127.0.0.1", 57130)
        self.server = free_server()
        self.status = None
        self.server.add_method("/status.reply", None, lambda path, values: setattr(self, "status", values))
        until("jack-osc does not answer", lambda: self.rolls is not None)

    @property
    def rolls(self):
        """The transport as it reports it."""
        self.server.send(self.to, "/status")
        self.server.recv(50)
        return self.status and self.status[4]

    def start(self):
        self.server.send(self.to, "/start")

    def stop(self):
        self.server.send(self.to, "/stop")

    def locate(self, frame):
        self.server.send(self.to, "/locate", ("f", frame / 48_000))


class Hydrogen(Party):
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
        until(lambda: f"Hydrogen is not the timebase master: {self.lines}", lambda: transport.tempo == self.tempo)

    def start(self):
        liblo.send(self.to, "/Hydrogen/PLAY", ("f", 1))

    def stop(self):
        liblo.send(self.to, "/Hydrogen/PAUSE", ("f", 1))

    def locate(self, frame):
        """It works in bars; the frame is read from the transport."""
        liblo.send(self.to, "/Hydrogen/RELOCATE", ("f", round(frame / 48_000 * self.tempo / 240)))


class Ardour(Party):
    """Without a window (hardour), moved over OSC, its own transport bound to JACK's; it is the timebase master."""
    tempo, moves_unasked = 120, True

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
        # Its synchronisation source, by default MIDI clock, is a user setting, not one of the session.
        (folder / "ardour7").mkdir(exist_ok=True)
        (folder / "ardour7/config").write_text(
            '<?xml version="1.0" encoding="UTF-8"?><Ardour><TransportMasters current="JACK">'
            '<TransportMaster type="JACK" removeable="0" name="JACK" sclock_synced="0" collect="1" allowed_transport_requests=""/>'
            "</TransportMasters></Ardour>")
        headless = next(Path("/usr/lib/ardour7").glob("hardour-*"))
        super().__init__(headless, "-P", "-c", f"ardour-{NAME}", session, "song", env=environment, patient_end=False)
        self.to = liblo.Address("127.0.0.1", 3819)
        # The port that it answers to.
        self.surface, self.said = liblo.Server(8000), {}
        self.surface.add_method(None, None, lambda path, values: self.said.update({path: values}))
        try:
            self.has(lambda: f"ardour-{NAME}:auditioner/audio_out 2" in ports(), lambda: None)
            # It rolls or stops when the session is open, and sends the tempo only while the transport moves.
            self.has(lambda: transport.tempo == self.tempo, lambda: (self.stop(), self.locate(0 if transport.frame else 48_000)))
            # Now and then it keeps rolling from its start, regardless of commands.
            self.has(lambda: not transport.rolls, self.stop)
        except BaseException:
            # It would keep the port, and get the commands for the next one.
            self.close()
            raise

    def close(self):
        super().close()
        self.surface.free()

    def has(self, condition, ask):
        """Repeats the command until it has an effect."""
        for _ in range(120):
            ask()
            # It does not report what it does.
            time.sleep(0.5)
            if condition():
                return
            if any("JACK HALTED" in line for line in self.lines):
                break
        raise Lost(f"it does not do it: {self.lines[-5:]}")

    def start(self):
        liblo.send(self.to, "/transport_play")

    def stop(self):
        liblo.send(self.to, "/transport_stop")

    def locate(self, frame):
        liblo.send(self.to, "/locate", ("i", frame), ("i", 2))

    def rolls_at(self):
        """Its own transport's speed and frame, requested on its port for surfaces."""
        self.said.clear()
        for question in ("/transport_speed", "/transport_frame"):
            liblo.send(self.to, question)
        until("Ardour does not say where it is", lambda: (self.surface.recv(20), len(self.said) == 2)[1], 0)
        return self.said["/transport_speed"][0] != 0, self.said["/transport_frame"][0]


PARTIES = {"klick": Klick, "jack-osc": JackOSC, "hydrogen": Hydrogen, "ardour": Ardour}
