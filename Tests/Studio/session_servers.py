"""JACK is away, stands still, dies or never lets go, while a session manager opens sessions.

    session_servers.py PROGRAM

The servers get the name that JACK_DEFAULT_SERVER has; STUDIO_NAME begins the names of the clients.
"""
import os
import signal
import subprocess
import sys

from nsm import NAME, NOT_NOW, Client, Manager, Song, check, clients, in_folder, is_refused, peer_of
from pinging import Pinging
from studio import HERE, Server, server_environment, until

SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-studio")


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


def in_between(path, work):
    """The server stands still, or dies, while the client is opened anew: an answer comes as soon as there is one, and OSC never waits for it."""
    server = Server(SERVER)
    server.answers()
    song = Song(path, work)
    manager, pinging = song.manager, Pinging(song.peer.destination[1])
    try:
        def asked_of_a_stopped_one(number):
            """Asks for a session just after the server has stopped, and before the program has noticed that."""
            for _ in range(20):
                server.process.send_signal(signal.SIGSTOP)
                since = len(manager.heard)
                manager.say("/nsm/client/open", str(work / number), "Other", f"{NAME}.n{number}")
                # It has been saved and left, and JACK's client is to be opened; or the program was quicker.
                def come(path, value): return any(p == path and v[0] == value for p, _, v in manager.heard[since:])
                until("nothing comes of it", lambda: (manager.server.recv(10), come("/nsm/client/progress", 0.5)
                                                      or come("/error", "/nsm/client/open"))[1], 0)
                if not come("/error", "/nsm/client/open"):
                    song.peer.pump(0.5)
                    manager.server.recv(10)
                    check(not come("/reply", "/nsm/client/open") and not come("/error", "/nsm/client/open"), "the answer came before JACK")
                    return since
                server.process.send_signal(signal.SIGCONT)
                song.peer.until("jack/state", lambda values: values == ["running"])
            raise AssertionError("this machine is too busy: run it where less else runs")
        since = asked_of_a_stopped_one("2")
        server.process.send_signal(signal.SIGCONT)
        check(manager.answer("/nsm/client/open", since)[0] == "/reply")
        check(clients() == {f"{NAME}.n2"}, clients())
        since = asked_of_a_stopped_one("3")
        server.process.kill()
        server.process.wait()
        is_refused(manager.answer("/nsm/client/open", since), NOT_NOW, "The session is open, but JACK is not")
        server.close()
        check(manager.save()[0] == "/reply" and (work / "3/session.yaml").exists())
        with Server(SERVER):
            song.peer.until("jack/state", lambda values: values == ["running"])
            check(clients() == {f"{NAME}.n3"}, clients())
            check(manager.open(work / "2", "Other", f"{NAME}.n2")[0] == "/reply" and clients() == {f"{NAME}.n2"})
            took = pinging.end()
            song.client.leave()
    finally:
        song.client.close()
        server.close()
    return took[-1]


def left_behind(path, work):
    """JACK's library never lets go of the client before: the next one opens all the same, and the program ends when it is asked to."""
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
