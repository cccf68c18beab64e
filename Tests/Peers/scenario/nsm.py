"""A simulated NSM server, written from the protocol's public description, and the program as one starts it."""
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from patience import PATIENCE, note
from servers import MOVING, Running, until
from peer import Peer, free_server

NAME = os.environ.get("CLIENT_NAME", "binaural")
# The protocol's ERR_GENERAL, ERR_UNSAVED_CHANGES, ERR_NOT_NOW, ERR_BAD_PROJECT and ERR_CREATE_FAILED.
GENERAL, UNSAVED, NOT_NOW, BAD_PROJECT, CREATE_FAILED = -1, -7, -8, -9, -10
# The superuser may write anywhere, but not without this.
MORTAL = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.getuid() == 0 else []


class Manager:
    """Receives all messages of a client."""

    def __init__(self):
        self.heard, self.client = [], None
        self.server = free_server()
        self.server.add_method(None, None, self._receive)
        # As a real one sends it: a name, not a number.
        self.url = f"osc.udp://localhost:{self.server.port}/"

    def _receive(self, path, values, types, source):
        self.heard.append((path, types, values))
        self.client = source

    def say(self, path, *arguments):
        self.server.send(self.client, path, *arguments)

    def welcome(self):
        """Accepts the client; returns its announcement."""
        announced = self.wait("/nsm/server/announce")
        self.say("/reply", "/nsm/server/announce", "Welcome.", "Stand-in", ":server-control:")
        return announced

    def wait(self, path, since=0, where=lambda values: True):
        return self._wait(path, lambda heard: heard[0] == path and where(heard[2]), since)

    def answer(self, to, since):
        """("/reply", text) or ("/error", code, text)."""
        path, _, values = self._wait(f"an answer to {to}", lambda heard: heard[0] in ("/reply", "/error") and heard[2][0] == to, since)
        return (path, *values[1:])

    def _wait(self, what, is_it, since):
        began = time.monotonic()
        while time.monotonic() - began < PATIENCE:
            for heard in self.heard[since:]:
                if is_it(heard):
                    note(began)
                    return heard
            self.server.recv(10)
        raise AssertionError(f"{what} did not come; since then: {self.heard[since:]}")

    def open(self, folder, name, client):
        """Opens a session; returns the result."""
        since = len(self.heard)
        self.say("/nsm/client/open", str(folder), name, client)
        return self.answer("/nsm/client/open", since)

    def save(self):
        since = len(self.heard)
        self.say("/nsm/client/save")
        return self.answer("/nsm/client/save", since)


class Client(Running):
    """The program as started by a session manager: without arguments, unless it is wrapped in a script."""

    def __init__(self, path, url, home, launcher=(), arguments=()):
        environment = dict(os.environ, HOME=str(home), NSM_URL=url)
        for each in ("CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME", "RUNTIME_DIR"):
            environment[f"XDG_{each}"] = str(home / each.lower())
            (home / each.lower()).mkdir(mode=0o700, parents=True, exist_ok=True)
        super().__init__(*launcher, path, *arguments, env=environment, cwd=home)

    def leave(self):
        self.process.terminate()
        assert self.ends() == 0, self.lines


def clients():
    def listed():
        asked = subprocess.run(["jack_lsp"], capture_output=True, text=True)
        return asked.returncode == 0 and asked.stdout
    # A busy server may not accept it at once; an accepted client has ports.
    ports = until("jack_lsp is not let in", listed).split("\n")
    # With the suffix of a session manager, since other tests' names may start alike.
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


def is_refused(answer, code, words=""):
    check(answer[:2] == ("/error", code) and words in answer[2], answer)


class Song:
    """A playing session, and its program."""

    def __init__(self, path, work):
        self.home, self.folder = work / "home", work / "song"
        self.folder.mkdir(parents=True)
        (work / "moving.yaml").write_text(MOVING.replace("duration: 30", "duration: 600"))
        # Recordings are compared with renders from their first frame on.
        (self.folder / "preferences.yaml").write_text("softStart: 0\n")
        (self.folder / "session.yaml").write_text(f"format: 1\nqueue:\n  - patch: {work}/moving.yaml\n")
        self.manager = Manager()
        self.client = Client(path, self.manager.url, self.home, launcher=MORTAL)
        self.manager.welcome()
        check(self.manager.open(self.folder, "Song", f"{NAME}.n1")[0] == "/reply", self.client.lines)
        self.peer = peer_of(self.home, f"{NAME}.n1")
        check(self.peer.code("play") == 0)
        self.peer.until("now/elapsed", lambda values: values[0] > 0.1)

    def stays(self):
        """Checks that the session is unchanged, under its name, and still sounds."""
        check(clients() == {f"{NAME}.n1"}, clients())
        before = self.peer.get("now/tick")
        until("the sound stands still", lambda: self.peer.get("now/tick") != before)
        check(self.peer.get("now/title") == ["Moving"], self.peer.get("now/title"))


def in_folder(body, path):
    work = Path(tempfile.mkdtemp(prefix="binaural-faults-"))
    try:
        return body(path, work)
    finally:
        shutil.rmtree(work, ignore_errors=True)
