"""What a session manager may ask for in vain: each has its answer in the protocol's terms, and what is open stays open and goes on.

    session_faults.py PROGRAM

The server gets the name that JACK_DEFAULT_SERVER has; STUDIO_NAME begins the names of the clients.
"""
import fcntl
import os
import sys

from jack_transport import Transport
from nsm import (BAD_PROJECT, CREATE_FAILED, GENERAL, MORTAL, NAME, NOT_NOW, UNSAVED, Client, Manager, Song, check, clients, in_folder,
                 is_refused, peer_of)
from recording import Capture, equal_frames, judge, render, undisturbed
from studio import Server, server_environment

SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-studio")


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
            # What it was told last: the connections to this recording may have been saved just before.
            check([path for path, _, _ in manager.heard if path.startswith("/nsm/client/is_")][-1] == "/nsm/client/is_dirty", manager.heard[-9:])
            check(peer.get("session/dirty") == [1], "unsaved, and not dirty")
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


def main(path):
    os.environ.update(server_environment(SERVER))
    with Server(SERVER):
        in_folder(at_the_start, path)
        frames = undisturbed(in_folder, while_open, path)
        in_folder(names_taken, path)
    print(f"figure: sessions that cannot be opened or saved, while one plays: {frames} frames, equal to the render in every bit")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
