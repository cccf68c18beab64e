"""Connections belong to the session that is open at that moment, also during a switch by a session manager.

    session_connections.py PROGRAM

The server is named JACK_DEFAULT_SERVER; the names of the clients begin with CLIENT_NAME.
"""
import os
import re
import signal
import subprocess
import sys

from nsm import NAME, Song, check, in_folder
from servers import Server, server_environment

SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")
PLAYBACK = ["system:playback_1", "system:playback_2"]
LEFT, RIGHT = f"{NAME}.n1:out_left", f"{NAME}.n1:out_right"


def wire(tool, source, destination):
    subprocess.run([tool, source, destination], check=True, stdout=subprocess.DEVNULL)


def is_connected(peer, pairs):
    """The ports' connections, some of which may still be pending."""
    peer.until("jack/connections", lambda values: sorted(zip(values[::2], values[1::2])) == sorted(pairs))


def ports(name, *pairs):
    """The connections as in `jack/connections`."""
    return [(f"{name}:{port}", other) for port, other in pairs]


def remembered(folder):
    """The connection lines of a session's file."""
    lines = (folder / "session.yaml").read_text().split("\n")
    return sorted(re.sub(r", seen: [-\d]+(, reported: true)?", "", line).strip() for line in lines if "{port:" in line)


def just_before(path, work):
    """Connections and disconnections just before a switch belong to the session that was open, and are restored with it."""
    song = Song(path, work)
    manager, peer = song.manager, song.peer

    def over_and_back():
        for folder, client in ((work / "other", "n2"), (song.folder, "n1")):
            check(manager.open(folder, "Song", f"{NAME}.{client}")[0] == "/reply")

    try:
        is_connected(peer, ports(f"{NAME}.n1", ("out_left", PLAYBACK[0]), ("out_right", PLAYBACK[1])))
        wire("jack_disconnect", LEFT, PLAYBACK[0])
        over_and_back()
        check(remembered(song.folder) == [f"- {{port: out_right, to: {PLAYBACK[1]}}}"], remembered(song.folder))
        is_connected(peer, ports(f"{NAME}.n1", ("out_right", PLAYBACK[1])))
        wire("jack_connect", RIGHT, PLAYBACK[0])
        over_and_back()
        is_connected(peer, ports(f"{NAME}.n1", ("out_right", PLAYBACK[1]), ("out_right", PLAYBACK[0])))
        # The other one was connected automatically, and not by a user.
        check(len(remembered(work / "other")) == 2, remembered(work / "other"))
        song.client.leave()
    finally:
        song.client.close()


def meanwhile(path, work):
    """Connections made after the one session was saved and before the other one is open belong to neither."""
    song = Song(path, work)
    manager, peer = song.manager, song.peer
    try:
        # The time it takes to fade out.
        check(peer.code("preferences/shortFade", 1.0) == 0)
        check(manager.open(work / "other", "Other", f"{NAME}.n2")[0] == "/reply")
        check(manager.save()[0] == "/reply")
        wanted = remembered(work / "other")
        check(len(wanted) == 2, wanted)
        for _ in range(20):
            check(manager.open(song.folder, "Song", f"{NAME}.n1")[0] == "/reply")
            peer.until("now/state", lambda values: values == ["playing"])
            is_connected(peer, ports(f"{NAME}.n1", ("out_left", PLAYBACK[0]), ("out_right", PLAYBACK[1])))
            since = len(manager.heard)
            manager.say("/nsm/client/open", str(work / "other"), "Other", f"{NAME}.n2")
            manager.wait("/nsm/client/progress", since, lambda values: values[0] > 0.2)
            wire("jack_connect", LEFT, PLAYBACK[1])
            manager.server.recv(0)
            was_early = not any(path == "/nsm/client/progress" and values[0] > 0.5 for path, _, values in manager.heard[since:])
            check(manager.answer("/nsm/client/open", since)[0] == "/reply")
            check(manager.save()[0] == "/reply")
            check(remembered(work / "other") == wanted, remembered(work / "other"))
            is_connected(peer, ports(f"{NAME}.n2", ("out_left", PLAYBACK[0]), ("out_right", PLAYBACK[1])))
            if was_early:
                break
        else:
            raise AssertionError("this machine is too busy: run it where less else runs")
        song.client.leave()
    finally:
        song.client.close()


def at_the_end(path, work):
    """A quit while connections are being read ends the program: the open session is saved with them, and the other one is not opened."""
    song = Song(path, work)
    try:
        is_connected(song.peer, ports(f"{NAME}.n1", ("out_left", PLAYBACK[0]), ("out_right", PLAYBACK[1])))
        wire("jack_disconnect", LEFT, PLAYBACK[0])
        song.manager.say("/nsm/client/open", str(work / "other"), "Other", f"{NAME}.n2")
        song.manager.wait("/nsm/client/progress", len(song.manager.heard))
        # SIGTERM would discard it.
        song.client.process.send_signal(signal.SIGINT)
        check(song.client.ends() == 0, song.client.lines)
        check(remembered(song.folder) == [f"- {{port: out_right, to: {PLAYBACK[1]}}}"], remembered(song.folder))
        check(not (work / "other/session.yaml").exists())
    finally:
        song.client.close()


def main(path):
    os.environ.update(server_environment(SERVER))
    with Server(SERVER):
        for part in (just_before, meanwhile, at_the_end):
            in_folder(part, path)
    print("session manager: what is connected and disconnected around a switch is the session's that was open")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
