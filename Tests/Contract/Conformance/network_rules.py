"""Peers that come and go, and the program's sockets."""
import os
import socket
import subprocess
import tempfile

from patience import PATIENCE
from wire import contents, message, wait_for
from suite import case, check, expect


@case("a 65th peer is answered and cannot subscribe; a peer that has only read gives way", [], ["64 peers"], patient=True)
def full_house(_, new_peer, new_program):
    with new_program() as program:
        sockets = []
        try:
            for index in range(64):
                each = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                each.connect(("127.0.0.1", program.port))
                each.send(message("subscribe" if index else "info", *["jack"] if index else []))
                wait_for(each, lambda data: ("snapshot/end" if index else "info") in contents(data))
                sockets.append(each)
            newcomer = new_peer(program)
            newcomer.subscribe("mixer")
            last = new_peer(program)
            expect(last.ask("subscribe", "mixer", answer="error").values[1], 413)
            expect(last.get("now/title"), ["Deep"])
            last.send_bundle(("tuning/a4", 450.0), after=5)
            expect(last.wait("error", lambda m: m.values[0] == "#bundle").values[1], 413)
            # A free place is taken.
            sockets[5].send(message("unsubscribe"))
            wait_for(sockets[5], lambda data: "unsubscribed" in contents(data))
            last.subscribe("mixer")
        finally:
            for each in sockets:
                each.close()


@case("a peer's waiting bundles stay as long as its lease, however many new peers come", [], ["7 what may wait", "leases"],
      patient=True)
def ahead(_, new_peer, new_program):
    with new_program() as program:
        early = new_peer(program)
        early.send_bundle(("tuning/a4", 433.0), after=6)
        early.settle()
        sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(80)]
        for each in sockets:
            each.connect(("127.0.0.1", program.port))
            each.send(message("subscribe", "jack"))
        for each in sockets:
            each.close()
        asker = new_peer(program)
        asker.until("tuning/a4", lambda v: v == [433.0])


@case("a peer whose port is closed is forgotten after three unreachable answers", [], ["unreachable peers"], patient=True)
def gone(_, new_peer, new_program):
    with new_program() as program:
        asker = new_peer(program)
        leaver = new_peer(program)
        leaver.send_bundle(("tuning/a4", 433.0), after=12)
        leaver.subscribe("tick/20", 0, 300)
        expect(asker.get("bundles")[0], 1)
        leaver.close()
        # Its lease and its waiting bundles would last for five minutes.
        asker.until("bundles", lambda v: v[0] == 0)
        expect(asker.get("tuning/a4"), [440.0])
        asker.settle()


@case("a port in use is an error with a remedy, and no other port is chosen automatically", [], ["a busy port"], patient=True)
def busy_port(_, new_peer, new_program):
    with new_program() as program:
        second = [program.path, "play", "deep.yaml", "--paused", "--connect", "none", "--client-name", f"{program.name}-2"]
        environment = dict(program.environment, XDG_STATE_HOME=str(program.folder / "other"), XDG_DATA_HOME=str(program.folder / "other"))
        ended = subprocess.run([*second, "--osc-port", str(program.port)], cwd=program.folder, env=environment, stdin=subprocess.DEVNULL,
                               capture_output=True, text=True, timeout=PATIENCE)
        check(ended.returncode > 0, f"{ended}")
        check(str(program.port) in ended.stderr and "--osc-port" in ended.stderr, ended.stderr)
        expect(new_peer(program).get("now/title"), ["Deep"])


@case("the URL is in a file of mode 0600 while the program runs", [], ["the .url file"], patient=True)
def url_file(_, new_peer, new_program):
    program = new_program()
    try:
        file = program.folder / "runtime_dir" / "binaural" / f"{program.name}.url"
        expect(file.read_text(), f"osc.udp://127.0.0.1:{program.port}/\n")
        expect([file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777], [0o600, 0o700])
        program.end()
        check(not file.exists(), "it is left behind")
    finally:
        program.close()


@case("--osc-local-role view allows local programs to read only", [], ["code 401", "--osc-local-role"], patient=True)
def local_role(_, new_peer, new_program):
    with new_program("--osc-local-role", "view") as program:
        peer = new_peer(program)
        check(peer.get("now/title") == ["Deep"])
        peer.subscribe("mixer")
        for path, *arguments in (("play",), ("master/gain", -3.0), ("quit",), ("panic",), ("session/save",)):
            check(peer.outcome_of_error(path, *arguments) == 401, path)
        check(peer.get("now/state") == ["paused"] or peer.get("now/state") == ["stopped"])


@case("--osc-timetags immediate applies every bundle at once", [], ["--osc-timetags"], patient=True)
def timetags(_, new_peer, new_program):
    with new_program("--osc-timetags", "immediate") as program:
        peer = new_peer(program)
        peer.send_bundle(("tuning/a4", 433.0), after=50)
        peer.settle()
        check(peer.get("tuning/a4") == [433.0])


@case("a Unix socket of mode 0600 answers like UDP", [], ["a Unix socket"], patient=True)
def unix_socket(_, new_peer, new_program):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/osc"
        program = new_program("--osc-listen", f"unix:{path}")
        client = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            check(os.stat(path).st_mode & 0o777 == 0o600, oct(os.stat(path).st_mode))
            client.bind(f"{folder}/me")
            client.connect(path)
            client.send(message("now/title"))
            wait_for(client, lambda data: contents(data).get("now/title") == ["Deep"])
            client.send(message("subscribe", "mixer"))
            wait_for(client, lambda data: "snapshot/end" in contents(data))
        finally:
            client.close()
            program.close()
