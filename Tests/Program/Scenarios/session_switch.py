"""Preferences and connections when a session manager switches between sessions: each session's own apply, and stay separate.

    session_switch.py PROGRAM

A JACK server named JACK_DEFAULT_SERVER has to run, with a pair of playback ports. CLIENT_NAME begins the names of the
clients.
"""
import os
import shutil
import sys
import tempfile
from pathlib import Path

from nsm import NAME, NOT_NOW, Client, Manager, check, clients, peer_of
from servers import until

HEADER = "# Preferences of binaural; comments are lost when the program writes this file.\n"
PLAYBACK = ["system:playback_1", "system:playback_2"]


class Switch:
    """A program in the first of several sessions, and the user's own preferences, which are a link."""

    def __init__(self, path, work):
        self.home, self.work = work / "home", work / "sessions"
        self.manager = Manager()
        self.users = work / "dotfiles.yaml"
        self.users.write_text("crossfade: 2\nhologram: 3\n")
        (self.home / "config_home/binaural").mkdir(parents=True)
        (self.home / "config_home/binaural/preferences.yaml").symlink_to(self.users)
        self.client = Client(path, self.manager.url, self.home)
        self.manager.welcome()

    def folder(self, name):
        return self.work / name

    def kept(self, name):
        """Returns the text of its preferences file, and checks that it is its own."""
        file = self.folder(name) / "preferences.yaml"
        check(not file.is_symlink(), f"{file} is somebody else's")
        return file.read_text()

    def open(self, name):
        answer = self.manager.open(self.folder(name), name, f"{NAME}.n{name}")
        check(answer[0] == "/reply", f"{answer} {self.client.lines}")
        # Checked first: it must apply when the manager gets the answer.
        there = clients()
        check(there == {f"{NAME}.n{name}"}, f"the reply came before JACK was open: {there}")

    def preferences(self, peer):
        return {name: peer.get(f"preferences/{name}") for name in ("crossfade", "shortFade", "buttonHold", "skipIntervals", "connect")}

    def is_connected(self, peer, ports):
        peer.until("jack/connections", lambda values: [v for v in values[1::2] if v] == ports)


def close_to(values, wanted):
    return [round(v, 6) if isinstance(v, float) else v for v in values] == wanted


def goes_over(switch):
    switch.open("one")
    peer = peer_of(switch.home, f"{NAME}.none")
    check(close_to(peer.get("preferences/crossfade"), [2.0]), "they begin as those of the user")
    for preference, value in (("shortFade", 0.05), ("skipIntervals", 5.0)):
        check(peer.code(f"preferences/{preference}", value) == 0)
    switch.is_connected(peer, PLAYBACK)
    check(peer.code("jack/disconnect", "out_left", PLAYBACK[0]) == 0)
    peer.subscribe("session")
    peer.settle()

    # A session with preferences: its values apply, and subscribers get exactly those that differ.
    switch.folder("two").mkdir(parents=True)
    (switch.folder("two") / "preferences.yaml").write_text("shortFade: 0.3\nskipIntervals: [7, 8]\nbuttonHold: 0.5\nconnect: none\n")
    mark = peer.mark
    # Still being saved when the session is left.
    check(peer.code("preferences/buttonWindow", 0.4) == 0)
    switch.open("two")
    # Else the end of this switch would be taken for that of the next one.
    peer.wait("lifecycle", lambda m: m.values == ["didBecomeActive"], mark)
    peer.settle()
    for name, values in (("crossfade", [0.0]), ("shortFade", [0.3]), ("skipIntervals", [7.0, 8.0]), ("connect", ["none"]),
                         ("buttonWindow", [0.35])):
        peer.wait(f"preferences/{name}", lambda m: close_to(m.values, values), mark)
        check(close_to(peer.get(f"preferences/{name}"), values), name)
    sent = {m.path for m in peer.inbox[mark:] if m.path.startswith("preferences/")}
    check(not sent & {"preferences/buttonHold", "preferences/shake", "preferences/oscPort"}, sent)
    # They take effect: a skip has the length that they set.
    check(close_to(peer.get("skip/intervals"), [7.0, 8.0]), "nobody follows the new preferences")
    switch.is_connected(peer, [])
    check(peer.code("preferences/buttonHold", 1.5) == 0)

    # A session without preferences starts with the user's, and with nothing from earlier sessions.
    mark = peer.mark
    switch.open("three")
    peer.wait("lifecycle", lambda m: m.values == ["didBecomeActive"], mark)
    check(close_to(peer.get("preferences/crossfade"), [2.0]) and close_to(peer.get("preferences/shortFade"), [0.02]))
    check(close_to(peer.get("skip/intervals"), [15.0, 30.0, 60.0]) and close_to(peer.get("preferences/buttonHold"), [0.5]))
    switch.is_connected(peer, PLAYBACK)
    check(peer.code("preferences/crossfade", 4.0) == 0)

    # Back: it is as it was left.
    mark = peer.mark
    switch.open("one")
    peer.wait("lifecycle", lambda m: m.values == ["didBecomeActive"], mark)
    check(close_to(peer.get("preferences/shortFade"), [0.05]) and close_to(peer.get("skip/intervals"), [5.0]))
    check(close_to(peer.get("preferences/crossfade"), [2.0]) and close_to(peer.get("preferences/buttonWindow"), [0.4]))
    switch.is_connected(peer, PLAYBACK[1:])
    check(peer.code("preferences/shake", "next") == 0)

    # The open session again, under another spelling: nothing happens, not even to the JACK client.
    link = switch.work / "link"
    link.symlink_to(switch.folder("one"))
    mark = peer.mark
    for folder in (f"{switch.folder('one')}/", link):
        check(switch.manager.open(folder, "one", f"{NAME}.none")[0] == "/reply")
    peer.settle()
    check(not [m for m in peer.inbox[mark:] if m.path in ("lifecycle", "jack/state") or m.path.startswith("preferences/")], peer.inbox[mark:])

    # JACK was there all the time, and nothing else is reported.
    said = [values[1] for path, _, values in switch.manager.heard if path == "/nsm/client/message"]
    check(f"The JACK client is being reopened as {NAME}.ntwo." in said and not any("away" in text for text in said), said)
    return peer


