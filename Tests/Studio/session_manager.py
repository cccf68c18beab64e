"""A stand-in for an NSM server, written from the protocol's public description, and what the program has to do with it.

    session_manager.py PROGRAM

JACK's server is the one that JACK_DEFAULT_SERVER names; it has to run. STUDIO_NAME begins the names of the clients.
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from studio import PATIENCE, Running, until
import pyliblo3 as liblo
from peer import Peer

NAME = os.environ.get("STUDIO_NAME", "binaural")


class Manager:
    """Hears all that a client says."""

    def __init__(self):
        self.heard, self.client = [], None
        self.server = liblo.Server()
        self.server.add_method(None, None, self._receive)
        # As a real one tells it: a name, not a number.
        self.url = f"osc.udp://localhost:{self.server.port}/"

    def _receive(self, path, values, types, source):
        self.heard.append((path, types, values))
        self.client = source

    def say(self, path, *arguments):
        self.server.send(self.client, path, *arguments)

    def wait(self, path, since=0, where=lambda values: True):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for heard in self.heard[since:]:
                if heard[0] == path and where(heard[2]):
                    return heard
            self.server.recv(10)
        raise AssertionError(f"{path} did not come; since then: {self.heard[since:]}")

    def answer(self, to, since):
        """("/reply", text) or ("/error", code, text)."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for path, _, values in self.heard[since:]:
                if path in ("/reply", "/error") and values[0] == to:
                    return (path, *values[1:])
            self.server.recv(10)
        raise AssertionError(f"no answer to {to}; since then: {self.heard[since:]}")


class Client(Running):
    """The program, as a session manager starts it: without arguments."""

    def __init__(self, path, url, home):
        environment = dict(os.environ, HOME=str(home), NSM_URL=url)
        for each in ("CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME", "RUNTIME_DIR"):
            environment[f"XDG_{each}"] = str(home / each.lower())
            (home / each.lower()).mkdir(mode=0o700, parents=True, exist_ok=True)
        super().__init__(path, env=environment, cwd=home)

    def ends(self):
        """Its exit status, once all that it has said is there."""
        status = self.process.wait(PATIENCE)
        self.reader.join()
        return status


def clients():
    ports = subprocess.run(["jack_lsp"], capture_output=True, text=True).stdout.split("\n")
    # With what a session manager puts behind a name: other tests' names may begin alike.
    return {port.split(":")[0] for port in ports if port.startswith(f"{NAME}.n")}


def files(folder):
    return {str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file()}


def peer_of(home, name):
    url = home / "runtime_dir/binaural" / f"{name}.url"
    until(f"{url} is not there", url.exists)
    peer = Peer(int(url.read_text().strip().rstrip("/").rsplit(":", 1)[1]))
    peer.send("replies", 2)
    peer.settle()
    return peer


def check(condition, what=""):
    assert condition, what


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
        # What is none is refused, and can be put right; neither that nor the greeting before it has opened anything.
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

        # Dirty, saved, clean.
        since = len(manager.heard)
        check(peer.code("master/gain", -9.0) == 0)
        check(peer.code("preferences/shortFade", 0.03) == 0)
        manager.wait("/nsm/client/is_dirty", since)
        manager.say("/nsm/client/save")
        check(manager.answer("/nsm/client/save", since)[0] == "/reply")
        manager.wait("/nsm/client/is_clean", since)
        text = (project / "session.yaml").read_text()
        check("gain: -9" in text, text)
        # It belongs to the manager.
        for command in (("session/load", "work"), ("session/save", "other")):
            check(peer.code(*command) == 405, command)

        # SIGUSR1 saves, too.
        check(peer.code("master/gain", -12.0) == 0)
        client.process.send_signal(signal.SIGUSR1)
        until("SIGUSR1 saves nothing", lambda: "gain: -12" in (project / "session.yaml").read_text())

        # Another session, without a new start: another name, another file, the first one as it was left.
        other = work / "second" / f"Binaural.{NAME}n2"
        since = len(manager.heard)
        manager.say("/nsm/client/open", str(other), "Second", two)
        check(manager.answer("/nsm/client/open", since)[0] == "/reply", manager.heard[since:])
        until("the client has not the other's name", lambda: clients() == {two})
        # Whoever looks for it finds it under that name.
        urls = home / "runtime_dir/binaural"
        until("the address is not where it is looked for", lambda: [f.name for f in urls.iterdir()] == [f"{two}.url"])
        check(peer.get("info")[0] == two, peer.get("info"))
        check(peer_of(home, two).get("info")[0] == two)
        check(peer.get("master/gain") == [0.0])
        check(peer.code("master/gain", -3.0) == 0)
        since = len(manager.heard)
        manager.say("/nsm/client/save")
        check(manager.answer("/nsm/client/save", since)[0] == "/reply")
        check("gain: -3" in (other / "session.yaml").read_text() and "gain: -12" in (project / "session.yaml").read_text())
        # A path that cannot be written leaves the session open that is, and what sounds.
        check(peer.code("play") == 0)
        peer.until("now/state", lambda values: values == ["playing"])
        since, sounding = len(manager.heard), peer.get("now/tick")
        manager.say("/nsm/client/open", "/proc/none", "Nowhere", two)
        check(manager.answer("/nsm/client/open", since)[0] == "/error", manager.heard[since:])
        check(peer.get("master/gain") == [-3.0] and peer.get("now/state") == ["playing"] and clients() == {two})
        until("the sound stands still", lambda: peer.get("now/tick") != sounding)
        # A notice is a message: that JACK's client was opened again.
        manager.wait("/nsm/client/message", where=lambda values: two in values[1])

        client.process.send_signal(signal.SIGTERM)
        check(client.ends() == 0, client.lines)
        # What a cache holds is drawn again where it is missing.
        elsewhere = {f for f in files(home) if not f.startswith(("runtime_dir/", "cache_home/"))}
        check(not elsewhere, f"outside of its folder: {elsewhere}")
        check(not [f for f in files(home) if f.endswith(".url")])
    finally:
        client.close()

    # Opened again, it goes on where it was.
    manager = Manager()
    client = Client(path, manager.url, home)
    try:
        manager.wait("/nsm/server/announce")
        manager.say("/reply", "/nsm/server/announce", "Welcome.", "Stand-in", "")
        manager.say("/nsm/client/open", str(project), "Song", one)
        check(manager.answer("/nsm/client/open", 0)[0] == "/reply", client.lines)
        peer = peer_of(home, one)
        check(peer.get("master/gain") == [-12.0])
        check(abs(peer.get("preferences/shortFade")[0] - 0.03) < 1e-6, "the session's own preferences")
        client.process.send_signal(signal.SIGTERM)
        check(client.ends() == 0, client.lines)
    finally:
        client.close()


def refusals(path, work):
    # One that cannot be made is answered before anything is opened.
    manager = Manager()
    client = Client(path, manager.url, work / "refused")
    try:
        manager.wait("/nsm/server/announce")
        manager.say("/reply", "/nsm/server/announce", "Welcome.", "Stand-in", "")
        manager.say("/nsm/client/open", "/proc/none/here", "Nowhere", f"{NAME}.n3")
        answer = manager.answer("/nsm/client/open", 0)
        check(answer[:2] == ("/error", -10), answer)
        check(client.ends() == 73, client.lines)
    finally:
        client.close()
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


def main(path):
    work = Path(tempfile.mkdtemp(prefix="binaural-manager-"))
    try:
        session(path, work)
        refusals(path, work)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print("session manager: announced, opened, saved, switched, opened again")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
