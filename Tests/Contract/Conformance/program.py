"""The program on the JACK server of the environment, silent, with its own folder."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from patience import PATIENCE, ended, note

LAYERS = """\
layers:
  - {name: bed, binaural: {carrier: 200, beat: 10}, gain: -26}
  - {name: rain, noise: {color: pink, correlation: 0.3}, gain: -36}
  - {name: pulse, isochronic: {carrier: 300, pulseRate: 7}, gain: -34}
  - {name: drone, tone: {carrier: 432, pan: -0.3}, gain: -36}
  - {name: hum, monaural: {carrier: 150, beat: 5}, gain: -34}
  - {name: bowl, bell: {carrier: 220, decay: 6, wave: {table: [0, 1, 0.2, -1]}}, gain: -30}
  - {name: wind, spin: {color: pink, beat: 0.2, delay: 350}, gain: -36}
  - {name: sway, phase: {carrier: 180, beat: 4}, gain: -36}
  - {name: box, harmonicBox: {carrier: 240, beat: 6}, gain: -36}
  - {name: keys, keys: {}, gain: -36}
"""
FILES = {
    "deep.yaml": "title: Deep\nartist: Somebody\nalbum: An album\ncomposer: A composer\ngenre: A genre\ncomment: A comment\nduration: 600\n"
    + LAYERS + "chapters:\n  - {at: 0, title: Settle}\n  - {at: 200, title: Drop, over: 100, set: {bed.beat: 4}}\n"
    "  - {at: 400, title: Stay}\n",
    "endless.yaml": "title: A4\nlayers:\n  - {name: tone, tone: {carrier: 440}, gain: -20}\n",
    "last.yaml": "title: Last\nduration: 300\nlayers:\n  - {name: snow, noise: {color: white}, gain: -40}\n",
    # Texts longer than the limits, with characters of two and four bytes.
    "long.yaml": f"title: ab{'ß' * 100}\nartist: {'x' * 100}\ncomment: a{'🎧' * 100}\nduration: 100\n"
    "layers:\n  - {name: snow, noise: {color: white}, gain: -40}\n",
    "sessions/other.yaml": "format: 1\ntitle: Other\nqueue:\n  - patch: reference-440\n  - patch: rain\nplay: {state: stopped}\n",
}
QUEUE = ["deep.yaml", "endless.yaml", "last.yaml", "long.yaml"]


class Program:
    def __init__(self, path, name, *options, queue=QUEUE, files=FILES, launcher=(), connect=("--connect", "none")):
        self.folder = Path(tempfile.mkdtemp(prefix="binaural-conformance-"))
        self.name = name
        self.path = path
        self.environment = environment = dict(os.environ, HOME=str(self.folder))
        for each in ("CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME", "RUNTIME_DIR"):
            environment[f"XDG_{each}"] = str(self.folder / each.lower())
            (self.folder / each.lower()).mkdir(mode=0o700)
        # Without the fade-in at the first sound, so that the samples are those of a render from the first one on.
        preferences = self.folder / "config_home/binaural/preferences.yaml"
        preferences.parent.mkdir()
        preferences.write_text("softStart: 0\n")
        for file, text in files.items():
            (self.folder / file).parent.mkdir(exist_ok=True)
            (self.folder / file).write_text(text)
        self.process = subprocess.Popen(
            [*launcher, str(path), "play", *queue, "--paused", *connect, "--osc-port", "auto", "--client-name", name, *options],
            cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines = []
        self.url = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()
        began = time.monotonic()
        if not self.url.wait(PATIENCE) or not self.port:
            self.close()
            raise AssertionError(f"{path} did not come up: {self.lines}")
        note(began)

    port = 0
    panel_port = 0

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            if found := re.search(r"Panel: http://127\.0\.0\.1:(\d+)/", line):
                self.panel_port = int(found[1])
            found = re.search(r"osc\.udp://127\.0\.0\.1:(\d+)", line)
            if found and not self.port:
                self.port = int(found[1])
                self.url.set()
        self.url.set()

    def kill_server(self):
        """Kills the JACK server that it has started. It may have another child meanwhile, which draws a picture."""
        children = [pid for file in Path(f"/proc/{self.process.pid}/task").glob("*/children") for pid in file.read_text().split()]

        def name(pid):
            try:
                return Path(f"/proc/{pid}/comm").read_text().strip()
            except OSError:
                # It has ended.
                return ""

        servers = [pid for pid in children if name(pid) == "jackd"]
        if len(servers) != 1:
            raise AssertionError(f"servers: {servers}, children: {children}")
        os.kill(int(servers[0]), signal.SIGKILL)

    def ends(self):
        """Waits until it has ended by itself, and returns its exit status."""
        return ended(self.process)

    def end(self):
        """Asks it to quit, and waits."""
        self.process.terminate()
        assert self.ends() == 0, self.lines

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        if failure:
            print("\n".join(self.lines[-20:]), file=sys.stderr)
        self.close()

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
