/// The interfaces of the object, after MPRIS D-Bus Interface Specification 2.2.
extension InterfaceDescription {
    static let root = InterfaceDescription(
        name: "org.mpris.MediaPlayer2", methods: [Method("Raise"), Method("Quit")],
        properties: [
            Property("CanQuit", "b"), Property("Fullscreen", "b", isWritable: true), Property("CanSetFullscreen", "b"),
            Property("CanRaise", "b"), Property("HasTrackList", "b"), Property("Identity", "s"), Property("DesktopEntry", "s"),
            Property("SupportedUriSchemes", "as"), Property("SupportedMimeTypes", "as"),
        ])

    static let player = InterfaceDescription(
        name: "org.mpris.MediaPlayer2.Player",
        methods: [
            Method("Next"), Method("Previous"), Method("Pause"), Method("PlayPause"), Method("Stop"), Method("Play"),
            Method("Seek", [Argument("Offset", "x")]), Method("SetPosition", [Argument("TrackId", "o"), Argument("Position", "x")]),
            Method("OpenUri", [Argument("Uri", "s")]),
        ],
        signals: [Signal("Seeked", [Argument("Position", "x")])],
        properties: [
            Property("PlaybackStatus", "s"), Property("LoopStatus", "s", isWritable: true), Property("Rate", "d", isWritable: true),
            Property("Shuffle", "b", isWritable: true), Property("Metadata", "a{sv}"), Property("Volume", "d", isWritable: true),
            Property("Position", "x", .never), Property("MinimumRate", "d"), Property("MaximumRate", "d"), Property("CanGoNext", "b"),
            Property("CanGoPrevious", "b"), Property("CanPlay", "b"), Property("CanPause", "b"), Property("CanSeek", "b"),
            Property("CanControl", "b", .never),
        ])

    static let trackList = InterfaceDescription(
        name: "org.mpris.MediaPlayer2.TrackList",
        methods: [
            Method("GetTracksMetadata", [Argument("TrackIds", "ao")], returns: [Argument("Metadata", "aa{sv}")]),
            Method("AddTrack", [Argument("Uri", "s"), Argument("AfterTrack", "o"), Argument("SetAsCurrent", "b")]),
            Method("RemoveTrack", [Argument("TrackId", "o")]), Method("GoTo", [Argument("TrackId", "o")]),
        ],
        signals: [
            Signal("TrackListReplaced", [Argument("Tracks", "ao"), Argument("CurrentTrack", "o")]),
            Signal("TrackAdded", [Argument("Metadata", "a{sv}"), Argument("AfterTrack", "o")]),
            Signal("TrackRemoved", [Argument("TrackId", "o")]),
            Signal("TrackMetadataChanged", [Argument("TrackId", "o"), Argument("Metadata", "a{sv}")]),
        ],
        properties: [Property("Tracks", "ao", .invalidation), Property("CanEditTracks", "b")])

    static let playlists = InterfaceDescription(
        name: "org.mpris.MediaPlayer2.Playlists",
        methods: [
            Method("ActivatePlaylist", [Argument("PlaylistId", "o")]),
            Method(
                "GetPlaylists", [Argument("Index", "u"), Argument("MaxCount", "u"), Argument("Order", "s"), Argument("ReverseOrder", "b")],
                returns: [Argument("Playlists", "a(oss)")]),
        ],
        signals: [Signal("PlaylistChanged", [Argument("Playlist", "(oss)")])],
        properties: [Property("PlaylistCount", "u"), Property("Orderings", "as"), Property("ActivePlaylist", "(b(oss))")])

    static let properties = InterfaceDescription(
        name: "org.freedesktop.DBus.Properties",
        methods: [
            Method("Get", [Argument("interface", "s"), Argument("name", "s")], returns: [Argument("value", "v")]),
            Method("GetAll", [Argument("interface", "s")], returns: [Argument("values", "a{sv}")]),
            Method("Set", [Argument("interface", "s"), Argument("name", "s"), Argument("value", "v")]),
        ],
        signals: [
            Signal("PropertiesChanged", [Argument("interface", "s"), Argument("changed", "a{sv}"), Argument("invalidated", "as")])
        ])

    static let introspectable = InterfaceDescription(
        name: "org.freedesktop.DBus.Introspectable", methods: [Method("Introspect", returns: [Argument("data", "s")])])

    static let peer = InterfaceDescription(
        name: "org.freedesktop.DBus.Peer", methods: [Method("Ping"), Method("GetMachineId", returns: [Argument("id", "s")])])

    /// The interfaces that have properties.
    static let own = [root, player, trackList, playlists]
    static let all = own + [properties, introspectable, peer]
}
