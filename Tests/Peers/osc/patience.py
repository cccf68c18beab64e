"""How long a test waits for what has to happen, however busy the machine is."""
import subprocess
import sys
import time
from pathlib import Path

# Seconds: the only limit of this kind, since a shorter one would judge the machine. A test that waits for it without need has failed anyway.
PATIENCE = 300
SHARED, HELPERS = Path(__file__).resolve().parents[1], ("player.py", "program.py", "process.py")


def note(began):
    """Prints a wait since `began` that took more than a tenth of it, and the line that waited: the next machine may be slower."""
    took = time.monotonic() - began
    if took <= PATIENCE / 10:
        return
    frame = sys._getframe(1)
    while (file := Path(frame.f_code.co_filename)).is_relative_to(SHARED) or file.name in HELPERS:
        if not frame.f_back:
            break
        frame = frame.f_back
    print(f"near miss: {took:.0f} s at {file.name}:{frame.f_lineno}", flush=True)


def ended(process):
    """Waits for the end of a process; returns its exit status."""
    began = time.monotonic()
    try:
        return process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        raise AssertionError(f"{process.args[0]} does not end") from None
    finally:
        note(began)
