"""Requests of a session manager that fail: each is answered with the protocol's codes, and the open session stays open and continues.

    session_faults.py PROGRAM

The server is named JACK_DEFAULT_SERVER; the names of the clients begin with CLIENT_NAME.
"""
import fcntl
import os
import socket
import sys

from jack_transport import Transport
from nsm import (BAD_PROJECT, CREATE_FAILED, GENERAL, MORTAL, NAME, NOT_NOW, UNSAVED, Client, Manager, Song, check, clients, in_folder,
                 is_refused, peer_of)
from servers import Server, server_environment, until

SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")
# Folders and JACK names of which one is invalid.
NONE = [("not/absolute", f"{NAME}.n3"), ("", f"{NAME}.n3"),
        *(("/tmp/nowhere", name) for name in ("", "a:b", "a/b", ".hidden", "tab\there", "x" * 64))]


def at_the_start(path, work):
    """The program exits with the error of what it could not open."""
    def refused(folder, code, status, words="", server=SERVER, arguments=()):
        manager = Manager()
        os.environ["JACK_DEFAULT_SERVER"] = server
        client = Client(path, manager.url, work / "start", launcher=MORTAL, arguments=arguments)
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
    (work / "odd/session.yaml").mkdir(parents=True)
    refused(work / "odd", BAD_PROJECT, 66, "Cannot read")
    (work / "used").mkdir()
    with open(work / "used/session.yaml.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        refused(work / "used", NOT_NOW, 75, "is in use by")
    # A requested port is never replaced by another one.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
        refused(work / "no-port", NOT_NOW, 69, f"UDP port {port} on 127.0.0.1 is in use by", arguments=["play", "--osc-port", port])
    # An invalid request can be corrected, and then has no effect.
    manager = Manager()
    client = Client(path, manager.url, work / "start")
    try:
        manager.welcome()
        for folder, name in NONE:
            is_refused(manager.open(folder, "Nowhere", name), GENERAL, "Expected an absolute path and a JACK client name")
        # One at a time, here too: the first one is opened, and the other one is refused as not now.
        since = len(manager.heard)
        for name in ("right", "wrong"):
            manager.say("/nsm/client/open", str(work / name), "Song", f"{NAME}.n3")
        def answers(): return [values for path, _, values in manager.heard[since:] if path in ("/reply", "/error")]
        until(lambda: f"they are not answered: {answers()}", lambda: (manager.server.recv(10), len(answers()) == 2)[1], 0)
        check(sorted(len(values) for values in answers()) == [2, 3] and NOT_NOW in answers()[0] + answers()[1], answers())
        check(manager.save()[0] == "/reply" and (work / "right/session.yaml").exists() and not (work / "wrong").exists())
        client.leave()
    finally:
        client.close()
    # A manager that refuses the program.
    manager = Manager()
    client = Client(path, manager.url, work / "unwanted")
    try:
        manager.wait("/nsm/server/announce")
        manager.say("/error", "/nsm/server/announce", ("i", -2), "Too old.")
        check(client.ends() == 69 and any("Too old." in line for line in client.lines), client.lines)
    finally:
        client.close()
    # An invalid address.
    client = Client(path, "http://nowhere", work / "nonsense")
    try:
        check(client.ends() == 64 and any("NSM_URL" in line for line in client.lines), client.lines)
    finally:
        client.close()


def while_open(path, work):
    """Requests that fail leave the session that plays open."""
    song = Song(path, work)
    manager, peer = song.manager, song.peer
    try:
        def refused(folder, code, words=""):
            is_refused(manager.open(folder, "Other", f"{NAME}.n2"), code, words)
            song.stays()
        for folder, name in NONE:
            is_refused(manager.open(folder, "Nowhere", name), GENERAL, "Expected an absolute path and a JACK client name")
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
        # Another program has it open.
        (work / "used").mkdir()
        with open(work / "used/session.yaml.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            refused(work / "used", NOT_NOW, "is in use by")

        # Its own folder becomes read-only: the save is answered with an error, and no session can be left, by OSC or by the manager.
        song.folder.chmod(0o555)
        before = (song.folder / "session.yaml").read_text()
        check(peer.code("rating", 4.0) == 0)
        since = len(manager.heard)
        is_refused(manager.save(), GENERAL, "was not saved; the file is unchanged")
        manager.wait("/nsm/client/message", since, lambda values: "was not saved" in values[1])
        # The last one: changed connections may have been saved just before.
        check([path for path, _, _ in manager.heard if path.startswith("/nsm/client/is_")][-1] == "/nsm/client/is_dirty", manager.heard[-9:])
        check(peer.get("session/dirty") == [1], "unsaved, and not dirty")
        refused(work / "second", UNSAVED, "The session Song stays open, so that nothing is lost.")
        check((song.folder / "session.yaml").read_text() == before and peer.get("rating") == [4.0])
        song.folder.chmod(0o755)
        check(manager.save()[0] == "/reply")
        manager.wait("/nsm/client/is_clean", since)
        check("rating: 4" in (song.folder / "session.yaml").read_text(), "what could not be saved is lost")
        song.client.leave()
    finally:
        song.folder.chmod(0o755)
        song.client.close()


def after_a_failure(path, work):
    """A failed save is repeated after ten seconds; a session that replaces it does not wait for that."""
    song = Song(path, work)
    try:
        song.folder.chmod(0o555)
        is_refused(song.manager.save(), GENERAL)
        song.folder.chmod(0o755)
        check(song.manager.open(work / "other", "Other", f"{NAME}.n2")[0] == "/reply")
        check(song.peer.code("play") == 0 and song.peer.code("rating", 2.0) == 0)
        # The position is written every one and a half seconds, and always after changes.
        place, seen = work / "other/session.position", set()
        until("the position is not written", lambda: (seen.add(place.read_text() if place.exists() else ""), len(seen) > 3)[1])
        check("rating: 2" in (work / "other/session.yaml").read_text(), "what was changed waits for the session before")
        song.client.leave()
    finally:
        song.folder.chmod(0o755)
        song.client.close()


def ports_taken(path, work):
    """Two instances with one port in their preferences: the first one gets it, and the second one uses and reports another."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home, started = work / "home", []
    (home / "config_home/binaural").mkdir(parents=True)
    (home / "config_home/binaural/preferences.yaml").write_text(f"oscPort: {port}\n")
    try:
        for number in "12":
            manager = Manager()
            started.append(Client(path, manager.url, home))
            manager.welcome()
            check(manager.open(work / number, "Song", f"{NAME}.n{number}")[0] == "/reply", started[-1].lines)
            own = peer_of(home, f"{NAME}.n{number}").get("info")[4]
            notices = [values[1] for path, _, values in manager.heard if path == "/nsm/client/message" and "UDP port" in values[1]]
            if number == "1":
                check(own == port and not notices, f"{own} {notices}")
            else:
                check(own != port and f"UDP port {port} is in use by" in notices[0] and notices[0].endswith(f"on port {own}."), f"{own} {notices}")
            check(peer_of(home, f"{NAME}.n{number}").get("preferences/oscPort") == [port])
        # A switch does not change the port, whatever the other session's preferences are.
        (work / "3").mkdir()
        (work / "3/preferences.yaml").write_text("oscPort: 1\noscAddress: 0.0.0.0\n")
        check(manager.open(work / "3", "Song", f"{NAME}.n3")[0] == "/reply")
        check(peer_of(home, f"{NAME}.n3").get("info")[4] == own)
        for client in started:
            client.leave()
    finally:
        for client in started:
            client.close()


def names_taken(path, work):
    """JACK numbers a name that is in use; the session opens, and the manager's user is notified."""
    manager = Manager()
    client = Client(path, manager.url, work / "home")

    def opened(number):
        """Opens a session whose JACK name is in use, and checks that everything else works as usual."""
        since, wanted = len(manager.heard), f"{NAME}.n{number}"
        check(manager.open(work / number, "Song", wanted)[0] == "/reply", client.lines)
        notices = manager.wait("/nsm/client/message", since, lambda values: f"The JACK client name {wanted} is in use" in values[1])
        check(f"this instance is {wanted}-01" in notices[2][1], notices)
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
        # Once it is free, the program gets it.
        check(manager.open(work / "5", "Song", f"{NAME}.n5")[0] == "/reply")
        check(clients() == {f"{NAME}.n5"}, clients())
        client.leave()
    finally:
        client.close()


def main(path):
    os.environ.update(server_environment(SERVER))
    with Server(SERVER):
        in_folder(at_the_start, path)
        for part in (while_open, after_a_failure, ports_taken, names_taken):
            in_folder(part, path)
    print("session manager: what cannot be opened or saved leaves the session that plays open")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
