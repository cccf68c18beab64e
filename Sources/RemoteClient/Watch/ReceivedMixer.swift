import OSC
import Patches
import Terminal

/// The levels, mutes, solos and layers of an instance as received, as far as they are shown.
package struct ReceivedMixer: Sendable {
    /// The master level in dB.
    private(set) var gain = 0.0
    /// The preference for the highest master level in dB.
    private(set) var highestGain = 0.0
    private(set) var isMuted = false
    private(set) var layers: [Layer] = []
    /// Starts of the current item's chapters in seconds.
    private(set) var chapterStarts: [Double] = []
    /// Whether the master level has been received.
    private(set) var isKnown = false

    struct Layer: Sendable {
        var shown = TerminalMixer.Layer()
        var isMuted = false
        var isSoloed = false
    }

    /// The mixer for the terminal; `nil` before it was received.
    package var mixer: TerminalMixer? {
        guard isKnown else { return nil }
        var mixer = TerminalMixer()
        (mixer.gain, mixer.isMuted, mixer.layerCount) = (gain, isMuted, layers.count)
        mixer.highestGain = highestGain
        mixer.mutedLayers = Set(layers.indices.filter { layers[$0].isMuted })
        mixer.soloedLayers = Set(layers.indices.filter { layers[$0].isSoloed })
        let known = layers
        mixer.layer = { known.indices.contains($0) ? known[$0].shown : TerminalMixer.Layer() }
        return mixer
    }

    /// - Parameter address: the part after the root.
    mutating func take(_ address: Substring, _ arguments: [OSCArgument]) {
        switch (address, arguments.first) {
        case ("master/gain", .float(let value)):
            guard value.isFinite else { return }
            (gain, isKnown) = (Double(value), true)
        case ("preferences/maximumLevel", .float(let value)) where value.isFinite: highestGain = Double(value)
        case ("master/mute", .int32(let flag)): isMuted = flag != 0
        case ("layer/count", .int32(let count)):
            let count = min(max(Int(count), 0), Patch.maximumLayerCount)
            // Another item sends all of its layers.
            if count < layers.count { layers.removeLast(layers.count - count) }
            while layers.count < count { layers.append(Layer()) }
        case ("chapter/starts", _):
            chapterStarts = arguments.compactMap { if case .float(let start) = $0 { Double(start) } else { nil } }
        default: takeLayer(address, arguments)
        }
    }

    private mutating func takeLayer(_ address: Substring, _ arguments: [OSCArgument]) {
        let parts = address.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "layer", let number = Int(parts[1]), layers.indices.contains(number - 1) else { return }
        switch (parts[2], arguments.first) {
        case ("name", .string(let name)):
            // Another layer, which may have other parameters; its values follow.
            layers[number - 1].shown = TerminalMixer.Layer()
            layers[number - 1].shown.name = name
        case ("kind", .string(let kind)): layers[number - 1].shown.kind = kind
        case ("edited", .int32(let flag)): layers[number - 1].shown.isEdited = flag != 0
        case ("mute", .int32(let flag)): layers[number - 1].isMuted = flag != 0
        case ("solo", .int32(let flag)): layers[number - 1].isSoloed = flag != 0
        case (let name, .float(let value)):
            guard let parameter = Parameter(rawValue: String(name)), value.isFinite else { return }
            layers[number - 1].shown.values[parameter] = Double(value)
        default: break
        }
    }
}

extension KeyAction {
    /// The message that asks an instance for this; `nil` if it changes only what is shown.
    var message: OSCMessage? {
        switch self {
        case .toggle: Self.press("toggle")
        case .skipForward: Self.press("skip/forward")
        case .skipBackward: Self.press("skip/backward")
        case .next: Self.press("next")
        case .previous: Self.press("previous")
        case .undo: Self.press("undo")
        case .redo: Self.press("redo")
        case .level(let layer, let gain): OSCMessage(Self.place(layer) + "/gain", [.float(Float(gain))])
        case .mute(let layer, let isMuted): OSCMessage(Self.place(layer) + "/mute", [.int32(isMuted ? 1 : 0)])
        case .solo(let layer, let isSoloed): OSCMessage(Self.place(layer) + "/solo", [.int32(isSoloed ? 1 : 0)])
        case .set(let layer, let parameter, let value):
            OSCMessage(Self.place(layer) + "/" + parameter.rawValue, [.float(Float(value))])
        case .sleep(let seconds): OSCMessage(Conversation.root + "sleep", [.float(Float(seconds))])
        case .chapter(let number): OSCMessage(Conversation.root + "chapter/select", [.int32(Int32(number))])
        case .redraw, .awaitChapter, .print, .leave: nil
        }
    }

    private static func press(_ command: String) -> OSCMessage { OSCMessage(Conversation.root + command) }

    private static func place(_ layer: Int?) -> String { Conversation.root + (layer.map { "layer/\($0 + 1)" } ?? "master") }
}
