"""Play, Pause, Stop, Next, Previous, and what they do to status and position."""
import time

from rule import check, needs, rule
from state import first_track, has_next, paused, playing


async def another_track(player, before):
    async def changed():
        track = await player.track()
        return track != before and track is not None
    return await player.until(changed)


@rule("play", "Player: Play", "Play starts or resumes playback")
async def play(player):
    await paused(player)
    await player.do("Play")
    check(await player.becomes("PlaybackStatus", "Playing"), f"PlaybackStatus is {await player.get('PlaybackStatus')}")


@rule("play-again", "Player: Play", "Play while it plays has no effect")
async def play_again(player):
    await playing(player)
    await player.rest(1)
    track, position = await player.track(), await player.position()
    await player.attempt("Play")
    await player.rest()
    check(await player.get("PlaybackStatus") == "Playing" and await player.track() == track, "status or track changed")
    check(await player.position() >= position, f"the position went from {position:.2f} to {await player.position():.2f} s")


@rule("pause", "Player: Pause", "Pause pauses playback")
async def pause(player):
    await paused(player)


@rule("pause-again", "Player: Pause", "Pause while it is paused has no effect")
async def pause_again(player):
    await paused(player)
    position = await player.position()
    await player.attempt("Pause")
    await player.rest()
    check(await player.get("PlaybackStatus") == "Paused", f"PlaybackStatus is {await player.get('PlaybackStatus')}")
    check(abs(await player.position() - position) < 0.05, "the position moved")


@rule("play-pause", "Player: PlayPause", "PlayPause pauses what plays, and resumes what is paused")
async def play_pause(player):
    await playing(player)
    needs(await player.get("CanPause"), "CanPause is false")
    for status in ("Paused", "Playing"):
        await player.do("PlayPause")
        check(await player.becomes("PlaybackStatus", status), f"PlaybackStatus is {await player.get('PlaybackStatus')}, not {status}")


@rule("resume-in-place", "Player: Play", "Play after Pause resumes where it was paused")
async def resume_in_place(player):
    await playing(player)
    needs(await player.get("CanPause"), "CanPause is false")
    await player.rest(1.2)
    await player.do("Pause")
    await player.becomes("PlaybackStatus", "Paused")
    await player.rest()
    before = await player.position()
    await player.do("Play")
    await player.becomes("PlaybackStatus", "Playing")
    await player.rest(0.3)
    after = await player.position()
    check(-0.1 < after - before < 1.2 + player.passed, f"paused at {before:.2f} s, resumed at {after:.2f} s")


@rule("position-runs", "Player: Position", "Position advances with the rate while it plays")
async def position_runs(player):
    await playing(player)
    await player.rest(0.5)
    # The moments of both values are between two clock readings each, however late an answer is.
    times = [time.monotonic()]
    before = await player.position()
    times.append(time.monotonic())
    await player.rest(1)
    times.append(time.monotonic())
    after = await player.position()
    times.append(time.monotonic())
    rate = await player.get("Rate", default=1)
    check(0.7 * rate * (times[2] - times[1]) < after - before < 1.4 * rate * (times[3] - times[0]),
          f"in {times[2] - times[1]:.2f} s at the rate {rate} it went from {before:.2f} to {after:.2f} s")


@rule("position-holds", "Player: Position", "Position stays where it is while it is paused")
async def position_holds(player):
    await paused(player)
    await player.rest()
    before = await player.position()
    await player.rest(0.6)
    check(abs(await player.position() - before) < 0.01, f"it went from {before:.2f} to {await player.position():.2f} s")


@rule("status-values", "Player: PlaybackStatus", "PlaybackStatus is Playing, Paused or Stopped")
async def status_values(player):
    value = await player.get("PlaybackStatus")
    check(value in ("Playing", "Paused", "Stopped"), f"it is '{value}'")


@rule("next", "Player: Next", "Next goes to the next track, and what plays continues to play")
async def next_(player):
    await playing(player)
    await has_next(player)
    before = await player.track()
    await player.do("Next")
    check(await another_track(player, before), "mpris:trackid is the same")
    check(await player.becomes("PlaybackStatus", "Playing"), f"PlaybackStatus is {await player.get('PlaybackStatus')}")


