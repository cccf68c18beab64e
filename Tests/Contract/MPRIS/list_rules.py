"""TrackList, Playlists and OpenUri."""
from player import NO_TRACK, PLAYLISTS, ROOT, TRACK_LIST, Refused
from rule import check, needs, rule
from seek_rules import ABSENT
from signatures import METADATA, mistyped
from state import at, controllable, playing

ORDERS = ("Alphabetical", "CreationDate", "ModifiedDate", "LastPlayDate", "UserDefined")


async def track_list(player):
    tracks = await player.get("Tracks", TRACK_LIST)
    needs(tracks is not None, "there is no TrackList")
    return tracks


async def list_signal(player, mark, member):
    """Whether the signal, or the one that replaces the whole list, was sent after a mark."""
    return player.since(mark, member) or player.since(mark, "TrackListReplaced")


async def playlists(player, order=None, reverse=False, index=0, count=1000):
    needs(await player.get("PlaylistCount", PLAYLISTS) is not None, "there is no interface Playlists")
    order = order or (await player.get("Orderings", PLAYLISTS) or ["Alphabetical"])[0]
    return (await player.do("GetPlaylists", "uusb", index, count, order, reverse, interface=PLAYLISTS))[0]


@rule("tracks", "TrackList: Tracks", "Tracks are ids without duplicates, none of them below /org/mpris, and CanEditTracks is there")
async def tracks(player):
    found = await track_list(player)
    faults = mistyped(TRACK_LIST, await player.all(TRACK_LIST))
    check(not faults, "; ".join(faults))
    check(len(set(found)) == len(found), "there are duplicates")
    wrong = [each for each in found if each == NO_TRACK or each.startswith("/org/mpris")]
    check(not wrong, f"these may not be: {wrong}")


@rule("tracks-current", "TrackList: Tracks", "the current track is one of Tracks")
async def tracks_current(player):
    found = await track_list(player)
    await playing(player)
    check(await player.track() in found, f"{await player.track()} is not one of {found}")


@rule("tracks-metadata", "TrackList: GetTracksMetadata", "GetTracksMetadata gives the metadata of each track, with its mpris:trackid, in order")
async def tracks_metadata(player):
    found = await track_list(player)
    answer = (await player.do("GetTracksMetadata", "ao", found[:10], interface=TRACK_LIST))[0]
    check([each["mpris:trackid"].value for each in answer if "mpris:trackid" in each] == found[:10], f"there are {len(answer)} for {len(found[:10])}")
    wrong = {f"{key} {value.signature}" for each in answer for key, value in each.items() if METADATA.get(key, value.signature) != value.signature}
    check(not wrong, f"types: {sorted(wrong)}")


@rule("tracks-metadata-unknown", "TrackList: GetTracksMetadata", "GetTracksMetadata of unknown tracks gives no metadata of others")
async def tracks_metadata_unknown(player):
    await track_list(player)
    try:
        answer = (await player.do("GetTracksMetadata", "ao", [ABSENT], interface=TRACK_LIST))[0]
    except Refused as error:
        return check(error.name != "no answer", "there is no answer")
    check(all(each.get("mpris:trackid") is None or each["mpris:trackid"].value == ABSENT for each in answer), f"it gives {answer}")


@rule("go-to", "TrackList: GoTo", "GoTo goes to a track, and has no effect for an id that is not in the list")
async def go_to(player):
    found = await track_list(player)
    await playing(player)
    needs(len(found) > 1, "there is only one track")
    await player.do("GoTo", "o", found[1], interface=TRACK_LIST)
    check(await player.until(lambda: at(player, found[1])), f"the track is {await player.track()}")
    await player.attempt("GoTo", "o", ABSENT, interface=TRACK_LIST)
    await player.rest()
    check(await player.track() == found[1], f"GoTo {ABSENT} goes to {await player.track()}")


@rule("edit-tracks", "TrackList: AddTrack, RemoveTrack", "tracks are added and removed with signals; without effect if CanEditTracks is false", spoils=True)
async def edit_tracks(player):
    found = await track_list(player)
    uri, mark = player.uri, player.mark
    if not await player.get("CanEditTracks", TRACK_LIST):
        await player.attempt("AddTrack", "sob", uri or "file:///", NO_TRACK, False, interface=TRACK_LIST)
        if found:
            await player.attempt("RemoveTrack", "o", found[-1], interface=TRACK_LIST)
        await player.rest()
        return check(await track_list(player) == found, "CanEditTracks is false, and Tracks changed")
    needs(uri, "--uri names no file to be added")
    await player.do("AddTrack", "sob", uri, found[0] if found else NO_TRACK, False, interface=TRACK_LIST)

    async def count_is(count):
        return len(await player.get("Tracks", TRACK_LIST)) == count
    check(await player.until(lambda: count_is(len(found) + 1)), "AddTrack adds nothing")
    added = list(set(await track_list(player)) - set(found))
    check(len(added) == 1, f"the ids of other tracks changed: {len(added)} are new")
    if found:
        check((await track_list(player)).index(added[0]) == 1, "the track is not added after the one that was named")
    check(await player.until(lambda: list_signal(player, mark, "TrackAdded")), "there is no TrackAdded")
    mark = player.mark
    await player.do("RemoveTrack", "o", added[0], interface=TRACK_LIST)
    check(await player.until(lambda: count_is(len(found))), "RemoveTrack removes nothing")
    check(await player.until(lambda: list_signal(player, mark, "TrackRemoved")), "there is no TrackRemoved")
    check(await track_list(player) == found, "the other tracks are not as before")


