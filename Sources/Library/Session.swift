import Patches

/// What lasts: a queue with what was done to its items, presets, how it plays, levels, tuning and connections.
///
/// Plain values; the program maps them to the player's. Keys that this version does not know are kept and written back.
package struct Session: Equatable, Sendable {
    package var title: String
    package var items: [Item] = []
    package var presets: [Preset] = []
    /// Index into ``items``; `nil` when none was chosen.
    package var current: Int?
    package var state = PlayState.stopped
    package var repeatMode = RepeatMode.off
    package var shuffle = false
    package var shuffleSeed: UInt64 = 0
    /// Index of the item that the shuffled round began with; `nil` when none is shuffled.
    package var shuffleFirst: Int?
    /// Indexes of the items in the order of the round, where it is not the one that comes from the seed; else empty.
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
    /// What controllers of MIDI devices move.
    package var controllers: [Controller] = []
    /// `nil` while nothing was ever connected; empty when all was disconnected.
    package var connections: [Connection]?
    /// Pairs of a newer version, by the mapping that they stand in (`""` is the session itself).
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

    /// What a control does when a hand is taken off: it stays, or goes back.
    package enum TouchMode: String, CaseIterable, Sendable {
        case latch, `return`
    }

    package enum RepeatMode: String, CaseIterable, Sendable {
        case off, one, all
    }

    /// A place in the queue.
    package struct Item: Equatable, Sendable {
        /// A name in the library, or a path (with a `/` or an extension); relative paths are from the session's folder.
        package var patch: String
        /// 0...5 stars; `nil` when nobody has rated it.
        package var rating: Double?
        /// True liked, false disliked, `nil` neither.
        package var liked: Bool?
        /// Seconds from the start of the patch.
        package var bookmarks: [Double] = []
        /// Names of layers.
        package var mutedLayers: [String] = []
        /// Of layers, by name, that were given another wave than the patch's.
        package var waves: [String: Waveform] = [:]
        package var edits: [Edit] = []
        var kept: [YAMLTree.Pair] = []

        package init(patch: String) { self.patch = patch }
    }

    /// A value given to a parameter of a layer. By name, so that it outlives a patch whose layers were reordered.
    package struct Value: Equatable, Sendable {
        package var layer: String
        /// A ``Parameter``'s name; other names are those of a newer version.
        package var parameter: String
        /// In the parameter's unit, finite.
        package var value: Double

        package init(layer: String, parameter: String, value: Double) {
            self.layer = layer
            self.parameter = parameter
            self.value = value
        }
    }

    /// A change made by hand while the item was current.
    package struct Edit: Equatable, Sendable {
        package var value: Value
        /// Seconds from the start of the patch.
        package var position: Double

        package init(value: Value, position: Double) {
            self.value = value
            self.position = position
        }
    }

    /// Values of one patch under a name.
    package struct Preset: Equatable, Sendable {
        package var name: String
        /// As in ``Item/patch``.
        package var patch: String
        package var values: [Value]
        /// By the name of the layer.
        package var waves: [String: Waveform] = [:]
        var kept: [YAMLTree.Pair] = []

        package init(name: String, patch: String, values: [Value]) {
            self.name = name
            self.patch = patch
            self.values = values
        }
    }

    /// A controller of a MIDI device and what it moves.
    package struct Controller: Equatable, Sendable {
        /// 0...127.
        package var number: Int
        /// 1...16; `nil` is any.
        package var channel: Int?
        /// An address of the OSC contract, below its root.
        package var address: String

        package init(number: Int, channel: Int? = nil, address: String) {
            self.number = number
            self.channel = channel
            self.address = address
        }
    }

    /// One of our ports and what it is connected to, by JACK's names.
    package struct Connection: Equatable, Sendable {
        /// Without the client's name.
        package var port: String
        /// The port at the other end, by its full name.
        package var other: String

        package init(port: String, other: String) {
            self.port = port
            self.other = other
        }
    }
}

extension Session.Value {
    /// By name, from a setting of `patch`.
    package init(_ setting: Setting, in patch: Patch) {
        self.init(layer: patch.layers[setting.layer].name, parameter: setting.parameter.rawValue, value: setting.value)
    }

    /// By index, with the value clamped to its range; `nil` when `patch` has no such layer or the layer no such parameter.
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
    /// The edits that `patch` has a parameter for.
    package func liveEdits(in patch: Patch) -> [LiveEdit] {
        edits.compactMap { edit in edit.value.setting(in: patch).map { LiveEdit(setting: $0, position: edit.position) } }
    }
}
