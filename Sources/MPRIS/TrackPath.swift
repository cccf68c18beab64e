import Bus
import Playback

/// The D-Bus object paths of tracks and playlists. They must not be below `/org/mpris`.
enum TrackPath {
    /// The path that means "no track". MPRIS 2.2, TrackList
    static let none = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
    private static let tracks = "/binaural/track/"
    private static let sessions = "/binaural/session/"

    static func of(_ item: QueueItem) -> String { of(id: item.id) }

    static func of(id: Int) -> String { tracks + String(id) }

    /// The index of the item in the queue; `nil` if it is not in the queue, or no longer.
    static func index(_ path: String, in state: PlayerState) -> Int? {
        guard let id = id(path) else { return nil }
        return state.items.firstIndex { $0.id == id }
    }

    /// The item's number; `nil` if the path is not that of a track.
    static func id(_ path: String) -> Int? { path.hasPrefix(tracks) ? Int(path.dropFirst(tracks.count)) : nil }

    static func of(session: String) -> String { sessions + objectPathElement(session) }
}
