"""Starts and ends players, and makes what they play."""
import asyncio
import math
import os
import shlex
import signal
import struct
import subprocess
import time
import wave
from pathlib import Path

from patience import PATIENCE, note

TRACKS, SECONDS, RATE = 4, 60, 8000


class NotStarted(Exception):
    pass


def make_tracks(folder):
    """Writes quiet tones of a minute as WAV files: those to be played, and one to be opened."""
    paths = [Path(folder) / f"track {n}.wav" for n in range(1, TRACKS + 1)] + [Path(folder) / "opened.wav"]
    for number, path in enumerate(paths):
        period = RATE // (220 + 20 * number)
        samples = [int(300 * math.sin(2 * math.pi * n / period)) for n in range(period)]
        with wave.open(str(path), "wb") as file:
            file.setnchannels(1), file.setsampwidth(2), file.setframerate(RATE)
            file.writeframes(struct.pack(f"<{period}h", *samples) * (SECONDS * RATE // period))
    return paths[:-1], paths[-1]


class Process:
    """A player that was started here."""

    def __init__(self, command, tracks, log):
        arguments = []
        for word in shlex.split(command):
            arguments += [str(track) for track in tracks] if word == "{tracks}" else [word]
        self.log = open(log, "wb")
        try:
            self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, start_new_session=True)
        except OSError as error:
            raise NotStarted(f"{arguments[0]}: {error.strerror}") from None

    @property
    def runs(self):
        return self.process.poll() is None

    def said(self):
        return Path(self.log.name).read_text(errors="replace")[-2000:]

    async def end(self):
        """Ends the player and whatever it has started."""
        for how in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, how)
            except ProcessLookupError:
                break
            began = time.monotonic()
            while self.runs and time.monotonic() - began < PATIENCE:
                await asyncio.sleep(0.02)
            note(began)
            if not self.runs:
                break
        self.log.close()
