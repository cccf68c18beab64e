import Bus
import Glibc
import Patches
import Playback

/// The properties of the interfaces, derived from the snapshot that all front ends show.
struct PlayerProperties {
    var identity: PlayerIdentity

    func values(of interface: String, _ snapshot: Snapshot) -> [String: BusValue] {
        switch interface {
        case InterfaceDescription.root.name: root
        case InterfaceDescription.player.name: player(snapshot)
        case InterfaceDescription.trackList.name: trackList(snapshot)
        case InterfaceDescription.playlists.name: playlists(snapshot)
        default: [:]
        }
    }

    private var root: [String: BusValue] {
        [
            "CanQuit": .bool(identity.mayQuit), "Fullscreen": .bool(false), "CanSetFullscreen": .bool(false), "CanRaise": .bool(false),
            "HasTrackList": .bool(true), "Identity": .string(identity.name), "DesktopEntry": .string("binaural"),
            "SupportedUriSchemes": .strings(["file"]),
            "SupportedMimeTypes": .strings(["application/x-binaural-patch+yaml", "application/x-sbagen"]),
        ]
    }

    private func player(_ snapshot: Snapshot) -> [String: BusValue] {
        let state = snapshot.player
        func can(_ kinds: RemoteCommandKind...) -> BusValue {
            .bool(identity.mayControl && kinds.contains { snapshot.enabled[$0] == true })
        }
        let rates = Self.rates(snapshot)
        return [
            "PlaybackStatus": .string(Self.status(state.playback)), "LoopStatus": .string(Self.loopStatus(state.repeatMode)),
            "Rate": .double(state.rate), "Shuffle": .bool(state.shuffledOrder != nil), "Volume": .double(Self.volume(state)),
            "Metadata": .dictionary(TrackMetadata.current(snapshot)), "Position": .int64(Self.position(snapshot)),
            "MinimumRate": .double(rates.lowerBound), "MaximumRate": .double(rates.upperBound), "CanGoNext": can(.nextItem),
            "CanGoPrevious": can(.previousItem), "CanPlay": can(.play),
            // These say what the track can do, whether it plays or not.
            "CanPause": can(.play, .pause), "CanSeek": can(.position), "CanControl": .bool(identity.mayControl),
        ]
    }

    private func trackList(_ snapshot: Snapshot) -> [String: BusValue] {
        ["Tracks": .paths(snapshot.player.items.map(TrackPath.of)), "CanEditTracks": .bool(identity.mayControl)]
    }

    private func playlists(_ snapshot: Snapshot) -> [String: BusValue] {
        let sessions = snapshot.session.available
        let isKnown = sessions.contains(snapshot.session.name)
        let active = isKnown ? Self.playlist(snapshot.session.name) : .structure([.path("/"), .string(""), .string("")])
        return [
            "PlaylistCount": .uint32(UInt32(clamping: sessions.count)), "Orderings": .strings([Self.ordering]),
            "ActivePlaylist": .structure([.bool(isKnown), active]),
        ]
    }

    /// The only order that sessions have.
    static let ordering = "Alphabetical"

    /// A session: path, name, and no icon.
    static func playlist(_ session: String) -> BusValue {
        .structure([.path(TrackPath.of(session: session)), .string(session), .string("")])
    }

    static func status(_ playback: PlaybackState) -> String {
        switch playback {
        case .playing: "Playing"
        case .paused, .interrupted: "Paused"
        case .stopped: "Stopped"
        }
    }

    static func loopStatus(_ mode: RepeatMode) -> String {
        switch mode {
        case .off: "None"
        case .one: "Track"
        case .all: "Playlist"
        }
    }

    static func repeatMode(_ status: String) -> RepeatMode? {
        [RepeatMode.off, .one, .all].first { loopStatus($0) == status }
    }

    /// The rates that can be set; only 1 while the rate cannot be changed.
    static func rates(_ snapshot: Snapshot) -> ClosedRange<Double> {
        snapshot.enabled[.rate] == true ? PlayerState.rateRange : 1...1
    }

    static func position(_ snapshot: Snapshot) -> Int64 { Microseconds.of(seconds: snapshot.player.elapsed(at: snapshot.moment)) }

    /// The master level, linear; 0 while it is muted.
    static func volume(_ state: PlayerState) -> Double {
        guard !state.isMasterMuted, state.masterGain > Parameter.off else { return 0 }
        return min(pow(10, state.masterGain / 20), 1)
    }

    /// The master gain in dB of a volume, which is limited to 0...1.
    static func gain(volume: Double) -> Double {
        volume <= 0 ? Parameter.off : max(20 * log10(min(volume, 1)), Parameter.off)
    }
}
