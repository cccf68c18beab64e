"""Brings a player into the state that a rule begins with."""
from player import TRACK_LIST
from rule import Broken, NotApplicable, needs


async def controllable(player):
    needs(await player.get("CanControl"), "CanControl is false")


async def first_track(player):
    """Goes to the first track, in order and without repeat, where the player can."""
    await controllable(player)
    for name, signature, value in (("LoopStatus", "s", "None"), ("Shuffle", "b", False), ("Rate", "d", 1.0)):
        if await player.get(name) not in (None, value):
            await player.attempt_set(name, signature, value)
    tracks = await player.get("Tracks", TRACK_LIST, default=[])
    if tracks:
        if await player.track() != tracks[0]:
            await player.attempt("GoTo", "o", tracks[0], interface=TRACK_LIST)
            await player.until(lambda: at(player, tracks[0]))
        return
    for _ in range(8):
        before = await player.track()
        if not await player.get("CanGoPrevious"):
            return
        await player.attempt("Previous")
        await player.rest(0.2)
        if await player.track() == before:
            return


async def at(player, track):
    return await player.track() == track


async def playing(player):
    """The first track plays from its beginning."""
    await first_track(player)
    needs(await player.get("CanPlay"), "CanPlay is false")
    if await player.get("PlaybackStatus") != "Playing":
        await player.attempt("Play")
        if not await player.becomes("PlaybackStatus", "Playing"):
            raise Broken("in preparation: Play does not play")
    if await player.get("CanSeek"):
        track = await player.track()
        if track and await player.position() > 1:
            await player.attempt("SetPosition", "ox", track, 0)
    await player.rest(0.2)


async def paused(player):
    """The first track is paused at its beginning."""
    await playing(player)
    needs(await player.get("CanPause"), "CanPause is false")
    await player.attempt("Pause")
    if not await player.becomes("PlaybackStatus", "Paused"):
        raise Broken("in preparation: Pause does not pause")
    await player.rest(0.2)


async def seekable(player, length=10):
    """The current track can be sought in. Returns its id and its length in seconds."""
    needs(await player.get("CanSeek"), "CanSeek is false")
    metadata = await player.metadata()
    needs("mpris:length" in metadata, "the track has no length")
    seconds = metadata["mpris:length"] / 1e6
    if seconds < length:
        raise NotApplicable(f"the track is shorter than {length} s")
    return metadata.get("mpris:trackid"), seconds


async def has_next(player):
    needs(await player.get("CanGoNext"), "CanGoNext is false at the first track")
