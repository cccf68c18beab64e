import Playback

/// The interfaces of the object, after MPRIS D-Bus Interface Specification 2.2.
extension InterfaceDescription {
    static let root = InterfaceDescription(
        name: "org.mpris.MediaPlayer2",
        methods: [
            // A terminal cannot be raised.
            Method("Raise") { _, _, reply in reply(.success([])) }, Method("Quit") { $0.quit($1, $2) },
        ],
        properties: [
            Property("CanQuit", "b"), Property("Fullscreen", "b", isWritable: true), Property("CanSetFullscreen", "b"),
            Property("CanRaise", "b"), Property("HasTrackList", "b"), Property("Identity", "s"), Property("DesktopEntry", "s"),
            Property("SupportedUriSchemes", "as"), Property("SupportedMimeTypes", "as"),
        ])

    static let player = InterfaceDescription(
        name: "org.mpris.MediaPlayer2.Player",
        methods: [
            Method("Next") { $0.perform(.nextItem, $1, $2) }, Method("Previous") { $0.perform(.previousItem, $1, $2) },
            Method("Pause") { $0.perform(.pause, $1, $2) }, Method("PlayPause") { $0.playOrPause($1, $2) },
            Method("Stop") { $0.perform(.stop, $1, $2) }, Method("Play") { $0.perform(.play, $1, $2) },
            Method("Seek", [Argument("Offset", "x")]) { $0.seek($1, $2) },
            Method("SetPosition", [Argument("TrackId", "o"), Argument("Position", "x")]) { $0.setPosition($1, $2) },
            Method("OpenUri", [Argument("Uri", "s")], opensFile: true) { $0.open($1, $2) },
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
            Method("GetTracksMetadata", [Argument("TrackIds", "ao")], returns: [Argument("Metadata", "aa{sv}")], isOpenToAll: true) {
                $2($0.metadata($1))
            },
            Method("AddTrack", [Argument("Uri", "s"), Argument("AfterTrack", "o"), Argument("SetAsCurrent", "b")], opensFile: true) {
                $0.addTrack($1, $2)
            },
            Method("RemoveTrack", [Argument("TrackId", "o")]) { $0.performOnTrack(Command.removeItem, $1, $2) },
            Method("GoTo", [Argument("TrackId", "o")]) { $0.performOnTrack(Command.selectItem, $1, $2) },
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
            Method("ActivatePlaylist", [Argument("PlaylistId", "o")]) { $0.activatePlaylist($1, $2) },
            Method(
                "GetPlaylists", [Argument("Index", "u"), Argument("MaxCount", "u"), Argument("Order", "s"), Argument("ReverseOrder", "b")],
                returns: [Argument("Playlists", "a(oss)")], isOpenToAll: true
            ) { $2($0.playlists($1)) },
        ],
        signals: [Signal("PlaylistChanged", [Argument("Playlist", "(oss)")])],
        properties: [Property("PlaylistCount", "u"), Property("Orderings", "as"), Property("ActivePlaylist", "(b(oss))")])

    static let properties = InterfaceDescription(
        name: "org.freedesktop.DBus.Properties",
        methods: [
            Method("Get", [Argument("interface", "s"), Argument("name", "s")], returns: [Argument("value", "v")], isOpenToAll: true) {
                $2($0.value($1))
            },
            Method("GetAll", [Argument("interface", "s")], returns: [Argument("values", "a{sv}")], isOpenToAll: true) { $2($0.values($1)) },
            // It needs the role as well, but says first whether the property can be set at all.
            Method("Set", [Argument("interface", "s"), Argument("name", "s"), Argument("value", "v")], isOpenToAll: true) {
                $0.set($1, $2)
            },
        ],
        signals: [
            Signal("PropertiesChanged", [Argument("interface", "s"), Argument("changed", "a{sv}"), Argument("invalidated", "as")])
        ])

    static let introspectable: InterfaceDescription = InterfaceDescription(
        name: "org.freedesktop.DBus.Introspectable",
        methods: [
            Method("Introspect", returns: [Argument("data", "s")], isOpenToAll: true) { _, _, reply in
                reply(.success([.string("<node>" + all.map(\.xml).joined() + "</node>")]))
            }
        ])

    static let peer = InterfaceDescription(
        name: "org.freedesktop.DBus.Peer",
        methods: [
            // The bus library answers these itself.
            Method("Ping", isOpenToAll: true) { _, _, reply in reply(.success([])) },
            Method("GetMachineId", returns: [Argument("id", "s")], isOpenToAll: true) { _, _, reply in reply(.success([])) },
        ])

    /// The interfaces that have properties.
    static let own: [InterfaceDescription] = [root, player, trackList, playlists]
    static let all: [InterfaceDescription] = own + [properties, introspectable, peer]
}
