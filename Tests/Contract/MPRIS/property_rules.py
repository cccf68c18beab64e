"""The properties of the player: types, ranges, and setting them."""
from player import PLAYER
from rule import check, needs, rule
from signatures import mistyped
from state import controllable, playing

EXTREMES = (float("inf"), float("-inf"), float("nan"), 1e300)


@rule("player-types", "Player: Properties", "the properties of MediaPlayer2.Player are there and have the specified types")
async def player_types(player):
    faults = mistyped(PLAYER, await player.all())
    check(not faults, "; ".join(faults))


@rule("loop-values", "Player: LoopStatus", "LoopStatus is None, Track or Playlist, and can be set to each")
async def loop_values(player):
    first = await player.get("LoopStatus")
    needs(first is not None, "there is no LoopStatus")
    check(first in ("None", "Track", "Playlist"), f"it is '{first}'")
    await controllable(player)
    for value in ("Playlist", "Track", "None"):
        await player.set("LoopStatus", "s", value)
        check(await player.becomes("LoopStatus", value), f"it is {await player.get('LoopStatus')} after it was set to {value}")


@rule("loop-invalid", "Player: LoopStatus", "LoopStatus cannot be set to another text")
async def loop_invalid(player):
    needs(await player.get("LoopStatus") is not None, "there is no LoopStatus")
    await controllable(player)
    await player.attempt_set("LoopStatus", "s", "Sideways")
    await player.rest()
    check(await player.get("LoopStatus") in ("None", "Track", "Playlist"), f"it is '{await player.get('LoopStatus')}'")


@rule("shuffle", "Player: Shuffle", "Shuffle can be set")
async def shuffle(player):
    needs(await player.get("Shuffle") is not None, "there is no Shuffle")
    await controllable(player)
    for value in (True, False):
        await player.set("Shuffle", "b", value)
        check(await player.becomes("Shuffle", value), f"it is {await player.get('Shuffle')} after it was set to {value}")


@rule("volume", "Player: Volume", "Volume can be set")
async def volume(player):
    await controllable(player)
    before = await player.get("Volume")
    await player.set("Volume", "d", 0.5)
    reached = await player.becomes("Volume", lambda value: abs(value - 0.5) < 0.02)
    found = await player.get("Volume")
    await player.set("Volume", "d", before)
    check(reached, f"it is {found} after it was set to 0.5")


@rule("volume-negative", "Player: Volume", "a Volume below 0 is set to 0")
async def volume_negative(player):
    await controllable(player)
    before = await player.get("Volume")
    await player.attempt_set("Volume", "d", 0.5)
    await player.rest()
    await player.attempt_set("Volume", "d", -1.0)
    await player.rest()
    found = await player.get("Volume")
    await player.attempt_set("Volume", "d", before)
    await player.rest()
    check(found == 0, f"it is {found}")


@rule("rate-range", "Player: MinimumRate, MaximumRate", "MinimumRate is at most 1, MaximumRate at least 1, and Rate between them")
async def rate_range(player):
    low, rate, high = [await player.get(name) for name in ("MinimumRate", "Rate", "MaximumRate")]
    check(low <= 1 <= high and low <= rate <= high and rate != 0, f"they are {low}, {high} and {rate}")


@rule("rate", "Player: Rate", "Rate can be set within its range")
async def rate(player):
    await playing(player)
    low, high = await player.get("MinimumRate"), await player.get("MaximumRate")
    needs(low < high, "the range is a single rate")
    wanted = min(high, 1.25) if high > 1 else max(low, 0.8)
    await player.set("Rate", "d", wanted)
    reached = await player.becomes("Rate", lambda value: abs(value - wanted) < 0.001)
    found = await player.get("Rate")
    await player.set("Rate", "d", 1.0)
    check(reached, f"it is {found} after it was set to {wanted}")


@rule("rate-outside", "Player: Rate", "Rate never leaves its range")
async def rate_outside(player):
    await playing(player)
    low, high = await player.get("MinimumRate"), await player.get("MaximumRate")
    wrong = []
    for value in (high * 2, *EXTREMES):
        await player.attempt_set("Rate", "d", value)
        await player.rest(0.2)
        found = await player.get("Rate")
        if not low <= found <= high:
            wrong.append(f"{found} after it was set to {value}")
    await player.attempt_set("Rate", "d", 1.0)
    check(not wrong, f"the range is {low} to {high}, and it is {'; '.join(wrong)}")


@rule("rate-zero", "Player: Rate", "setting Rate to 0 acts as Pause")
async def rate_zero(player):
    await playing(player)
    needs(await player.get("CanPause"), "CanPause is false")
    await player.attempt_set("Rate", "d", 0.0)
    paused = await player.becomes("PlaybackStatus", "Paused")
    rate = await player.get("Rate")
    await player.attempt_set("Rate", "d", 1.0)
    check(rate != 0, "Rate is 0")
    check(paused, f"PlaybackStatus is {await player.get('PlaybackStatus')}")


@rule("no-control", "Player: CanControl", "if CanControl is false, CanGoNext, CanGoPrevious, CanPlay, CanPause and CanSeek are too")
async def no_control(player):
    needs(not await player.get("CanControl"), "CanControl is true")
    able = [name for name in ("CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek") if await player.get(name)]
    check(not able, f"these are true: {able}")


@rule("wrong-types", "D-Bus: Properties", "setting a property to a value of another type is answered with an error and changes nothing")
async def wrong_types(player):
    await controllable(player)
    accepted, moved = [], []
    for name, signature, value in (("Volume", "s", "loud"), ("Rate", "as", ["1"]), ("LoopStatus", "d", 1.0), ("Shuffle", "s", "yes")):
        before = await player.get(name)
        if before is None:
            continue
        if await player.attempt_set(name, signature, value) is None:
            accepted.append(f"{name} as {signature}")
        await player.rest(0.2)
        if await player.get(name) != before:
            moved.append(f"{name} from {before} to {await player.get(name)}")
    check(not moved, f"it changes {', '.join(moved)}")
    check(not accepted, f"no error for {', '.join(accepted)}")


@rule("volume-extremes", "Player: Volume", "Volume stays a finite number of at least 0")
async def volume_extremes(player):
    await controllable(player)
    before = await player.get("Volume")
    wrong = []
    for value in EXTREMES:
        await player.attempt_set("Volume", "d", value)
        await player.rest(0.2)
        found = await player.get("Volume", default=-1)
        if not 0 <= found < float("inf"):
            wrong.append(f"{found} after it was set to {value}")
    await player.attempt_set("Volume", "d", before)
    await player.rest()
    check(not wrong, "it is " + "; ".join(wrong))
