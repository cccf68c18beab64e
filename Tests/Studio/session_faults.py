"""What a session manager may ask for in vain: each has its answer in the protocol's terms, and what is open stays open and goes on.

    session_faults.py PROGRAM

The server gets the name that JACK_DEFAULT_SERVER has; STUDIO_NAME begins the names of the clients.
"""
import fcntl
import os
import shutil
import sys
import tempfile
from pathlib import Path

from jack_transport import Transport
from nsm import BAD_PROJECT, CREATE_FAILED, GENERAL, NAME, NOT_NOW, UNSAVED, Client, Manager, check, clients, peer_of
from recording import Capture, equal_frames, judge, render, undisturbed
from studio import MOVING, Server, server_environment, until

SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-studio")
# The superuser may write anywhere, but not without this.
MORTAL = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.getuid() == 0 else []


def is_refused(answer, code, words=""):
    check(answer[:2] == ("/error", code) and words in answer[2], answer)


def at_the_start(path, work):
    """The program leaves with what it could not open."""
    def refused(folder, code, status, words="", server=SERVER):
        manager = Manager()
        os.environ["JACK_DEFAULT_SERVER"] = server
        client = Client(path, manager.url, work / "start", launcher=MORTAL)
        try:
            manager.welcome()
            is_refused(manager.open(folder, "Nowhere", f"{NAME}.n3"), code, words)
            check(client.ends() == status, client.lines)
        finally:
            os.environ["JACK_DEFAULT_SERVER"] = SERVER
            client.close()
    refused("/proc/none/here", CREATE_FAILED, 73)
    closed = work / "closed"
    closed.mkdir(mode=0o555)
    refused(closed, CREATE_FAILED, 73, "cannot be written")
    refused(work / "no-jack", NOT_NOW, 69, "JACK", server=f"{SERVER}-none")
    newer = work / "newer"
    newer.mkdir()
    (newer / "session.yaml").write_text("format: 99\nqueue: []\n")
    refused(newer, BAD_PROJECT, 65)
    check((newer / "session.yaml").read_text() == "format: 99\nqueue: []\n")
    # A manager that does not want us.
    manager = Manager()
    client = Client(path, manager.url, work / "unwanted")
    try:
        manager.wait("/nsm/server/announce")
        manager.say("/error", "/nsm/server/announce", ("i", -2), "Too old.")
        check(client.ends() == 69 and any("Too old." in line for line in client.lines), client.lines)
    finally:
        client.close()
    # An address that is none.
    client = Client(path, "http://nowhere", work / "nonsense")
    try:
        check(client.ends() == 64 and any("NSM_URL" in line for line in client.lines), client.lines)
    finally:
        client.close()


class Song:
    """A session that plays, and its program."""

    def __init__(self, path, work):
        self.home, self.folder = work / "home", work / "song"
        self.folder.mkdir(parents=True)
        (work / "moving.yaml").write_text(MOVING.replace("duration: 30", "duration: 600"))
        (self.folder / "session.yaml").write_text(f"format: 1\nqueue:\n  - patch: {work}/moving.yaml\n")
        self.manager = Manager()
        self.client = Client(path, self.manager.url, self.home, launcher=MORTAL)
        self.manager.welcome()
        check(self.manager.open(self.folder, "Song", f"{NAME}.n1")[0] == "/reply", self.client.lines)
        self.peer = peer_of(self.home, f"{NAME}.n1")
        check(self.peer.code("play") == 0)
        self.peer.until("now/elapsed", lambda values: values[0] > 0.1)

    def stays(self):
        """As it was, under its name, and sounding on."""
        check(clients() == {f"{NAME}.n1"}, clients())
        before = self.peer.get("now/tick")
        until("the sound stands still", lambda: self.peer.get("now/tick") != before)
        check(self.peer.get("now/title") == ["Moving"], self.peer.get("now/title"))


