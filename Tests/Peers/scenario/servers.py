"""Shared by the scenarios: programs that end with the script, servers, and polling for conditions."""
import atexit
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from patience import PATIENCE, ended, note

HERE = Path(__file__).resolve().parent

# So that started programs are ended as well.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
# Seconds for a program that may not end by itself.
GRACE = 3
MOVING = """\
title: Moving
duration: 30
layers:
  - {name: bed, binaural: {carrier: 200, beat: 10}, gain: -26}
  - {name: rain, noise: {color: pink, correlation: 0.3}, gain: -36}
  - {name: pulse, isochronic: {carrier: 300, pulseRate: 7}, gain: -34}
chapters:
  - {at: 0, title: Settle}
  - {at: 4, title: Drop, over: 10, ease: sineInOut, set: {bed.beat: 4, rain.gain: -30}}
"""


def until(what, condition, step=0.02):
    """Waits for a condition by polling; returns its value."""
    began = time.monotonic()
    while not (found := condition()):
        assert time.monotonic() - began < PATIENCE, what() if callable(what) else what
        time.sleep(step)
    note(began)
    return found


def dice(seed):
    """Random numbers of a seed, which is printed: the output of a script is shown when it fails."""
    print(f"seed: {seed}", flush=True)
    return random.Random(seed)


def in_own_network():
    """Restarts the script in a network of its own, where fixed ports are free, and no other program receives its packets."""
    if os.environ.get("SCENARIO_NETWORK") != "own":
        os.environ["SCENARIO_NETWORK"] = "own"
        user = [] if os.getuid() == 0 else ["--map-root-user"]
        os.execvp("unshare", ["unshare", *user, "--net", sys.executable, "-uB", *sys.argv])
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)


class Running:
    """A program that ends with the `with` block, at the latest with the script, and its output."""

    def __init__(self, *command, patient_end=True, **options):
        self.lines, self.patient_end = [], patient_end
        self.process = subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, errors="replace", **options)
        # Also if the rest failed.
        atexit.register(self.close)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip())

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def line(self, condition, since=0):
        """The first line that satisfies the condition."""
        def found():
            return next((line for line in self.lines[since:] if condition(line)), None)
        return until(lambda: f"{self.process.args[0]} does not say it: {self.lines[-20:]}", lambda: found() or self._has_ended() and found())

    def _has_ended(self):
        if self.process.poll() is None:
            return False
        self.reader.join()
        raise AssertionError(f"{self.process.args[0]} has ended with {self.process.returncode}: {self.lines[-20:]}")

    def ends(self):
        """Its exit status, after all of its output has arrived."""
        status = ended(self.process)
        self.reader.join()
        return status

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(PATIENCE if self.patient_end else GRACE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        elif self.process.returncode < 0:
            # If the script has failed, this may be why: its connections were reset.
            self.reader.join(5)
            print(f"{self.process.args[0]} had ended with {self.process.returncode}: {self.lines[-20:]}", flush=True)
        # Hundreds of them would use up all descriptors.
        self.process.stdin.close()
        self.reader.join(5)
        if not self.reader.is_alive():
            self.process.stdout.close()
        atexit.unregister(self.close)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def server_environment(name):
    return {"JACK_DEFAULT_SERVER": name, "JACK_NO_START_SERVER": "1", "JACK_NO_AUDIO_RESERVATION": "1"}


class Server(Running):
    """jackd with the dummy driver, under its own name; it answers throughout its `with` block.

    One that is patient waits for clients that are late, so that what they play is not lost.
    """
    def __init__(self, name, rate=48_000, period=256, is_patient=True, **options):
        self.name = name
        # Files left by a killed server.
        old = self._socket()
        super().__init__("jackd", "-n", name, "-R", "-P10", "-p", 512, *["-S"] * is_patient, "-d", "dummy", "-r", rate, "-p", period,
                         **options)
        until(lambda: f"the server does not come up: {self.lines}", lambda: self._socket() not in (None, old) or self._has_ended(), 0.002)
        # Unix time.
        self.came = time.time()

    def _socket(self):
        """The identity of the server; None without a server."""
        try:
            return os.stat(f"/dev/shm/jack_{self.name}_{os.getuid()}_0").st_ino
        except FileNotFoundError:
            return None

    def __enter__(self):
        self.answers()
        return self

    def answers(self):
        """Waits until it answers."""
        subprocess.run(["jack_wait", "-s", self.name, "-w", "-t", str(PATIENCE)], check=True, stdout=subprocess.DEVNULL)