@rule("playlists", "Playlists: Properties", "the properties of Playlists have the specified types, and Orderings is not empty and of known values")
async def playlists_types(player):
    needs(await player.get("PlaylistCount", PLAYLISTS) is not None, "there is no interface Playlists")
    faults = mistyped(PLAYLISTS, await player.all(PLAYLISTS))
    check(not faults, "; ".join(faults))
    orders = await player.get("Orderings", PLAYLISTS)
    check(orders and set(orders) <= set(ORDERS), f"Orderings is {orders}")
    valid, current = await player.get("ActivePlaylist", PLAYLISTS)
    if valid:
        check(current[0] in [each[0] for each in await playlists(player)], f"the active one, {current}, is not in the list")


@rule("get-playlists", "Playlists: GetPlaylists", "GetPlaylists gives as many as asked for, from the index on, and in reverse order")
async def get_playlists(player):
    found = await playlists(player)
    count = await player.get("PlaylistCount", PLAYLISTS)
    check(len(found) == count, f"PlaylistCount is {count}, and there are {len(found)}")
    check([each[0] for each in await playlists(player, reverse=True)] == [each[0] for each in found][::-1], "reverse is another order")
    check(await playlists(player, index=1, count=1) == found[1:2], "index 1, count 1 is not the second one")
    check(await playlists(player, index=len(found) + 5, count=5) == [], "there are some beyond the end")
    check(await playlists(player, count=0) == [], "count 0 gives some")


@rule("activate-playlist", "Playlists: ActivatePlaylist", "ActivatePlaylist makes a playlist the active one; an unknown id has no effect", spoils=True)
async def activate_playlist(player):
    found = await playlists(player)
    await controllable(player)
    before = await player.get("ActivePlaylist", PLAYLISTS)
    await player.attempt("ActivatePlaylist", "o", ABSENT, interface=PLAYLISTS)
    await player.rest()
    check(await player.get("ActivePlaylist", PLAYLISTS) == before, "an unknown id changes ActivePlaylist")
    others = [each for each in found if not before[0] or each[0] != before[1][0]]
    needs(others, "there is no other playlist")
    await player.do("ActivatePlaylist", "o", others[0][0], interface=PLAYLISTS)
    reached = await player.becomes("ActivePlaylist", lambda value: value and value[0] and value[1][0] == others[0][0], PLAYLISTS)
    check(reached, f"it is {await player.get('ActivePlaylist', PLAYLISTS)}, not {others[0]}")


@rule("open-uri", "Player: OpenUri", "OpenUri opens a file of a supported type", spoils=True)
async def open_uri(player):
    needs(player.uri, "--uri names no file")
    await controllable(player)
    before = await player.track()
    await player.do("OpenUri", "s", player.uri)

    async def opened():
        return await player.track() != before or (await player.metadata()).get("xesam:url") == player.uri
    check(await player.until(opened), f"the track is still {before}")


@rule("open-uri-unsupported", "Player: OpenUri", "OpenUri with an unsupported scheme does nothing, with or without an error", spoils=True)
async def open_uri_unsupported(player):
    await playing(player)
    before = await player.track()
    for uri in ("nosuchscheme://host/path", "not a URI", ""):
        await player.attempt("OpenUri", "s", uri)
        await player.rest()
        check(player.owner, f"the player left the bus after '{uri}'")
        check(await player.track() == before, f"the track changes after '{uri}'")
        check(await player.get("PlaybackStatus") == "Playing", f"it is {await player.get('PlaybackStatus')} after '{uri}'")


@rule("fullscreen", "MediaPlayer2: CanSetFullscreen", "Fullscreen can be set exactly if CanSetFullscreen is true")
async def fullscreen(player):
    known = await player.all(ROOT)
    needs("Fullscreen" in known and "CanSetFullscreen" in known, "there is no Fullscreen")
    before, able = known["Fullscreen"].value, known["CanSetFullscreen"].value
    await player.attempt_set("Fullscreen", "b", not before, ROOT)
    if able:
        check(await player.becomes("Fullscreen", not before, ROOT), "it stays as it was")
        await player.attempt_set("Fullscreen", "b", before, ROOT)
    else:
        await player.rest()
        check(await player.get("Fullscreen", ROOT) == before, "CanSetFullscreen is false, and Fullscreen changed")
