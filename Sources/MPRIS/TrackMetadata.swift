import Bus
import Playback

/// The metadata of the current track, or of another one in the queue. MPRIS v2 metadata guidelines
enum TrackMetadata {
    /// Empty while the queue is empty.
    static func current(_ snapshot: Snapshot) -> [String: BusValue] {
        let state = snapshot.player
        guard let index = state.currentIndex, let item = state.current else { return [:] }
        var values = Self.item(item, index: index, snapshot)
        let chapter = state.chapterIndex(at: snapshot.moment).flatMap { item.patch?.chapters[$0].title } ?? ""
        let comments = [chapter, item.patch?.details.comment ?? ""].filter { !$0.isEmpty }
        values["xesam:comment"] = comments.isEmpty ? nil : .strings(comments)
        values["mpris:artUrl"] = picture(state.artwork)
        return values
    }

    static func item(_ item: QueueItem, index: Int, _ snapshot: Snapshot) -> [String: BusValue] {
        let details = item.patch?.details
        var values: [String: BusValue] = [
            "mpris:trackid": .path(TrackPath.of(item)),
            "xesam:title": .string(item.title),
            "xesam:trackNumber": .int32(Int32(clamping: index + 1)),
        ]
        if !snapshot.session.name.isEmpty { values["xesam:album"] = .string(snapshot.session.name) }
        if let duration = item.patch?.duration { values["mpris:length"] = .int64(Microseconds.of(seconds: duration)) }
        values["xesam:artist"] = list(details?.artist)
        values["xesam:composer"] = list(details?.composer)
        values["xesam:genre"] = list(details?.genre)
        values["xesam:comment"] = list(details?.comment)
        values["mpris:artUrl"] = picture(details?.artwork ?? "")
        if item.rating > 0 { values["xesam:userRating"] = .double(item.rating / 5) }
        return values
    }

    private static func list(_ text: String?) -> BusValue? { text.flatMap { $0.isEmpty ? nil : .strings([$0]) } }

    private static func picture(_ path: String) -> BusValue? { path.hasPrefix("/") ? .string(FileAddress.of(path)) : nil }
}

/// Times as D-Bus carries them.
enum Microseconds {
    static func of(seconds: Double) -> Int64 {
        guard seconds.isFinite else { return 0 }
        return Int64(min(max(seconds * 1e6, -9e18), 9e18).rounded())
    }

    static func seconds(_ microseconds: Int64) -> Double { Double(microseconds) / 1e6 }
}
