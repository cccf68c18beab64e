import PatchFiles
import Patches

/// The saved state: a queue with the edits of its items, presets, play state and modes, levels, tuning and connections.
///
/// Plain values; the program maps them to the player's. Unknown keys are kept and written back.
package struct Session: Equatable, Sendable {
    package var title: String
    package var items: [Item] = []
    package var presets: [Preset] = []
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
    /// Speed of the timeline, within ``rateRange``.
    package var rate = 1.0
    package var transport = TransportMode.none
    package var touch = TouchMode.latch
    /// dB, -120 (off) to 0.
    package var masterGain = 0.0
    package var isMuted = false
    /// Frequency of A4 in Hz.
    package var a4 = 440.0
    /// The MIDI controllers and the addresses they are mapped to.
    package var controllers: [Controller] = []
    /// `nil` if no connection was ever made; empty if all were disconnected.
    package var connections: [Connection]?
    /// Unknown pairs of a newer version, by the name of the mapping they belong to (`""` is the session itself).
    var kept: [String: [YAMLTree.Pair]] = [:]

    package static let rateRange = 0.1...10.0

    package init(title: String = "", items: [Item] = []) {
        self.title = title
        self.items = items
    }

    package enum PlayState: String, CaseIterable, Sendable {
        case stopped, playing, paused
    }

    package enum TransportMode: String, CaseIterable, Sendable {
        case none, follow, lead
    }

    /// What happens to a control when it is released: it keeps its value or returns to the one before.
    package enum TouchMode: String, CaseIterable, Sendable {
        case latch, `return`
    }

    package enum RepeatMode: String, CaseIterable, Sendable {
        case off, one, all
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
        var kept: [YAMLTree.Pair] = []

        package init(patch: String) { self.patch = patch }
    }

    /// The value of a layer's parameter. The layer is named, so that the value survives reordered layers.
    package struct Value: Equatable, Sendable {
        package var layer: String
        /// The ``Parameter``'s name; unknown names may be those of a newer version.
        package var parameter: String
        /// In the parameter's unit, finite.
        package var value: Double

        package init(layer: String, parameter: String, value: Double) {
            self.layer = layer
            self.parameter = parameter
            self.value = value
        }
    }

    /// A live edit of the item.
    package struct Edit: Equatable, Sendable {
        package var value: Value
        /// Seconds from the start of the patch.
        package var position: Double

        package init(value: Value, position: Double) {
            self.value = value
            self.position = position
        }
    }

    /// The stored parameter values of one patch.
    package struct Preset: Equatable, Sendable {
        package var name: String
        /// A name in the library or a path, as in ``Item/patch``.
        package var patch: String
        package var values: [Value]
        /// Waveforms by the layer's name.
        package var waves: [String: Waveform] = [:]
        var kept: [YAMLTree.Pair] = []

        package init(name: String, patch: String, values: [Value]) {
            self.name = name
            self.patch = patch
            self.values = values
        }
    }

    /// A MIDI controller and the address that it is mapped to.
    package struct Controller: Equatable, Sendable {
        /// Controller number, 0...127.
        package var number: Int
        /// MIDI channel, 1...16; `nil` means any.
        package var channel: Int?
        /// An address of the OSC contract, below its root.
        package var address: String

        package init(number: Int, channel: Int? = nil, address: String) {
            self.number = number
            self.channel = channel
            self.address = address
        }
    }

    /// One of the program's ports and the port it is connected to, by JACK names.
    package struct Connection: Equatable, Sendable {
        /// The port's name without the client's name.
        package var port: String
        /// The full name of the port at the other end.
        package var other: String

        package init(port: String, other: String) {
            self.port = port
            self.other = other
        }
    }
}

extension Session.Value {
    /// Converts a setting of `patch`, whose layers are numbered, to names.
    package init(_ setting: Setting, in patch: Patch) {
        self.init(layer: patch.layers[setting.layer].name, parameter: setting.parameter.rawValue, value: setting.value)
    }

    /// The value as a setting, by layer index and clamped to its range; `nil` if `patch` has no such layer or the layer no such parameter.
    package func setting(in patch: Patch) -> Setting? {
        guard let index = patch.layers.firstIndex(where: { $0.name == layer }), let parameter = Parameter(rawValue: parameter),
            let description = patch.layers[index].kind.description(of: parameter)
        else { return nil }
        return Setting(layer: index, parameter: parameter, value: description.clamped(value))
    }
}

extension Session.Edit {
    package init(_ edit: LiveEdit, in patch: Patch) {
        self.init(value: .init(edit.setting, in: patch), position: edit.position)
    }
}

extension Session.Item {
    /// The edits whose parameters `patch` has.
    package func liveEdits(in patch: Patch) -> [LiveEdit] {
        edits.compactMap { edit in edit.value.setting(in: patch).map { LiveEdit(setting: $0, position: edit.position) } }
    }
}
