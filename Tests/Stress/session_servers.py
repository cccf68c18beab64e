"""JACK is away, hangs, dies or never closes a client, while a session manager opens sessions.

    session_servers.py PROGRAM

The servers are named JACK_DEFAULT_SERVER; the names of the clients begin with CLIENT_NAME.
"""
import os
import signal
import subprocess
import sys

from nsm import NAME, NOT_NOW, Client, Manager, Song, check, clients, in_folder, is_refused, peer_of
from pinging import Pinging
from servers import HERE, Server, server_environment

SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")


def without_jack(path, work):
    """Without a server the open session stays open, and another one can be opened when the server is back."""
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
        # Saving needs no server.
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


def in_between(path, work):
    """The server hangs, or dies, while the client is reopened: the answer comes as soon as possible, and OSC never waits for it."""
    server = Server(SERVER)
    server.answers()
    song = Song(path, work)
    manager, pinging = song.manager, Pinging(song.peer.destination[1])
    try:
        # Before the program has noticed: the connections are unknown then, and nothing has been changed.
        server.process.send_signal(signal.SIGSTOP)
        is_refused(manager.open(work / "1", "Other", f"{NAME}.n1"), NOT_NOW, "JACK has stalled")
        check(not (work / "1/session.yaml").exists() and not (work / "1/session.yaml.lock").exists())
        server.process.send_signal(signal.SIGCONT)
        song.peer.until("jack/state", lambda values: values == ["running"])
        song.stays()
        # The program waits for a server that was only busy.
        server.process.send_signal(signal.SIGSTOP)
        song.peer.until("jack/state", lambda values: values == ["stalled"])
        since = len(manager.heard)
        manager.say("/nsm/client/open", f"{work}/1", "Other", f"{NAME}.n1")
        manager.wait("/nsm/client/progress", since)
        server.process.send_signal(signal.SIGCONT)
        check(manager.answer("/nsm/client/open", since)[0] == "/reply", manager.heard[since:])

        def stopped_meanwhile(numbers):
            """Suspends the server as soon as the previous session has been closed; tries again if JACK was faster."""
            for number in numbers:
                since = len(manager.heard)
                manager.say("/nsm/client/open", f"{work}/{number}", "Other", f"{NAME}.n{number}")
                manager.wait("/nsm/client/progress", since, lambda values: values[0] > 0.5)
                server.process.send_signal(signal.SIGSTOP)
                song.peer.pump(0.5)
                manager.server.recv(10)
                if not any(path in ("/reply", "/error") for path, _, _ in manager.heard[since:]):
                    return number, since
                server.process.send_signal(signal.SIGCONT)
                song.peer.until("jack/state", lambda values: values == ["running"])
            raise AssertionError("this machine is too busy: run it where less else runs")

        number, since = stopped_meanwhile(range(20, 40))
        server.process.send_signal(signal.SIGCONT)
        check(manager.answer("/nsm/client/open", since)[0] == "/reply")
        check(clients() == {f"{NAME}.n{number}"}, clients())
        number, since = stopped_meanwhile(range(40, 60))
        server.process.kill()
        server.process.wait()
        is_refused(manager.answer("/nsm/client/open", since), NOT_NOW, "The session is open, but JACK is not")
        server.close()
        check(manager.save()[0] == "/reply" and (work / f"{number}/session.yaml").exists())
        with Server(SERVER):
            song.peer.until("jack/state", lambda values: values == ["running"])
            check(clients() == {f"{NAME}.n{number}"}, clients())
            check(manager.open(work / "2", "Other", f"{NAME}.n2")[0] == "/reply" and clients() == {f"{NAME}.n2"})
            took = pinging.end()
            song.client.leave()
    finally:
        song.client.close()
        server.close()
    return took[-1]


def left_behind(path, work):
    """JACK's library never closes the previous client: the next one opens all the same, and the program quits on request."""
    library = work / "faulty.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, HERE / "faulty_jack.c", "-ldl", "-pthread"], check=True)
    manager = Manager()
    client = Client(path, manager.url, work / "home", launcher=["env", f"LD_PRELOAD={library}", "FAULTY_CLOSE=1"])
    try:
        manager.welcome()
        for number in "89":
            check(manager.open(work / number, "Song", f"{NAME}.n{number}")[0] == "/reply", client.lines)
            check(f"{NAME}.n{number}" in clients(), clients())
            check(peer_of(work / "home", f"{NAME}.n{number}").get("jack/state") == ["running"])
        client.leave()
    finally:
        client.close()


def main(path):
    os.environ.update(server_environment(SERVER))
    in_folder(without_jack, path)
    silence = in_folder(in_between, path)
    with Server(SERVER):
        in_folder(left_behind, path)
    print(f"figure: OSC while a server stands still or dies between two sessions: the longest silence {1000 * silence:.0f} ms")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
