import Bus
import Playback

/// The state that was last reported to the bus, and the signals for its changes.
struct ReportedPlayer {
    var properties: PlayerProperties
    private var values: [String: [String: BusValue]] = [:]
    private var tracks: [Int] = []
    private var timeline: ReportedTimeline

    /// - Parameter snapshot: the state that counts as reported.
    init(_ properties: PlayerProperties, _ snapshot: Snapshot) {
        self.properties = properties
        timeline = ReportedTimeline(snapshot)
        _ = update(snapshot)
    }

    /// - Returns: the signals for what has changed.
    mutating func update(_ snapshot: Snapshot) -> [BusSignal] {
        var signals: [BusSignal] = []
        let trackBefore = track(of: values[InterfaceDescription.player.name])
        let newTracks = snapshot.player.items.map(\.id)
        for interface in InterfaceDescription.own {
            let hasNewTracks = interface.name == InterfaceDescription.trackList.name && newTracks != tracks
            if interface.name == InterfaceDescription.trackList.name, !hasNewTracks, values[interface.name] != nil { continue }
            let before = values[interface.name] ?? [:]
            let now = properties.values(of: interface.name, snapshot)
            values[interface.name] = now
            let changed = interface.properties.filter { now[$0.name] != before[$0.name] }
            let reported = changed.filter { $0.reporting == .value }
            let invalidated = changed.filter { $0.reporting == .invalidation }.map(\.name)
            guard !reported.isEmpty || !invalidated.isEmpty else { continue }
            let sent = Dictionary(uniqueKeysWithValues: reported.compactMap { property in now[property.name].map { (property.name, $0) } })
            signals.append(
                BusSignal(
                    MediaPlayerServer.path, InterfaceDescription.properties.name, "PropertiesChanged",
                    [.string(interface.name), .dictionary(sent), .strings(invalidated)]))
            if interface.name == InterfaceDescription.player.name, sent["Metadata"] != nil, let track = track(of: now), track == trackBefore
            {
                signals.append(trackSignal("TrackMetadataChanged", [.path(track), now["Metadata"] ?? .dictionary([:])]))
            }
        }
        if newTracks != tracks {
            signals.append(change(to: newTracks, snapshot))
            tracks = newTracks
        }
        if let position = timeline.update(snapshot) {
            signals.append(BusSignal(MediaPlayerServer.path, InterfaceDescription.player.name, "Seeked", [.int64(position)]))
        }
        return signals
    }

    private func track(of values: [String: BusValue]?) -> String? { values?["Metadata"]?.entries?["mpris:trackid"]?.text }

    private func change(to new: [Int], _ snapshot: Snapshot) -> BusSignal {
        if new.count == tracks.count + 1, let index = new.indices.first(where: { $0 >= tracks.count || new[$0] != tracks[$0] }) {
            var rest = new
            rest.remove(at: index)
            if rest == tracks {
                let metadata = TrackMetadata.item(snapshot.player.items[index], index: index, snapshot)
                let before = index > 0 ? TrackPath.of(id: new[index - 1]) : TrackPath.none
                return trackSignal("TrackAdded", [.dictionary(metadata), .path(before)])
            }
        }
        if new.count + 1 == tracks.count, let index = tracks.indices.first(where: { $0 >= new.count || new[$0] != tracks[$0] }) {
            var rest = tracks
            let removed = rest.remove(at: index)
            if rest == new { return trackSignal("TrackRemoved", [.path(TrackPath.of(id: removed))]) }
        }
        let current = snapshot.player.current.map { TrackPath.of($0) } ?? TrackPath.none
        return trackSignal("TrackListReplaced", [.paths(new.map { TrackPath.of(id: $0) }), .path(current)])
    }

    private func trackSignal(_ member: String, _ arguments: [BusValue]) -> BusSignal {
        BusSignal(MediaPlayerServer.path, InterfaceDescription.trackList.name, member, arguments)
    }
}
