"""The metadata of the current track."""
import re
from urllib.parse import urlparse

from player import NO_TRACK
from rule import check, needs, rule
from signatures import METADATA
from state import playing


async def of_track(player):
    """The metadata of a playing track, as variants."""
    await playing(player)
    found = await player.get("Metadata", default={})
    needs(found, "nothing plays")
    return found


def is_uri(text):
    return isinstance(text, str) and urlparse(text).scheme and (not text.startswith("file:") or text.startswith("file:///")) and " " not in text


@rule("track-id", "MPRIS v2 metadata: mpris:trackid", "the current track has an mpris:trackid, of type o")
async def track_id(player):
    found = await of_track(player)
    check("mpris:trackid" in found, "there is none")
    check(found["mpris:trackid"].signature == "o", f"its type is {found['mpris:trackid'].signature}")


@rule("track-id-path", "Types: Track_Id", "the mpris:trackid of a track is not below /org/mpris")
async def track_id_path(player):
    found = await of_track(player)
    needs("mpris:trackid" in found, "there is no mpris:trackid")
    identity = found["mpris:trackid"].value
    check(identity != NO_TRACK, "it is NoTrack while a track plays")
    check(not identity.startswith("/org/mpris"), f"it is {identity}")


@rule("length", "MPRIS v2 metadata: mpris:length", "mpris:length is above 0, in microseconds and of type x")
async def length(player):
    found = await of_track(player)
    needs("mpris:length" in found, "the track has no mpris:length")
    check(found["mpris:length"].signature == "x", f"its type is {found['mpris:length'].signature}")
    check(found["mpris:length"].value > 0, f"it is {found['mpris:length'].value}")


@rule("metadata-types", "Xesam ontology; MPRIS v2 metadata", "each field of the metadata has its specified type")
async def metadata_types(player):
    found = await of_track(player)
    wrong = [f"{key} has the type {value.signature}, not {METADATA[key]}" for key, value in found.items()
             if METADATA.get(key, value.signature) != value.signature]
    check(not wrong, "; ".join(wrong))


@rule("metadata-names", "Metadata_Map", "the fields of the metadata have names with a prefix, and those of mpris: and xesam: are known ones")
async def metadata_names(player):
    found = await of_track(player)
    wrong = [key for key in found if ":" not in key or (key.startswith(("mpris:", "xesam:")) and key not in METADATA)]
    check(not wrong, f"these do not: {wrong}")


@rule("art-url", "MPRIS v2 metadata: mpris:artUrl", "mpris:artUrl is a URI that clients can read, and not a path")
async def art_url(player):
    found = await of_track(player)
    needs("mpris:artUrl" in found, "the track has no mpris:artUrl")
    text = found["mpris:artUrl"].value
    check(is_uri(text), f"it is '{text}'")


@rule("url", "Xesam ontology: xesam:url", "xesam:url is a URI, and not a path")
async def url(player):
    found = await of_track(player)
    needs("xesam:url" in found, "the track has no xesam:url")
    check(is_uri(found["xesam:url"].value), f"it is '{found['xesam:url'].value}'")


@rule("ratings", "Xesam ontology: xesam:userRating", "ratings are from 0 to 1")
async def ratings(player):
    found = {key: value.value for key, value in (await of_track(player)).items() if key in ("xesam:userRating", "xesam:autoRating")}
    needs(found, "the track has no rating")
    check(all(0 <= value <= 1 for value in found.values()), f"they are {found}")


@rule("dates", "Xesam ontology: xesam:contentCreated", "dates are in ISO 8601")
async def dates(player):
    keys = ("xesam:contentCreated", "xesam:firstUsed", "xesam:lastUsed")
    found = {key: value.value for key, value in (await of_track(player)).items() if key in keys}
    needs(found, "the track has no date")
    form = r"\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?)?)?"
    wrong = [f"{key} '{value}'" for key, value in found.items() if not re.fullmatch(form, value)]
    check(not wrong, f"these are not: {wrong}")
