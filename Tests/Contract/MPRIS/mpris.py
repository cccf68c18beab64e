#!/usr/bin/env python3
"""Checks a media player against MPRIS 2.2 and prints a line for each rule.

    dbus-run-session mpris.py org.mpris.MediaPlayer2.mpv --start 'mpv --no-video --ao=null --idle {tracks}'

It needs Python 3.10 and dbus-fast (pip install dbus-fast). It commands the player for about two minutes: play, stop, seek, volume.

Exit status: 0 if no rule is broken, or exactly those of --expect; 1 otherwise; 2 if the player cannot be reached.
"""
import argparse
import asyncio
import collections
import contextlib
import os
import sys
import tempfile
import traceback
from pathlib import Path

from patience import PATIENCE
from player import PLAYER, Player, Refused, Signal
from process import NotStarted, Process, make_tracks
from rule import RULES, Broken, NotApplicable

# In the order in which they run: the last ones judge what was sent before.
import root_rules  # noqa: F401
import metadata_rules  # noqa: F401
import transport_rules  # noqa: F401
import seek_rules  # noqa: F401
import property_rules  # noqa: F401
import list_rules  # noqa: F401
import signal_rules  # noqa: F401
import process_rules  # noqa: F401

class Run:
    def __init__(self, options, folder):
        self.options, self.folder, self.count = options, folder, 0
        self.player = Player(options.name, options.patience, options.calm)
        self.tracks, opened = make_tracks(folder)
        self.player.uri = options.uri or opened.as_uri()
        self.player.process = None
        self.player.second = (lambda: self.launch(options.second)) if options.second else None

    def launch(self, command):
        self.count += 1
        return Process(command, self.tracks, Path(self.folder) / f"player-{self.count}.log")

    async def start(self):
        """Starts the player, if that was asked for, and waits for its name."""
        if self.options.start:
            self.player.process = self.launch(self.options.start)
        player = self.player
        if not await player.until(player.find_owner, PATIENCE if self.options.start else None):
            said = player.process.said() if player.process else ""
            raise NotStarted(f"{player.name} is not on the session bus. {said}".strip())
        player.signals.append(Signal(None, "started", []))
        player.started, player.mirror = player.mark, {}
        if self.options.start:
            with contextlib.suppress(Refused):
                # Many players take a moment to open what they were started with.
                await player.until(player.track)
        player.initial = await player.all(PLAYER)

    async def restart(self):
        if self.options.start:
            await self.player.process.end()
            await self.player.until(self.is_gone)
            await self.start()

    async def is_gone(self):
        return await self.player.find_owner() is None

    async def judge(self, rule):
        """The verdict on a rule, and the reason."""
        try:
            await rule.body(self.player)
            verdict, reason = "ok", ""
        except NotApplicable as why:
            verdict, reason = "n/a", str(why)
        except (Broken, Refused) as why:
            verdict, reason = "broken", str(why)
        except Exception:
            # The answer has another form than this script can read: the types are wrong.
            verdict, reason = "broken", "the answer cannot be read: " + traceback.format_exc(limit=-2).replace("\n", " | ")
        if rule.name != "quit" and await self.player.find_owner() is None:
            verdict, reason = "broken", f"the player left the bus. {reason}".strip()
        return verdict, reason

    async def all(self, rules):
        await self.player.connect()
        await self.start()
        verdicts = {}
        try:
            for rule in rules:
                verdict, reason = await self.judge(rule)
                verdicts[rule.name] = verdict
                print(f"{verdict:8}{rule.name:24}[{rule.section}] {rule.sentence}{': ' + reason if reason else ''}", flush=True)
                if rule is not rules[-1] and (rule.spoils or await self.is_gone()):
                    await self.restart()
        finally:
            if self.player.process:
                await self.player.process.end()
            self.player.close()
        return verdicts


def expected(path):
    """The names in a file of rules that the player is known to break: always, and sometimes (with a ? before the name)."""
    lines = [line.split("#")[0].strip() for line in Path(path).read_text().splitlines()]
    sometimes = {line[1:] for line in lines if line.startswith("?")}
    always = {line for line in lines if line and not line.startswith("?")}
    unknown = (always | sometimes) - {rule.name for rule in RULES}
    if unknown:
        raise SystemExit(f"{path}: there are no rules named {sorted(unknown)}")
    return always, sometimes


def judge(options, rules):
    """Runs the rules, and prints how many the player keeps."""
    with tempfile.TemporaryDirectory(prefix="mpris-") as folder:
        verdicts = asyncio.run(Run(options, folder).all(rules))
    counts = collections.Counter(verdicts.values())
    print(f"{len(verdicts)} rules: {counts['ok']} ok, {counts['broken']} broken, {counts['n/a']} not applicable")
    return verdicts


def compare(verdicts, always, sometimes):
    """The differences from what is known of the player."""
    broken = {name for name, verdict in verdicts.items() if verdict == "broken"}
    surprises = [f"{name} is broken" for name in sorted(broken - always - sometimes)]
    return surprises + [f"{name} is {verdicts[name]}, and not broken" for name in sorted(always & set(verdicts) - broken)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?", help="the bus name of the player, org.mpris.MediaPlayer2.NAME")
    parser.add_argument("--start", metavar="COMMAND", help="starts the player; {tracks} stands for four WAV files of a minute")
    parser.add_argument("--second", metavar="COMMAND", help="starts a second instance, whose bus name is checked")
    parser.add_argument("--uri", help="a file that the player can open (default: a WAV file)")
    parser.add_argument("--expect", metavar="FILE", help="the names of rules that the player is known to break")
    parser.add_argument("--only", metavar="TEXT", help="runs the rules whose name contains the text")
    parser.add_argument("--patience", type=float, default=PATIENCE, metavar="SECONDS",
                        help=f"how long a change may take (default: {PATIENCE})")
    parser.add_argument("--calm", type=float, default=0.4, metavar="SECONDS", help="how long nothing must change (default: 0.4)")
    parser.add_argument("--list", action="store_true", help="prints the rules")
    options = parser.parse_args()
    if options.list:
        for rule in RULES:
            print(f"{rule.name:24}[{rule.section}] {rule.sentence}")
        return 0
    if not options.name:
        parser.error("the bus name of the player is missing")
    always, sometimes = expected(options.expect) if options.expect else (set(), set())
    rules = [rule for rule in RULES if not options.only or options.only in rule.name]
    if "DBUS_SESSION_BUS_ADDRESS" not in os.environ:
        print("There is no session bus: run this under dbus-run-session.", file=sys.stderr)
        return 2
    try:
        verdicts = judge(options, rules)
        surprises = compare(verdicts, always, sometimes)
    except (NotStarted, Refused) as error:
        print(error, file=sys.stderr)
        return 2
    if options.expect:
        for surprise in surprises:
            print(f"unexpected: {surprise}")
    return int(bool(surprises))


if __name__ == "__main__":
    sys.exit(main())