def many_ways(switch):
    """A new session opened by a path that is not the shortest: it is the same one under any path, and no other."""
    link = switch.work / "ways"
    link.symlink_to(switch.work)
    ways = [f"{link}/five", f"{switch.work}//five/", f"{link}/./five", switch.folder("five")]
    for first in range(2):
        for way in ways:
            answer = switch.manager.open(way, "five", f"{NAME}.nfive")
            check(answer[0] == "/reply", f"{way}: {answer}")
            check(clients() == {f"{NAME}.nfive"}, clients())
            check(switch.manager.save()[0] == "/reply" and (switch.folder("five") / "session.yaml").exists())
        # The reverse, for a new session.
        switch.open("two")
        shutil.rmtree(switch.folder("five"))
        ways = ways[1:] + ways[:1]


def one_at_a_time(switch, peer):
    """A request for another session before the first is open is refused as not now, and the first one opens normally."""
    since = len(switch.manager.heard)
    for name in ("one", "six", "one"):
        switch.manager.say("/nsm/client/open", str(switch.folder(name)), name, f"{NAME}.n{name}")
    def answers(): return [values for path, _, values in switch.manager.heard[since:] if path in ("/reply", "/error")]
    until(lambda: f"they are not answered: {answers()}", lambda: (switch.manager.server.recv(10), len(answers()) == 3)[1], 0)
    check(sorted(values[1] for values in answers() if len(values) == 3) == [NOT_NOW, NOT_NOW], answers())
    check(answers()[-1][:2] == ["/nsm/client/open", "Opened."], answers())
    check(clients() == {f"{NAME}.none"} and not switch.folder("six").exists(), clients())
    peer.settle()
    check(close_to(peer.get("preferences/shortFade"), [0.05]))
    # The refused session can be opened now.
    switch.open("six")
    switch.open("two")


def mistaken(switch, peer):
    """A file with a mistake is reported to the manager and not changed, and its valid preferences apply."""
    text = "crossfade: a while\nshortFade: 0.1\n"
    switch.folder("four").mkdir(parents=True)
    (switch.folder("four") / "preferences.yaml").write_text(text)
    since = len(switch.manager.heard)
    switch.open("four")
    switch.manager.wait("/nsm/client/message", since, lambda values: "preferences.yaml:1:12: a mistake." in values[1])
    check(all("a while" not in str(values) for _, _, values in switch.manager.heard[since:]), "it quotes the file")
    check(close_to(peer.get("preferences/crossfade"), [0.0]) and close_to(peer.get("preferences/shortFade"), [0.1]))
    since = len(switch.manager.heard)
    check(peer.code("preferences/buttonHold", 0.7) == 0)
    switch.manager.wait("/nsm/client/message", since, lambda values: values[1].startswith("The preferences were not saved. ") and "preferences.yaml:1:12: a mistake." in values[1])
    check(switch.kept("four") == text)
    # After the correction, values set meanwhile are saved, also if the session is left at once.
    (switch.folder("four") / "preferences.yaml").write_text("crossfade: 1\n")
    switch.open("two")
    check(switch.kept("four") == HEADER + "buttonHold: 0.7\ncrossfade: 1\n", switch.kept("four"))


def main(path):
    work = Path(tempfile.mkdtemp(prefix="binaural-switch-"))
    try:
        switch = Switch(path, work)
        try:
            peer = goes_over(switch)
            mistaken(switch, peer)
            many_ways(switch)
            one_at_a_time(switch, peer)
            switch.client.leave()
        finally:
            switch.client.close()
        # No session's preferences are in another one's file.
        check(switch.kept("one") == HEADER + "skipIntervals: [5]\nbuttonWindow: 0.4\nshortFade: 0.05\ncrossfade: 2\nshake: next\nhologram: 3\n",
              switch.kept("one"))
        check(switch.kept("two") == HEADER + "skipIntervals: [7, 8]\nbuttonHold: 1.5\nshortFade: 0.3\nconnect: none\n", switch.kept("two"))
        check(switch.kept("three") == HEADER + "crossfade: 4\nhologram: 3\n", switch.kept("three"))
        check(switch.users.read_text() == "crossfade: 2\nhologram: 3\n", "the user's own were written")
        # A mistake in the file of the first session is reported as well.
        manager = Manager()
        (switch.folder("four") / "preferences.yaml").write_text("crossfade: a while\n")
        client = Client(path, manager.url, switch.home)
        try:
            manager.welcome()
            check(manager.open(switch.folder("four"), "four", f"{NAME}.nfour")[0] == "/reply", client.lines)
            manager.wait("/nsm/client/message", 0, lambda values: "preferences.yaml:1:12: a mistake." in values[1])
            client.leave()
        finally:
            client.close()
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print("session manager: each session's preferences and connections are in force while it is open, and stay its own")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
