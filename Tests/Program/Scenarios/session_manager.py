"""Requests of a session manager, and their effects.

    session_manager.py PROGRAM

A JACK server named JACK_DEFAULT_SERVER has to run. CLIENT_NAME begins the names of the clients.
"""
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from nsm import NAME, Client, Manager, check, clients, files, peer_of
from servers import until


def saved_on_demand(client, peer, project):
    """SIGUSR1 saves explicitly, which keeps the older state as a generation. An automatic save does so only every ten minutes. It may come
    before the signal now and then, but not every time. Returns the level that was saved last."""
    for gain in range(-12, -24, -1):
        before = (project / "session.yaml").read_text()
        check(peer.code("master/gain", float(gain)) == 0)
        client.process.send_signal(signal.SIGUSR1)
        until("SIGUSR1 saves nothing", lambda: f"gain: {gain}" in (project / "session.yaml").read_text())
        if (project / "session.yaml.1").read_text() == before:
            return gain
    raise AssertionError("what was saved was never a save that somebody asked for")


def saved(manager, since):
    """Has the session saved, which is dirty until then, and clean afterwards."""
    manager.wait("/nsm/client/is_dirty", since)
    check(manager.save()[0] == "/reply")
    manager.wait("/nsm/client/is_clean", since)


def aborted(path, work):
    """A session that is ended without a save is as it was saved on request last."""
    home, project, name = work / "home", work / "aborted" / f"Binaural.{NAME}n3", f"{NAME}.n3"
    file = project / "session.yaml"
    project.mkdir(parents=True)
    (project / "preferences.yaml").write_text("crossfade: a while\n")
    manager = Manager()
    client = Client(path, manager.url, home)
    try:
        manager.welcome()
        check(manager.open(project, "Song", name)[0] == "/reply", client.lines)
        manager.wait("/nsm/client/message", 0, lambda values: "preferences.yaml:1:12: a mistake." in values[1])
        peer = peer_of(home, name)
        check(peer.code("master/gain", -9.0) == 0)
        saved(manager, 0)
        check(peer.code("master/gain", -12.0) == 0)
        until("the change is not on disk", lambda: "gain: -12" in file.read_text())
        client.leave()
    finally:
        client.close()
    check("gain: -9" in file.read_text(), file.read_text())
    check("gain: -12" in (project / "session.yaml.1").read_text(), (project / "session.yaml.1").read_text())


