"""Measurements in real time, which other programs on the machine can disturb."""
import sys


class Disturbed(Exception):
    """Cycles were dropped during a measurement because of the machine's load, so it is not valid."""


def undisturbed(measure, *arguments):
    """Repeats a measurement as long as cycles are dropped during it."""
    for _ in range(12):
        try:
            return measure(*arguments)
        except Disturbed as why:
            print(f"measured again: {why}", file=sys.stderr)
    raise AssertionError("this machine drops cycles all the time: run it where less else runs")


def judge(is_right, what, xruns):
    """Fails if something is wrong and no dropped cycle explains it."""
    if not is_right:
        assert xruns, what
        raise Disturbed(f"{xruns} xruns meanwhile; {what}")
