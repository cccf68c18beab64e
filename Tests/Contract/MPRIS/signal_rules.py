"""PropertiesChanged. The rules at the end judge all signals of the run, and therefore come last."""
from player import PLAYER, ROOT, TRACK_LIST
from rule import check, needs, rule
from signatures import PROPERTIES, mistyped
from state import controllable, has_next, paused, playing
from transport_rules import another_track


def changes(player, mark=0):
    """All PropertiesChanged after a mark, of the specified interfaces."""
    return [signal for signal in player.signals[mark:] if signal.member == "PropertiesChanged" and signal.body[0] in PROPERTIES]


@rule("status-signal", "Player: PlaybackStatus", "PropertiesChanged carries the new PlaybackStatus")
async def status_signal(player):
    await paused(player)
    for method, status in (("Play", "Playing"), ("Pause", "Paused")):
        mark = player.mark
        await player.do(method)
        found = await player.signalled(mark, "PropertiesChanged", "PlaybackStatus")
        check(found, f"{method} is not followed by PropertiesChanged with PlaybackStatus")
        check(found[-1].body[1]["PlaybackStatus"].value == status, f"it says {found[-1].body[1]['PlaybackStatus'].value} after {method}")


@rule("metadata-signal", "Player: Metadata", "PropertiesChanged carries the whole Metadata when the track changes")
async def metadata_signal(player):
    await playing(player)
    await has_next(player)
    before, mark = await player.track(), player.mark
    await player.do("Next")
    check(await another_track(player, before), "in preparation: Next stays at the track")
    found = await player.signalled(mark, "PropertiesChanged", "Metadata")
    check(found, "there is no PropertiesChanged with Metadata")
    await player.rest()
    last = player.since(mark, "PropertiesChanged", "Metadata")[-1].body[1]["Metadata"].value
    now = await player.get("Metadata")
    check(last == now, f"the last one has {sorted(last)}, the property {sorted(now)}")


@rule("volume-signal", "Player: Volume", "PropertiesChanged carries the new Volume")
async def volume_signal(player):
    await controllable(player)
    before, mark = await player.get("Volume"), player.mark
    wanted = 0.25 if abs(before - 0.25) > 0.1 else 0.75
    await player.set("Volume", "d", wanted)
    found = await player.signalled(mark, "PropertiesChanged", "Volume")
    await player.set("Volume", "d", before)
    await player.rest()
    check(found and abs(found[0].body[1]["Volume"].value - wanted) < 0.02, f"it says {[s.body[1]['Volume'].value for s in found]}, not {wanted}")


@rule("loop-signal", "Player: LoopStatus, Shuffle", "PropertiesChanged carries the new LoopStatus and the new Shuffle")
async def loop_signal(player):
    await controllable(player)
    tried = [(name, signature, value) for name, signature, value in (("LoopStatus", "s", "Playlist"), ("Shuffle", "b", True))
             if await player.get(name) is not None]
    needs(tried, "there is neither LoopStatus nor Shuffle")
    silent = []
    for name, signature, value in tried:
        before = await player.get(name)
        if before == value:
            await player.set(name, signature, "None" if name == "LoopStatus" else False)
            await player.rest()
        mark = player.mark
        await player.set(name, signature, value)
        found = await player.signalled(mark, "PropertiesChanged", name)
        if not found or found[-1].body[1][name].value != value:
            silent.append(name)
        await player.set(name, signature, before)
        await player.rest()
    check(not silent, f"not for {silent}")


@rule("rate-signal", "Player: Rate", "PropertiesChanged carries the new Rate")
async def rate_signal(player):
    await playing(player)
    low, high = await player.get("MinimumRate"), await player.get("MaximumRate")
    needs(low < high, "the range is a single rate")
    wanted, mark = min(high, 1.5) if high > 1 else max(low, 0.7), player.mark
    await player.set("Rate", "d", wanted)
    found = await player.signalled(mark, "PropertiesChanged", "Rate")
    await player.set("Rate", "d", 1.0)
    await player.rest()
    check(found and abs(found[0].body[1]["Rate"].value - wanted) < 0.001, f"it says {[s.body[1]['Rate'].value for s in found]}, not {wanted}")


@rule("mirror", "Player: Properties", "after all these commands, a client that followed PropertiesChanged has the values of all properties")
async def mirror(player):
    await paused(player)
    await player.rest()
    wrong = []
    for interface in (ROOT, PLAYER):
        for name, value in (await player.all(interface)).items():
            followed = player.mirror.get((interface, name), value)
            if name != "Position" and followed.value != value.value:
                wrong.append(f"{name} was last sent as {followed.value}, and is {value.value}")
    for name, value in player.initial.items():
        sent = any(name in signal.body[1] or name in signal.body[2] for signal in changes(player, player.started) if signal.body[0] == PLAYER)
        now = await player.get(name)
        if name != "Position" and not sent and now != value.value:
            wrong.append(f"{name} was {value.value}, is {now}, and was never sent")
    check(not wrong, "; ".join(wrong))


@rule("real-changes", "Advice, not in the specification", "PropertiesChanged is sent for changes only, not to repeat values")
async def real_changes(player):
    last, repeated, count = {}, set(), 0
    for signal in player.signals:
        if signal.member != "PropertiesChanged" or signal.body[0] not in PROPERTIES:
            continue
        for name, value in signal.body[1].items():
            count += 1
            # A player that was restarted is another sender, which may send what the one before sent last.
            key = (signal.sender, signal.body[0], name)
            if last.get(key, None) == value.value:
                repeated.add(name)
            last[key] = value.value
    needs(count, "no property was sent")
    check(not repeated, f"values of these were sent twice in a row: {sorted(repeated)}")


@rule("position-silent", "Player: Position", "Position is never in PropertiesChanged")
async def position_silent(player):
    found = [signal for signal in changes(player) if "Position" in signal.body[1] or "Position" in signal.body[2]]
    check(not found, f"it was in {len(found)} of {len(changes(player))}")


@rule("control-constant", "Player: CanControl", "CanControl never changes while the player runs")
async def control_constant(player):
    found = {signal.body[1]["CanControl"].value for signal in changes(player) if "CanControl" in signal.body[1]}
    found.add((await player.all())["CanControl"].value)
    check(len(found) == 1, "it did")


@rule("signal-types", "The Interfaces", "all signals have the specified signatures, and the properties in them the specified types")
async def signal_types(player):
    faults = []
    for signal in changes(player):
        faults += mistyped(signal.body[0], signal.body[1], complete=False)
        faults += [f"{name} is sent, which {signal.body[0]} does not have" for name in signal.body[1] if name not in PROPERTIES[signal.body[0]]]
    for signal in player.signals:
        if signal.member == "Seeked" and (len(signal.body) != 1 or not isinstance(signal.body[0], int) or signal.body[0] < 0):
            faults.append(f"Seeked has the values {signal.body}")
    check(not faults, "; ".join(sorted(set(faults))))


@rule("values-sent", "Player: Properties", "PropertiesChanged carries values: only Tracks may be invalidated without")
async def values_sent(player):
    names = {name for signal in changes(player) for name in signal.body[2]} - {"Tracks"}
    check(not names, f"these were invalidated: {sorted(names)}")


@rule("tracks-invalidated", "TrackList: Tracks", "Tracks is invalidated in PropertiesChanged, and never sent with its value")
async def tracks_invalidated(player):
    needs(await player.get("Tracks", TRACK_LIST) is not None, "there is no TrackList")
    found = [signal for signal in changes(player) if signal.body[0] == TRACK_LIST and "Tracks" in signal.body[1]]
    check(not found, f"it was sent with its value {len(found)} times")
