"""A controller is learnt on the command line, and moves the same address after a restart.

    midi_learn.py PROGRAM

A JACK server named JACK_DEFAULT_SERVER has to run. CLIENT_NAME is the name of the program's client.
"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from patience import PATIENCE
from servers import HERE, Running
from peer import Peer
from program import Program

NAME = os.environ.get("CLIENT_NAME", "binaural")
PATCH = "title: Tone\nlayers:\n  - {name: tone, tone: {carrier: 300}, gain: -30}\n"


def player(folder):
    """Plays MIDI into the program: Tests/Peers/acceptance/midi_player.c."""
    tool = folder / "midi_player"
    if not tool.exists():
        subprocess.run(["cc", "-O2", "-o", tool, HERE.parent / "acceptance/midi_player.c", "-ljack"], check=True)
    running = Running(tool, f"keys-{NAME}", f"{NAME}:midi_in")
    running.line(lambda line: "ready" in line)
    return running


def midi(program, *arguments):
    return Running(program.path, "midi", *arguments, "--client", NAME, env=program.environment)


def said(program, *arguments):
    with midi(program, *arguments) as command:
        assert command.ends() == 0, command.lines
        return command.lines


def moves(program, keyboard, value, gain):
    """Turning the controller moves the layer's level, and nothing else."""
    peer = Peer(program.port)
    peer.send("replies", 2)
    before = peer.get("layer/1/pan")
    keyboard.say(f"0 b4 4a {value:x}")
    peer.until("layer/1/gain", lambda values: values == [gain])
    assert peer.get("layer/1/pan") == before
    peer.close()


def learnt(program, keyboard):
    with midi(program, "learn", "layer/1/gain", "--wait", PATIENCE) as learning:
        learning.line(lambda line: "Move the controller" in line)
        # Other messages than controllers are not learnt.
        for event in ("90 40 40", "e4 0 40"):
            keyboard.say(f"0 {event}")
        keyboard.say("0 b4 4a 40")
        assert learning.ends() == 0, learning.lines
        # Its number and its channel, from 1.
        assert learning.lines[-1] == "1  controller 74, channel 5: layer/1/gain", learning.lines


def main(path):
    folder = Path(tempfile.mkdtemp(prefix="binaural-midi-"))
    (folder / "tone.yaml").write_text(PATCH)
    options, listed = ("--session", str(folder / "mine.yaml")), ["1  controller 74, channel 5: layer/1/gain"]
    try:
        with Program(path, NAME, *options, queue=[str(folder / "tone.yaml")], files={}) as program, player(folder) as keyboard:
            learnt(program, keyboard)
            assert said(program, "list") == listed
            moves(program, keyboard, 127, 0.0)
            program.end()
        # Only the session determines what is played, and which controllers are mapped.
        with Program(path, NAME, *options, queue=[], files={}) as program, player(folder) as keyboard:
            assert said(program, "list") == listed
            moves(program, keyboard, 0, -120.0)
            assert said(program, "forget", "layer/1/gain") == []
            program.end()
        assert "controllers" not in (folder / "mine.yaml").read_text()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("midi: learnt on the command line, listed, moving after a restart, forgotten")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
