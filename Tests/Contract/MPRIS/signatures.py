"""Names and types of the specification, MPRIS 2.2."""
from player import PLAYER, PLAYLISTS, ROOT, TRACK_LIST

# Type, access, whether optional.
PROPERTIES = {
    ROOT: {
        "CanQuit": ("b", "read", False), "Fullscreen": ("b", "readwrite", True), "CanSetFullscreen": ("b", "read", True),
        "CanRaise": ("b", "read", False), "HasTrackList": ("b", "read", False), "Identity": ("s", "read", False),
        "DesktopEntry": ("s", "read", True), "SupportedUriSchemes": ("as", "read", False), "SupportedMimeTypes": ("as", "read", False),
    },
    PLAYER: {
        "PlaybackStatus": ("s", "read", False), "LoopStatus": ("s", "readwrite", True), "Rate": ("d", "readwrite", False),
        "Shuffle": ("b", "readwrite", True), "Metadata": ("a{sv}", "read", False), "Volume": ("d", "readwrite", False),
        "Position": ("x", "read", False), "MinimumRate": ("d", "read", False), "MaximumRate": ("d", "read", False),
        "CanGoNext": ("b", "read", False), "CanGoPrevious": ("b", "read", False), "CanPlay": ("b", "read", False),
        "CanPause": ("b", "read", False), "CanSeek": ("b", "read", False), "CanControl": ("b", "read", False),
    },
    TRACK_LIST: {"Tracks": ("ao", "read", False), "CanEditTracks": ("b", "read", False)},
    PLAYLISTS: {"PlaylistCount": ("u", "read", False), "Orderings": ("as", "read", False), "ActivePlaylist": ("(b(oss))", "read", False)},
}

# Arguments and results.
METHODS = {
    ROOT: {"Raise": ("", ""), "Quit": ("", "")},
    PLAYER: {
        "Next": ("", ""), "Previous": ("", ""), "Pause": ("", ""), "PlayPause": ("", ""), "Stop": ("", ""), "Play": ("", ""),
        "Seek": ("x", ""), "SetPosition": ("ox", ""), "OpenUri": ("s", ""),
    },
    TRACK_LIST: {"GetTracksMetadata": ("ao", "aa{sv}"), "AddTrack": ("sob", ""), "RemoveTrack": ("o", ""), "GoTo": ("o", "")},
    PLAYLISTS: {"ActivatePlaylist": ("o", ""), "GetPlaylists": ("uusb", "a(oss)")},
}

SIGNALS = {
    PLAYER: {"Seeked": "x"},
    TRACK_LIST: {"TrackListReplaced": "aoo", "TrackAdded": "a{sv}o", "TrackRemoved": "o", "TrackMetadataChanged": "oa{sv}"},
    PLAYLISTS: {"PlaylistChanged": "(oss)"},
}

METADATA = {
    "mpris:trackid": "o", "mpris:length": "x", "mpris:artUrl": "s",
    **dict.fromkeys(("xesam:albumArtist", "xesam:artist", "xesam:comment", "xesam:composer", "xesam:genre", "xesam:lyricist"), "as"),
    **dict.fromkeys(("xesam:album", "xesam:asText", "xesam:contentCreated", "xesam:firstUsed", "xesam:lastUsed", "xesam:title", "xesam:url"), "s"),
    **dict.fromkeys(("xesam:audioBPM", "xesam:discNumber", "xesam:trackNumber", "xesam:useCount"), "i"),
    **dict.fromkeys(("xesam:autoRating", "xesam:userRating"), "d"),
}


def mistyped(interface, values, complete=True):
    """The faults of the properties of an interface, given as variants: missing ones, and those with another type."""
    faults = []
    for name, (signature, _, optional) in PROPERTIES[interface].items():
        if name not in values:
            faults += [] if optional or not complete else [f"{name} is missing"]
        elif values[name].signature != signature:
            faults.append(f"{name} has the type {values[name].signature}, not {signature}")
    return faults
