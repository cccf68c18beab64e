import PatchFiles
import Patches
import Playback

/// The saved state: a queue with the edits of its items, presets, play state and modes, levels, tuning and connections.
///
/// Layers are named instead of numbered, so that it survives changes of its patches. Unknown keys are kept and written back.
package struct Session: Equatable, Sendable {
    package var title: String
    package var items: [Item] = []
    /// Two have the same name only in a file edited by hand; then the first one counts.
    package var presets: [Preset] = [] {
        didSet {
            guard !keptOfPresets.isEmpty else { return }
            let names = Set(presets.map(\.name))
            keptOfPresets = keptOfPresets.filter { names.contains($0.key) }
        }
    }
    /// Index into ``items``; `nil` if no item was selected.
    package var current: Int?
    package var state = PlayState.stopped
    package var repeatMode = RepeatMode.off
    package var shuffle = false
    package var shuffleSeed: UInt64 = 0
    /// Index of the item that the shuffled round began with; `nil` without shuffle.
    package var shuffleFirst: Int?
    /// Indexes of the items in playing order if it differs from the seed's; otherwise empty.
    package var shuffleOrder: [Int] = []
    /// Speed of the timeline, within ``PlayerState/rateRange``.
    package var rate = 1.0
    package var transport = TransportMode.none
    package var touch = TouchMode.latch
    /// dB, -120 (off) to 0.
    package var masterGain = 0.0
    package var isMuted = false
    /// Frequency of A4 in Hz.
    package var a4 = 440.0
    package var controllers: [ControllerMapping] = []
    /// The remembered connections; `nil` if none was ever made, empty if all were disconnected.
    package var connections: [SavedConnection]?
    /// Unknown pairs of a newer version, by the name of the mapping they belong to (`""` is the session itself).
    var kept: [String: [YAMLTree.Pair]] = [:]
    /// Unknown pairs of presets, by the names of the presets.
    var keptOfPresets: [String: [YAMLTree.Pair]] = [:]

    package init(title: String = "", items: [Item] = []) {
        self.title = title
        self.items = items
    }
    /// A ``PlaybackState`` as it is saved. There is no `interrupted`: that player was playing, and resumes when JACK runs at the next start.
    package enum PlayState: String, CaseIterable, Sendable {
        case stopped, playing, paused
    }

    /// An item of the queue.
    package struct Item: Equatable, Sendable {
        /// A name in the library, or a path (with a `/` or an extension); relative paths start at the session's folder.
        package var patch: String
        /// 0...5 stars; `nil` if not rated.
        package var rating: Double?
        /// True liked, false disliked, `nil` neither.
        package var liked: Bool?
        /// Seconds from the start of the patch.
        package var bookmarks: [Double] = []
        /// Names of layers.
        package var mutedLayers: [String] = []
        /// Waveforms that differ from the patch's, by the layer's name.
        package var waves: [String: Waveform] = [:]
        package var edits: [Edit] = []
        /// Changes to chapters and cues.
        package var course: CourseEdits = [:]
        var kept: [YAMLTree.Pair] = []

        package init(patch: String) { self.patch = patch }
    }

    /// A live edit of the item.
    package typealias Edit = NamedEdit

    /// One of the program's ports and the port it is connected to, by JACK names.
    package struct SavedConnection: Equatable, Sendable {
        /// The port's name without the client's name.
        package var port: String
        /// The full name of the port at the other end.
        package var other: String
        /// The last day on which that port existed; `nil` in files of older versions.
        package var seen: Day?
        /// Whether the user was notified that it is missing.
        package var isReported = false

        package init(port: String, other: String) {
            self.port = port
            self.other = other
        }
    }
}

extension Session.PlayState {
    package init(_ playback: PlaybackState) {
        self =
            switch playback {
            case .playing, .interrupted: .playing
            case .paused: .paused
            case .stopped: .stopped
            }
    }
}

extension PlaybackState {
    package init(_ saved: Session.PlayState) {
        self =
            switch saved {
            case .stopped: .stopped
            case .playing: .playing
            case .paused: .paused
            }
    }
}

extension Session.Item {
    /// The listener's changes, also those to layers that the patch does not have.
    package var changes: NamedChanges {
        get { NamedChanges(edits: edits, mutedLayers: mutedLayers, waves: waves, course: course) }
        set { (edits, mutedLayers, waves, course) = (newValue.edits, newValue.mutedLayers, newValue.waves, newValue.course) }
    }
}
