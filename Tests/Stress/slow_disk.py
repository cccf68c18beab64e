"""A disk that hangs while another session is opened or this one is saved under another name: the request is answered once the disk is done, and
others are served until then; what they change is saved.

    slow_disk.py PROGRAM

The server is named JACK_DEFAULT_SERVER, and the program's client CLIENT_NAME.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from servers import Server, server_environment, until
from peer import Peer
from program import Program

NAME = os.environ.get("CLIENT_NAME", "binaural")
SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")


def main(path):
    os.environ.update(server_environment(SERVER))
    work = Path(tempfile.mkdtemp(prefix="binaural-disk-"))
    held = work / "held"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", work / "disk.so", Path(__file__).with_name("held_disk.c"), "-ldl"], check=True)
    launcher = ("env", f"LD_PRELOAD={work}/disk.so", f"DISK_HELD={held}")
    with Server(SERVER), Program(path, NAME, "--session", "first.yaml", launcher=launcher) as program:
        asking, other = Peer(program.port), Peer(program.port)
        for peer in (asking, other):
            peer.send("replies", 2)
        assert other.code("play") == 0
        until("it does not play", lambda: other.get("now/state") == ["playing"])
        assert other.code("session/save") == 0

        def during(address, name, gain):
            """Sends a request, and changes the open session before the disk continues."""
            mark = asking.mark
            held.touch()
            asking.send(address, name)
            asking.wait("progress", since=mark)
            for step in range(20):
                assert other.code("layer/1/gain", gain - step) == 0
                assert other.get("layer/1/gain") == [gain - step]
                assert other.get("now/title") == ["Deep"]
            asking.pump()
            early = [received for received in asking.inbox[mark:] if received.path in ("reply", "error") and received.values[0].endswith(address)]
            assert not early, early
            held.unlink()
            assert asking.wait("reply", lambda received: received.values[0].endswith(address), since=mark).values[1] == 0

        during("session/save", "copy", -21.0)
        saved = program.folder / "state_home/binaural/sessions/copy.yaml"
        until("a change made meanwhile is not saved", lambda: "bed.gain: -40" in saved.read_text())
        during("session/load", "other", -61.0)
        assert other.get("now/title") != ["Deep"]
        # The last change is written after the session was left.
        until("a change made while the session was saved is lost", lambda: "bed.gain: -80" in saved.read_text())
        assert asking.code("session/load", "copy") == 0
        assert other.get("layer/1/gain") == [-80.0]
        program.end()


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
