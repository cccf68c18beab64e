"""The bus name, the object, and org.mpris.MediaPlayer2."""
import re
import xml.etree.ElementTree as ElementTree

from player import PLAYER, PLAYLISTS, ROOT, TRACK_LIST, Refused
from rule import check, needs, rule
from signatures import METHODS, PROPERTIES, SIGNALS, mistyped


async def described(player):
    """The interfaces of the object by name, from its introspection."""
    node = ElementTree.fromstring(await player.introspect())
    return {interface.get("name"): interface for interface in node.iter("interface")}


@rule("bus-name", "Bus Name Policy", "the bus name is org.mpris.MediaPlayer2. and a name")
async def bus_name(player):
    check(re.fullmatch(r"org\.mpris\.MediaPlayer2(\.[A-Za-z_-][A-Za-z0-9_-]*)+", player.name), f"the name is {player.name}")


@rule("object", "The Interfaces", "the object /org/mpris/MediaPlayer2 has the interfaces MediaPlayer2 and MediaPlayer2.Player")
async def the_object(player):
    for interface in (ROOT, PLAYER):
        try:
            check(await player.all(interface), f"{interface} has no properties")
        except Refused as error:
            check(False, f"{interface}: {error}")


@rule("introspection", "The Interfaces", "introspection shows each method, signal and property with the specified signature and access")
async def introspection(player):
    found = await described(player)
    for name in (ROOT, PLAYER):
        check(name in found, f"{name} is not in the introspection")
    faults = []
    for name, interface in found.items():
        methods = {each.get("name"): each for each in interface.findall("method")}
        for method, (inward, outward) in METHODS.get(name, {}).items():
            if method not in methods:
                faults.append(f"{method} is missing")
                continue
            arguments = methods[method].findall("arg")
            sent = "".join(each.get("type") for each in arguments if each.get("direction", "in") == "in")
            received = "".join(each.get("type") for each in arguments if each.get("direction") == "out")
            if (sent, received) != (inward, outward):
                faults.append(f"{method} is ({sent}) -> ({received}), not ({inward}) -> ({outward})")
        signals = {each.get("name"): "".join(arg.get("type") for arg in each.findall("arg")) for each in interface.findall("signal")}
        for signal, signature in SIGNALS.get(name, {}).items():
            if signals.get(signal) != signature:
                faults.append(f"signal {signal} is {signals.get(signal)}, not {signature}")
        properties = {each.get("name"): each for each in interface.findall("property")}
        for key, (signature, access, optional) in PROPERTIES.get(name, {}).items():
            if key not in properties:
                faults += [] if optional else [f"property {key} is missing"]
            elif (properties[key].get("type"), properties[key].get("access")) != (signature, access):
                faults.append(f"property {key} is {properties[key].get('type')} {properties[key].get('access')}, not {signature} {access}")
    check(not faults, "; ".join(faults))


@rule("position-annotated", "Player: Position", "Position is annotated with EmitsChangedSignal false")
async def position_annotated(player):
    interface = (await described(player)).get(PLAYER)
    needs(interface is not None, "the introspection does not show the player")
    for each in interface.findall("property"):
        if each.get("name") == "Position":
            notes = {note.get("name"): note.get("value") for note in list(each.findall("annotation")) + list(interface.findall("annotation"))}
            found = notes.get("org.freedesktop.DBus.Property.EmitsChangedSignal", "absent, which means true")
            check(found == "false", f"the annotation is {found}")


@rule("root-types", "MediaPlayer2: Properties", "the properties of MediaPlayer2 are there and have the specified types")
async def root_types(player):
    faults = mistyped(ROOT, await player.all(ROOT))
    check(not faults, "; ".join(faults))


@rule("identity", "MediaPlayer2: Identity", "Identity is a name for users")
async def identity(player):
    check(((await player.get("Identity", ROOT)) or "").strip(), "it is empty")


@rule("desktop-entry", "MediaPlayer2: DesktopEntry", "DesktopEntry is the base name of a desktop file, without folder and without .desktop")
async def desktop_entry(player):
    entry = await player.get("DesktopEntry", ROOT)
    needs(entry is not None, "there is no DesktopEntry")
    check(entry and "/" not in entry and not entry.endswith(".desktop"), f"it is '{entry}'")


@rule("uri-schemes", "MediaPlayer2: SupportedUriSchemes", "the schemes are names in lower case, without ://")
async def uri_schemes(player):
    wrong = [each for each in await player.get("SupportedUriSchemes", ROOT, default=[]) if not re.fullmatch(r"[a-z][a-z0-9+.-]*", each)]
    check(not wrong, f"these are not: {wrong}")


@rule("mime-types", "MediaPlayer2: SupportedMimeTypes", "the MIME types have the form type/subtype, in lower case")
async def mime_types(player):
    form = r"[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+"
    wrong = [each for each in await player.get("SupportedMimeTypes", ROOT, default=[]) if not re.fullmatch(form, each)]
    check(not wrong, f"these do not: {wrong}")


@rule("track-list-flag", "MediaPlayer2: HasTrackList", "HasTrackList says whether the object has the interface TrackList")
async def track_list_flag(player):
    flag, found = await player.get("HasTrackList", ROOT), TRACK_LIST in await described(player)
    check(flag == found, f"HasTrackList is {flag}, and the interface is {'there' if found else 'missing'}")


@rule("raise", "MediaPlayer2: Raise", "Raise shows the player, or has no effect if CanRaise is false")
async def raise_(player):
    able = await player.get("CanRaise", ROOT)
    error = await player.attempt("Raise", interface=ROOT)
    check(error is None or not able, f"CanRaise is true, and Raise answers {error}")
    await player.rest()
    check(player.owner, "the player left the bus")


@rule("unknown-calls", "D-Bus: Standard Interfaces", "unknown methods, properties and interfaces are answered with an error")
async def unknown_calls(player):
    check(await player.attempt("NoSuchMethod"), "an unknown method succeeds")
    check(await player.attempt("Get", "ss", PLAYER, "NoSuchProperty", interface="org.freedesktop.DBus.Properties"), "an unknown property is read")
    check(await player.attempt_set("NoSuchProperty", "b", True), "an unknown property is set")
    check(await player.attempt("Seek", "s", "1"), "Seek takes a string")
    await player.rest()
    check(player.owner, "the player left the bus")


@rule("read-only", "D-Bus: Properties", "setting a read-only property is answered with an error")
async def read_only(player):
    for name, signature, value in (("PlaybackStatus", "s", "Paused"), ("Position", "x", 0), ("CanControl", "b", False), ("Metadata", "a{sv}", {})):
        check(await player.attempt_set(name, signature, value), f"{name} can be set without an error")


@rule("playlists-shown", "The Interfaces", "the interface Playlists, where there is one, is in the introspection")
async def playlists_shown(player):
    found = await described(player)
    try:
        await player.all(PLAYLISTS)
    except Refused:
        needs(PLAYLISTS in found, "there is no interface Playlists")
        check(False, "the introspection shows it, but its properties cannot be read")
    # Some libraries answer GetAll of any interface with nothing.
    needs(PLAYLISTS in found or await player.get("PlaylistCount", PLAYLISTS) is not None, "there is no interface Playlists")
    check(PLAYLISTS in found, "it has properties, but is not in the introspection")