def while_open(path, work):
    """What is asked of a session that plays, with all of its sound: not a bit of it changes. Returns how many frames that are."""
    song = Song(path, work)
    manager, peer = song.manager, song.peer
    try:
        with Capture(f"timed-{NAME}", [f"{NAME}.n1:out_left", f"{NAME}.n1:out_right"], 100) as capture:
            def refused(folder, code, words=""):
                is_refused(manager.open(folder, "Other", f"{NAME}.n2"), code, words)
                song.stays()
            refused("/proc/none", CREATE_FAILED, "Cannot make the folder")
            closed = work / "closed"
            closed.mkdir(mode=0o555)
            refused(closed, CREATE_FAILED, "cannot be written")
            # A folder where the file should be.
            (work / "odd/session.yaml").mkdir(parents=True)
            refused(work / "odd", BAD_PROJECT, "Cannot read")
            (work / "newer").mkdir()
            (work / "newer/session.yaml").write_text("format: 99\nqueue: []\n")
            refused(work / "newer", BAD_PROJECT)
            # Somebody else has it open.
            (work / "used").mkdir()
            with open(work / "used/session.yaml.lock", "w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                refused(work / "used", NOT_NOW, "is in use by")

            # Its own folder is not to be written any more: the save is answered so, and nothing is left, neither by hand nor by the manager.
            song.folder.chmod(0o555)
            before = (song.folder / "session.yaml").read_text()
            check(peer.code("rating", 4.0) == 0)
            since = len(manager.heard)
            is_refused(manager.save(), GENERAL, "was not saved; the file is what it was")
            manager.wait("/nsm/client/message", since, lambda values: "was not saved" in values[1])
            check(("/nsm/client/is_clean", "", []) not in manager.heard[since:], "unsaved, and not dirty")
            refused(work / "second", UNSAVED, "The session Song stays open, so that nothing is lost.")
            check((song.folder / "session.yaml").read_text() == before and peer.get("rating") == [4.0])
            song.folder.chmod(0o755)
            check(manager.save()[0] == "/reply")
            manager.wait("/nsm/client/is_clean", since)
            check("rating: 4" in (song.folder / "session.yaml").read_text(), "what could not be saved is lost")
            capture.advance()
            wave, _, xruns = capture.finish()
        end = peer.get("now/elapsed")[0] + 1
        song.client.leave()
    finally:
        song.folder.chmod(0o755)
        song.client.close()
    rendered = render(path, work / "moving.yaml", "--to", end, to=work / "rendered.wav").samples
    count, frames = len(wave.samples), equal_frames(wave.samples, rendered)
    judge(frames == count, f"of {count} frames only the last {frames} are those of the render", xruns)
    return frames


def without_jack(path, work):
    """A server that has gone: the session that is open stays so, and another one can be opened when it is back."""
    server = Server(SERVER)
    server.answers()
    song = Song(path, work)
    try:
        peer = song.peer
        server.process.kill()
        server.process.wait()
        server.close()
        peer.until("jack/state", lambda values: values == ["away"])
        is_refused(song.manager.open(work / "second", "Second", f"{NAME}.n2"), NOT_NOW, "JACK is away")
        check(not (work / "second").exists() and peer.get("now/title") == ["Moving"])
        # Saving needs none.
        check(song.manager.save()[0] == "/reply")
        with Server(SERVER):
            peer.until("jack/state", lambda values: values == ["running"])
            song.stays()
            check(song.manager.open(work / "second", "Second", f"{NAME}.n2")[0] == "/reply")
            check(clients() == {f"{NAME}.n2"} and peer.get("now/title") != ["Moving"])
            song.client.leave()
    finally:
        song.client.close()
        server.close()


def names_taken(path, work):
    """JACK numbers a name that is taken; the session opens, and the manager's user is told."""
    manager = Manager()
    client = Client(path, manager.url, work / "home")

    def opened(number):
        """Opens a session whose name in JACK somebody has, and sees that all else is as ever."""
        since, wanted = len(manager.heard), f"{NAME}.n{number}"
        check(manager.open(work / number, "Song", wanted)[0] == "/reply", client.lines)
        told = manager.wait("/nsm/client/message", since, lambda values: f"The name {wanted} is taken in JACK" in values[1])
        check(f"this is {wanted}-01" in told[2][1], told)
        check(f"{wanted}-01" in clients(), clients())
        peer = peer_of(work / "home", f"{wanted}-01")
        check(peer.get("info")[0] == f"{wanted}-01" and peer.code("rating", 3.0) == 0)
        check(manager.save()[0] == "/reply" and "rating: 3" in (work / number / "session.yaml").read_text())

    try:
        manager.welcome()
        with Transport(f"{NAME}.n5"):
            opened("5")
            with Transport(f"{NAME}.n6"):
                opened("6")
        # Once it is free, it is ours.
        check(manager.open(work / "5", "Song", f"{NAME}.n5")[0] == "/reply")
        check(clients() == {f"{NAME}.n5"}, clients())
        client.leave()
    finally:
        client.close()


def in_folder(body, path):
    work = Path(tempfile.mkdtemp(prefix="binaural-faults-"))
    try:
        return body(path, work)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def main(path):
    os.environ.update(server_environment(SERVER))
    with Server(SERVER):
        in_folder(at_the_start, path)
        frames = undisturbed(in_folder, while_open, path)
        in_folder(names_taken, path)
    in_folder(without_jack, path)
    print(f"figure: sessions that cannot be opened or saved, while one plays: {frames} frames, equal to the render in every bit")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