@rule("next-paused", "Player: Next", "Next while it is paused stays paused")
async def next_paused(player):
    await paused(player)
    await has_next(player)
    before = await player.track()
    await player.do("Next")
    check(await another_track(player, before), "mpris:trackid is the same")
    await player.rest()
    check(await player.get("PlaybackStatus") != "Playing", "it plays")


@rule("previous", "Player: Previous", "Previous goes to the previous track")
async def previous(player):
    await playing(player)
    await has_next(player)
    first = await player.track()
    await player.do("Next")
    check(await another_track(player, first), "in preparation: Next stays at the track")
    needs(await player.get("CanGoPrevious"), "CanGoPrevious is false at the second track")
    await player.do("Previous")

    async def returned():
        return await player.track() == first
    check(await player.until(returned), f"the track is {await player.track()}, not {first}")


@rule("previous-paused", "Player: Previous", "Previous while it is paused stays paused")
async def previous_paused(player):
    await paused(player)
    await has_next(player)
    first = await player.track()
    await player.do("Next")
    check(await another_track(player, first), "in preparation: Next stays at the track")
    needs(await player.get("CanGoPrevious"), "CanGoPrevious is false at the second track")
    if await player.get("PlaybackStatus") == "Playing":
        await player.do("Pause")
        await player.becomes("PlaybackStatus", "Paused")
    await player.do("Previous")
    await player.rest()
    check(await player.get("PlaybackStatus") != "Playing", "it plays")


@rule("next-at-end", "Player: Next", "Next at the last track, without repeat, stops; or has no effect if CanGoNext is false", spoils=True)
async def next_at_end(player):
    await playing(player)
    await has_next(player)
    seen = [await player.track()]
    for _ in range(30):
        if not await player.get("CanGoNext"):
            await player.attempt("Next")
            await player.rest()
            check(await player.track() == seen[-1], "CanGoNext is false, and Next goes to another track")
            return
        await player.do("Next")
        if not await another_track(player, seen[-1]):
            check(await player.get("PlaybackStatus") == "Stopped", f"PlaybackStatus is {await player.get('PlaybackStatus')}")
            return
        seen.append(await player.track())
        check(seen[-1] not in seen[:-1], "LoopStatus is None, and Next goes to the first track")
    needs(False, "the queue has more than 30 tracks")


@rule("stop", "Player: Stop", "Stop stops, and Play then starts from the beginning of the track", spoils=True)
async def stop(player):
    await playing(player)
    await player.rest(1.5)
    await player.do("Stop")
    check(await player.becomes("PlaybackStatus", "Stopped"), f"PlaybackStatus is {await player.get('PlaybackStatus')}")
    await player.attempt("Stop")
    await player.rest()
    check(await player.get("PlaybackStatus") == "Stopped", "Stop while it is stopped has an effect")
    needs(await player.get("CanPlay"), "it stops; CanPlay is false then, so nothing is played after it")
    await player.do("Play")
    check(await player.becomes("PlaybackStatus", "Playing"), "CanPlay is true, and Play after Stop does not play")
    check(await player.position() < 1.2 + player.passed, f"it starts at {await player.position():.2f} s")


@rule("next-stopped", "Player: Next", "Next while it is stopped stays stopped", spoils=True)
async def next_stopped(player):
    await playing(player)
    await player.do("Stop")
    await player.becomes("PlaybackStatus", "Stopped")
    needs(await player.get("CanGoNext"), "CanGoNext is false")
    await player.attempt("Next")
    await player.rest()
    check(await player.get("PlaybackStatus") != "Playing", "it plays")


@rule("track-start", "Player: Seeked", "a track that is gone to starts at 0, unless Seeked says otherwise")
async def track_start(player):
    await playing(player)
    await has_next(player)
    await player.rest(2)
    before, mark = await player.track(), player.mark
    await player.do("Next")
    check(await another_track(player, before), "mpris:trackid is the same")
    position = await player.position()
    check(position < 1 + player.passed or player.since(mark, "Seeked"), f"Position is {position:.2f} s, without Seeked")
    await first_track(player)
