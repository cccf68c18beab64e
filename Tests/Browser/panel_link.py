"""The link that pairs a device, and its QR code in the terminal: decoded by another program, printed again when the addresses change.

    panel_link.py PROGRAM

The server is named JACK_DEFAULT_SERVER, and the program's client CLIENT_NAME.
"""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
from pathlib import Path

from servers import PATIENCE, Server, in_own_network, server_environment, until

NAME = os.environ.get("CLIENT_NAME", "binaural")
SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")
LINK = re.compile(r"https?://[0-9a-z.:\[\]]+/#[0-9a-f]{32}")
ROW = re.compile("\x1b\\[38;5;16;48;5;231m([█▀▄ ]+)\x1b\\[0m")


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, command, environment, columns=100, rows=50):
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen([str(part) for part in command], stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
        os.close(theirs)
        self.bytes = b""
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        try:
            while part := os.read(self.ours, 65_536):
                self.bytes += part
        except OSError:
            pass

    @property
    def text(self):
        return self.bytes.decode(errors="replace")

    @property
    def links(self):
        return LINK.findall(self.text)

    @property
    def codes(self):
        """The rows of each code on the terminal; it is half as high as it is wide."""
        rows, codes = ROW.findall(self.text), []
        while rows and len(rows) >= (height := (len(rows[0]) + 1) // 2):
            codes.append(rows[:height])
            rows = rows[height:]
        return codes

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        os.close(self.ours)


def read(code, folder):
    """The text of a code. Around it the terminal is dark."""
    dark = [[mark in upper for mark in row] for row in code for upper in ("█▀", "█▄")]
    scale, border, width = 6, 30, len(dark[0])
    lines = [bytes(0 if part else 255 for part in line for _ in range(scale)) for line in dark[:width] for _ in range(scale)]
    side, black = width * scale + 2 * border, bytes(border)
    image = Path(folder) / "code.pgm"
    image.write_bytes(b"P5 %d %d 255\n" % (side, side) + bytes(side * border) + b"".join(black + line + black for line in lines)
                      + bytes(side * border))
    return subprocess.run(["zbarimg", "-q", "--raw", image], capture_output=True, text=True).stdout.strip()


def address(action, text):
    subprocess.run(["ip", "address", action, text, "dev", "lo"], check=True)


def play(program, listen, *options):
    return [program, "play", "rain", "--osc-port", "auto", "--connect", "none", "--client-name", NAME, "--web", "auto",
            "--web-listen", listen, *options]


def shown(program, environment, folder):
    """IPv4 and IPv6: the code says what the link says."""
    for listen, host in (("0.0.0.0", "192.0.2.17"), ("::", "[2001:db8:1234:5678:9abc:def0:1234:5678]")):
        terminal = Terminal(play(program, listen), environment)
        until(lambda: f"no code: {terminal.text}", lambda: terminal.codes)
        assert read(terminal.codes[0], folder) == terminal.links[0], terminal.text
        assert terminal.links[0].startswith(f"http://{host}:"), terminal.links
        pair = Terminal([program, "web", "pair"], environment, rows=24)
        until(lambda: f"no code: {pair.text}", lambda: pair.codes)
        assert read(pair.codes[0], folder) == pair.links[0] != terminal.links[0], pair.text
        pair.end(), terminal.end()


def refreshed(program, environment, folder):
    """An address that comes gets a link with a new token."""
    address("del", "192.0.2.17/32")
    terminal = Terminal(play(program, "0.0.0.0"), environment)
    until(lambda: f"it does not start: {terminal.text!r}", lambda: "Panel: " in terminal.text)
    assert not terminal.links
    address("add", "192.0.2.18/32")
    until(lambda: f"no code: {terminal.text}", lambda: terminal.codes)
    address("add", "192.0.2.19/32")
    address("del", "192.0.2.18/32")
    until(lambda: f"no second code: {terminal.text}", lambda: len(terminal.codes) == 2)
    assert [read(code, folder) for code in terminal.codes] == terminal.links, terminal.text
    assert "192.0.2.18:" in terminal.links[0] and "192.0.2.19:" in terminal.links[1], terminal.links
    printed = subprocess.run([program, "web", "pair"], env=environment, check=True, capture_output=True, text=True).stdout
    assert "192.0.2.19:" in printed and "▀" not in printed, printed
    terminal.end()


def left_out(program, environment):
    """There is no code where it does not fit or cannot be drawn, and neither code nor link with --quiet."""
    for options, more, size in (((), {}, {"columns": 36}), ((), {}, {"rows": 24}), ((), {"LANG": "C"}, {}), ((), {"TERM": "dumb"}, {})):
        terminal = Terminal(play(program, "0.0.0.0", *options), dict(environment, **more), **size)
        until("it does not start", lambda: "web pair" in terminal.text.replace("\r\n", " "))
        terminal.end()
        assert not terminal.codes and "▀" not in terminal.text, terminal.text
    terminal = Terminal(play(program, "0.0.0.0", "--quiet"), environment)
    until("it does not start", lambda: subprocess.run([program, "web", "pair"], env=environment, capture_output=True).returncode == 0)
    terminal.end()
    assert terminal.text == "", terminal.text


def main(program):
    in_own_network()
    os.environ.update(server_environment(SERVER))
    for text in ("192.0.2.17/32", "2001:db8:1234:5678:9abc:def0:1234:5678/128"):
        address("add", text)
    with tempfile.TemporaryDirectory(prefix="binaural-link-") as folder:
        environment = dict(os.environ, HOME=folder, TERM="xterm-256color", LANG="C.UTF-8")
        for each in ("LC_ALL", "LC_CTYPE", "NO_COLOR"):
            environment.pop(each, None)
        for each in ("CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME", "RUNTIME_DIR"):
            environment[f"XDG_{each}"] = folder
        with Server(SERVER):
            shown(program, environment, folder)
            refreshed(program, environment, folder)
            left_out(program, environment)
    print("panel link: its QR code is read as printed, and follows the addresses")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
