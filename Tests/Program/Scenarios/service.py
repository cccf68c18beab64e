"""The program's notifications to systemd, received on a socket in place of systemd's.

    service.py PROGRAM

A JACK server named JACK_DEFAULT_SERVER has to run. CLIENT_NAME is the name of the client.
"""
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from patience import PATIENCE, ended

NAME = os.environ.get("CLIENT_NAME", "binaural")


def run(program, folder, address, name):
    """A path and an abstract name give the same result."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listener.bind(address)
    listener.settimeout(PATIENCE)
    environment = dict(os.environ, NOTIFY_SOCKET=name, WATCHDOG_USEC="1000000", HOME=str(folder))
    environment.pop("WATCHDOG_PID", None)
    for each in ("CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME", "RUNTIME_DIR"):
        environment[f"XDG_{each}"] = str(folder)
    process = subprocess.Popen([program, "play", "reference-440", "--osc-port", "auto", "--connect", "none", "--client-name", NAME],
                               env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert listener.recv(256) == b"READY=1"
        ports = subprocess.run(["jack_lsp"], capture_output=True, text=True).stdout
        assert f"{NAME}:out_left" in ports, "ready before JACK is"
        times = []
        for _ in range(4):
            assert listener.recv(256) == b"WATCHDOG=1"
            times.append(time.monotonic())
        process.send_signal(signal.SIGTERM)
        while (said := listener.recv(256)) == b"WATCHDOG=1":
            pass
        assert said == b"STOPPING=1", said
        assert ended(process) == 0, process.stdout.read()
        print(f"figure: signs of life every {1000 * (times[-1] - times[0]) / 3:.0f} ms, of 1000 ms asked for")
    finally:
        if process.poll() is None:
            process.kill()
        print(process.communicate()[0], file=sys.stderr)
        listener.close()


def main(program):
    folder = Path(tempfile.mkdtemp(prefix="binaural-service-"))
    try:
        run(program, folder, str(folder / "notify"), str(folder / "notify"))
        run(program, folder, f"\0{folder}/abstract", f"@{folder}/abstract")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
