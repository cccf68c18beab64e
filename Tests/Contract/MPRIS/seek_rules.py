"""Seek, SetPosition and Seeked."""
import time

from rule import check, needs, rule
from state import has_next, paused, playing, seekable
from transport_rules import another_track

ABSENT = "/not/a/track"


async def near(player, wanted, tolerance=1.0, plays=True):
    """Whether the position comes to a value in seconds, or to one within the tolerance after it; some players seek to half a second."""
    async def reached():
        return -0.5 <= await player.position() - wanted < tolerance + plays * player.passed
    return await player.until(reached)


async def seeked(player, mark, wanted):
    """Checks that Seeked was sent, with a position in seconds."""
    signals = await player.signalled(mark, "Seeked")
    check(signals, "there is no signal Seeked")
    positions = [signal.body[0] / 1e6 for signal in signals]
    check(any(-1 < position - wanted < 1 + player.passed for position in positions), f"Seeked says {positions}, not {wanted} s")


async def stays(player, *call):
    """Checks that a call changes neither the track nor the position."""
    track, began = await player.track(), time.monotonic()
    before = await player.position()
    await player.attempt(*call)
    await player.rest()
    check(await player.track() == track, f"{call[0]}{call[2:]} changes the track")
    after = await player.position()
    check(-0.05 < after - before < 0.3 + time.monotonic() - began, f"{call[0]}{call[2:]} moves the position from {before:.2f} to {after:.2f} s")


@rule("seek", "Player: Seek", "Seek moves the position by microseconds, forwards and backwards")
async def seek(player):
    await playing(player)
    await seekable(player)
    before = await player.position()
    await player.do("Seek", "x", 5_000_000)
    check(await near(player, before + 5), f"Seek by 5 s went from {before:.2f} to {await player.position():.2f} s")
    await player.rest(0.2)
    before = await player.position()
    await player.do("Seek", "x", -2_000_000)
    check(await near(player, before - 2), f"Seek by -2 s went from {before:.2f} to {await player.position():.2f} s")


@rule("seek-signal", "Player: Seeked", "Seek is followed by Seeked with the new position")
async def seek_signal(player):
    await playing(player)
    await seekable(player)
    mark, before = player.mark, await player.position()
    await player.do("Seek", "x", 5_000_000)
    await seeked(player, mark, before + 5)


@rule("seek-before-start", "Player: Seek", "Seek to before the start goes to 0")
async def seek_before_start(player):
    await playing(player)
    await seekable(player)
    await player.attempt("SetPosition", "ox", await player.track(), 6_000_000)
    await player.rest()
    track = await player.track()
    await player.do("Seek", "x", -3_600_000_000)
    check(await near(player, 0), f"the position is {await player.position():.2f} s")
    check(await player.track() == track, "the track changes")


@rule("seek-beyond-end", "Player: Seek", "Seek to beyond the end acts as Next")
async def seek_beyond_end(player):
    await playing(player)
    _, length = await seekable(player)
    await has_next(player)
    before = await player.track()
    await player.do("Seek", "x", int(length * 1e6) + 60_000_000)
    check(await another_track(player, before), "mpris:trackid is the same")
    check(await player.position() < 2 + player.passed, f"the next track starts at {await player.position():.2f} s")


@rule("seek-paused", "Player: Seek", "Seek while it is paused moves the position and stays paused")
async def seek_paused(player):
    await paused(player)
    await seekable(player)
    before = await player.position()
    await player.do("Seek", "x", 4_000_000)
    check(await near(player, before + 4, 0.3, plays=False), f"Seek by 4 s went from {before:.2f} to {await player.position():.2f} s")
    await player.rest()
    check(await player.get("PlaybackStatus") == "Paused", f"PlaybackStatus is {await player.get('PlaybackStatus')}")


@rule("set-position", "Player: SetPosition", "SetPosition goes to a position in microseconds")
async def set_position(player):
    await playing(player)
    track, _ = await seekable(player)
    for wanted in (7, 2):
        await player.do("SetPosition", "ox", track, wanted * 1_000_000)
        check(await near(player, wanted), f"the position is {await player.position():.2f}, not {wanted} s")


@rule("set-position-signal", "Player: Seeked", "SetPosition is followed by Seeked with the new position")
async def set_position_signal(player):
    await playing(player)
    track, _ = await seekable(player)
    mark = player.mark
    await player.do("SetPosition", "ox", track, 7_000_000)
    await seeked(player, mark, 7)


@rule("set-position-ends", "Player: SetPosition", "SetPosition accepts 0")
async def set_position_ends(player):
    await playing(player)
    track, _ = await seekable(player)
    await player.do("SetPosition", "ox", track, 8_000_000)
    await near(player, 8)
    await player.do("SetPosition", "ox", track, 0)
    check(await near(player, 0), f"the position is {await player.position():.2f} s")


@rule("set-position-stale", "Player: SetPosition", "SetPosition with the id of another track has no effect")
async def set_position_stale(player):
    await playing(player)
    await seekable(player)
    await stays(player, "SetPosition", "ox", ABSENT, 8_000_000)


@rule("set-position-negative", "Player: SetPosition", "SetPosition below 0 has no effect")
async def set_position_negative(player):
    await playing(player)
    track, _ = await seekable(player)
    await player.do("SetPosition", "ox", track, 5_000_000)
    await near(player, 5)
    await stays(player, "SetPosition", "ox", track, -1_000_000)


@rule("set-position-beyond", "Player: SetPosition", "SetPosition beyond the length of the track has no effect")
async def set_position_beyond(player):
    await playing(player)
    track, length = await seekable(player)
    await stays(player, "SetPosition", "ox", track, int(length * 1e6) + 5_000_000)


@rule("cannot-seek", "Player: CanSeek", "Seek and SetPosition have no effect if CanSeek is false")
async def cannot_seek(player):
    await playing(player)
    needs(not await player.get("CanSeek"), "CanSeek is true")
    await stays(player, "Seek", "x", 5_000_000)
    await stays(player, "SetPosition", "ox", await player.track() or ABSENT, 8_000_000)