def session(path, work):
    home, project = work / "home", work / "session" / f"Binaural.{NAME}n1"
    one, two = f"{NAME}.n1", f"{NAME}.n2"
    manager = Manager()
    client = Client(path, manager.url, home)
    try:
        _, types, values = manager.wait("/nsm/server/announce")
        check(types == "sssiii" and values[0] == "Binaural" and values[2] == path and values[3] == 1 and values[5] == client.process.pid,
              f"{types} {values}")
        check({"switch", "dirty", "progress", "message"} <= set(values[1].split(":")), values[1])
        manager.say("/reply", "/nsm/server/announce", "Welcome.", "Stand-in", ":server-control:")
        # An invalid request is refused, and can be corrected; neither that nor the greeting before it has opened anything.
        since = len(manager.heard)
        manager.say("/nsm/client/open", "not/absolute", "Song", one)
        check(manager.answer("/nsm/client/open", since)[0] == "/error", manager.heard)
        check(not clients(), "JACK was opened before the session")
        check(not (home / "runtime_dir/binaural").exists() and not project.exists())
        since = len(manager.heard)
        manager.say("/nsm/client/open", str(project), "Song", one)
        check(manager.answer("/nsm/client/open", since)[0] == "/reply", f"{manager.heard} {client.lines}")
        check(any(p == "/nsm/client/progress" for p, _, _ in manager.heard))
        check(clients() == {one}, clients())
        peer = peer_of(home, one)
        check(peer.get("now/state") == ["stopped"], "nothing sounds that nobody has started")

        # A new session has connections that are not saved yet.
        saved(manager, since)
        # Dirty, also once the change is on disk, until it is saved on request.
        since = len(manager.heard)
        check(peer.code("master/gain", -9.0) == 0)
        check(peer.code("preferences/shortFade", 0.03) == 0)
        file = project / "session.yaml"
        until("the change is not on disk", lambda: "gain: -9" in file.read_text())
        peer.until("session/dirty", lambda values: values == [0])
        while manager.server.recv(0):
            pass
        check(not any(p == "/nsm/client/is_clean" for p, _, _ in manager.heard[since:]), "nobody has asked to save it")
        saved(manager, since)
        check("gain: -9" in file.read_text(), file.read_text())
        # The session belongs to the manager.
        for command in (("session/load", "work"), ("session/save", "other")):
            check(peer.code(*command) == 405, command)

        gain = saved_on_demand(client, peer, project)

        # Another session without a restart: another name, another file, the first one as it was left.
        other = work / "second" / f"Binaural.{NAME}n2"
        check(manager.open(other, "Second", two)[0] == "/reply", manager.heard[-9:])
        # All of it applies when the manager is notified, not some time later.
        check(clients() == {two}, "the reply came before JACK was open under the other name")
        # Clients find it under that name.
        urls = home / "runtime_dir/binaural"
        until("the address is not where it is looked for", lambda: [f.name for f in urls.iterdir()] == [f"{two}.url"])
        check(peer.get("info")[0] == two, peer.get("info"))
        check(peer_of(home, two).get("info")[0] == two)
        check(peer.get("master/gain") == [0.0])
        check(peer.code("master/gain", -3.0) == 0)
        since = len(manager.heard)
        manager.say("/nsm/client/save")
        check(manager.answer("/nsm/client/save", since)[0] == "/reply")
        check("gain: -3" in (other / "session.yaml").read_text() and f"gain: {gain}" in (project / "session.yaml").read_text())
        # With an unwritable path, the current session stays open and plays.
        check(peer.code("play") == 0)
        peer.until("now/state", lambda values: values == ["playing"])
        since, sounding = len(manager.heard), peer.get("now/tick")
        manager.say("/nsm/client/open", "/proc/none", "Nowhere", two)
        check(manager.answer("/nsm/client/open", since)[0] == "/error", manager.heard[since:])
        check(peer.get("master/gain") == [-3.0] and peer.get("now/state") == ["playing"] and clients() == {two})
        until("the sound stands still", lambda: peer.get("now/tick") != sounding)
        # A notice is a message: the JACK client was reopened.
        manager.wait("/nsm/client/message", where=lambda values: two in values[1])

        client.process.send_signal(signal.SIGTERM)
        check(client.ends() == 0, client.lines)
        # A picture missing from the cache is drawn again.
        elsewhere = {f for f in files(home) if not f.startswith(("runtime_dir/", "cache_home/"))}
        check(not elsewhere, f"outside of its folder: {elsewhere}")
        check(not [f for f in files(home) if f.endswith(".url")])
    finally:
        client.close()

    # Reopened, it resumes where it was.
    manager = Manager()
    client = Client(path, manager.url, home)
    try:
        manager.wait("/nsm/server/announce")
        manager.say("/reply", "/nsm/server/announce", "Welcome.", "Stand-in", "")
        manager.say("/nsm/client/open", str(project), "Song", one)
        check(manager.answer("/nsm/client/open", 0)[0] == "/reply", client.lines)
        peer = peer_of(home, one)
        check(peer.get("master/gain") == [gain])
        check(abs(peer.get("preferences/shortFade")[0] - 0.03) < 1e-6, "the session's own preferences")
        client.process.send_signal(signal.SIGTERM)
        check(client.ends() == 0, client.lines)
    finally:
        client.close()


def main(path):
    work = Path(tempfile.mkdtemp(prefix="binaural-manager-"))
    try:
        session(path, work)
        aborted(path, work)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print("session manager: announced, opened, saved, switched, opened again, aborted")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
