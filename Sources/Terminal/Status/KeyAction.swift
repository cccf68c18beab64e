import Patches

/// The action of a key, with the selected layer and the present levels taken into account.
package enum KeyAction: Equatable, Sendable {
    case toggle, skipForward, skipBackward, next, previous, undo, redo, leave
    /// Sets a level in dB, of a layer (from 0) or of the master (`nil`).
    case level(layer: Int?, Double)
    case mute(layer: Int?, Bool)
    case solo(layer: Int, Bool)
    /// Sets a parameter of a layer (from 0) to a value in its unit.
    case set(layer: Int, Parameter, Double)
    /// Goes to a chapter, counted from 1.
    case chapter(Int)
    /// Shows that the number of a chapter is expected.
    case awaitChapter
    /// Starts the sleep timer, in seconds; 0 cancels it.
    case sleep(Double)
    /// Draws the display again, since another layer was selected.
    case redraw
    /// Prints lines for the user.
    case print([String])
}

/// The layer that the keys for level, mute and solo change. Each terminal has a selection of its own.
package struct KeySelection: Equatable, Sendable {
    /// The selected layer, from 0; `nil` is the master.
    package private(set) var layer: Int?
    /// Whether the list of keys is shown.
    package private(set) var showsKeys = false
    /// The digits of a chapter's number so far; `nil` if none is being typed.
    package private(set) var chapterDigits: [Int]?

    package init() {}

    /// The selected layer if the current item has it; otherwise the master.
    package func layer(of mixer: TerminalMixer) -> Int? { layer.flatMap { $0 < mixer.layerCount ? $0 : nil } }

    /// The action of a key; selects a layer if that is what the key does.
    package mutating func action(of key: Key, _ mixer: TerminalMixer) -> KeyAction {
        layer = layer(of: mixer)
        if let digits = chapterDigits {
            chapterDigits = nil
            // Any other key has its own meaning.
            if case .digit(let digit) = key { return chapter(digits + [digit], mixer) }
        }
        switch key {
        case .chapter:
            guard mixer.chapterCount > 0 else { return .print(["The current item has no chapters."]) }
            return chapter([], mixer)
        case .toggle: return .toggle
        case .skipForward: return .skipForward
        case .skipBackward: return .skipBackward
        case .next: return .next
        case .previous: return .previous
        case .undo: return .undo
        case .redo: return .redo
        case .leave: return .leave
        case .help: showsKeys.toggle()
        case .louder, .softer:
            let gain = layer.map { mixer.layer($0).gain } ?? mixer.gain
            let highest = layer == nil ? mixer.highestGain : ParameterDescription.gain.range.upperBound
            return .level(layer: layer, key == .louder ? min(Self.louder(gain), highest) : Self.softer(gain))
        case .mute: return .mute(layer: layer, !(layer.map { mixer.mutedLayers.contains($0) } ?? mixer.isMuted))
        case .solo:
            guard let layer else { return .print(["Solo needs a layer: select one with 1 to 9 or the arrow keys."]) }
            return .solo(layer: layer, !mixer.soloedLayers.contains(layer))
        case .lowerBeat: return moved(.beat, by: -Self.beatStep, mixer)
        case .raiseBeat: return moved(.beat, by: Self.beatStep, mixer)
        case .lowerCarrier: return moved(.carrier, by: -Self.carrierStep, mixer)
        case .raiseCarrier: return moved(.carrier, by: Self.carrierStep, mixer)
        case .sleep: return .sleep(Self.sleepTimes.first { $0 > (mixer.timeToSleep ?? 0) + 60 } ?? 0)
        // The master is above the first layer.
        case .up: layer = layer.flatMap { $0 > 0 ? $0 - 1 : nil }
        case .down: if mixer.layerCount > 0 { layer = min((layer ?? -1) + 1, mixer.layerCount - 1) }
        case .digit(0): layer = nil
        case .digit(let number):
            guard number <= mixer.layerCount else {
                return .print(["There is no layer \(number): the current item has \(mixer.layerCount)."])
            }
            layer = number - 1
        }
        return .redraw
    }

    /// The action of the digits of a chapter's number, of which there are as many as that of the last chapter has.
    private mutating func chapter(_ digits: [Int], _ mixer: TerminalMixer) -> KeyAction {
        guard digits.count >= String(mixer.chapterCount).count else {
            chapterDigits = digits
            return .awaitChapter
        }
        let number = digits.reduce(0) { $0 * 10 + $1 }
        guard number >= 1, number <= mixer.chapterCount else {
            return .print(["There is no chapter \(number): the current item has \(mixer.chapterCount)."])
        }
        return .chapter(number)
    }

    /// The action of a key for a parameter of the selected layer.
    private func moved(_ parameter: Parameter, by step: Double, _ mixer: TerminalMixer) -> KeyAction {
        guard let layer else { return .print(["The \(parameter.rawValue) is a layer's: select one with 1 to 9 or the arrow keys."]) }
        guard let value = mixer.layer(layer).values[parameter],
            let range = LayerKind(rawValue: mixer.layer(layer).kind)?.possibleParameters.first(where: { $0.parameter == parameter })?.range
        else { return .print(["Layer \(layer + 1) has no \(parameter.rawValue)."]) }
        // In steps of the last digit that is shown.
        return .set(layer: layer, parameter, min(max(((value + step) * 100).rounded() / 100, range.lowerBound), range.upperBound))
    }

    /// Hz for one press.
    private static let (beatStep, carrierStep) = (0.1, 1.0)
    /// The seconds that presses of the key for the sleep timer go through, before off.
    private static let sleepTimes: [Double] = [15 * 60, 30 * 60, 60 * 60]

    /// dB for one press.
    private static let step = 1.0
    /// The lowest level before off, in dB, as of a fader.
    private static let lowest = -60.0

    private static func louder(_ gain: Double) -> Double { gain < lowest ? lowest : gain + step }
    private static func softer(_ gain: Double) -> Double { gain - step < lowest ? Parameter.off : gain - step }
}
