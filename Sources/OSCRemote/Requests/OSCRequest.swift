import OSC
import Patches
import Playback

/// Why a request was refused: a code of the contract and a sentence with the remedy.
struct Refusal: Error, Equatable {
    let status: CommandStatus
    let message: String

    init(_ status: CommandStatus, _ message: String) {
        self.status = status
        self.message = message
    }
}

extension Row {
    /// The refusal of surplus arguments, which most often are the words of an unquoted text.
    func surplus(_ count: Int) -> Refusal {
        guard action != nil else { return Refusal(.badArguments, "This can only be read: send the address without arguments.") }
        let text = "Too many arguments: \(count) instead of at most \(inputs.count)."
        if inputs.contains(where: \.kind.isText) { return Refusal(.badArguments, "\(text) Put a text with spaces in quotes.") }
        if inputs == [.press] { return Refusal(.badArguments, "\(text) Send 1 to press, 0 to release.") }
        return Refusal(.badArguments, inputs.count > 4 ? text : "\(text) Send \(inputs.map(\.name).joined(separator: ", ")).")
    }
}

extension Input.Kind {
    /// Whether the argument is a text that may contain spaces.
    fileprivate var isText: Bool {
        switch self {
        case .text, .entry: true
        default: false
        }
    }
}

/// The state that a row reads its value from.
struct Reading {
    var snapshot: Snapshot
    let identity: InstanceIdentity
    /// The index of the layer that the address names.
    var layerIndex: Int?
    /// The replies that the asking peer gets: 0 none, 1 errors, 2 all.
    var replies: Int32 = 1
    /// Whether the asking peer is a program on this machine.
    var isForThisMachine = false
    var bundles = Bundles()

    /// The numbers of bundles that wait, were late, or were refused.
    struct Bundles {
        var waiting = 0
        var late = 0
        var refused = 0
    }

    var player: PlayerState { snapshot.player }

    /// The layer of the current item that the address names.
    func layer() throws(Refusal) -> (index: Int, layer: Layer) {
        guard let patch = player.patch else {
            throw Refusal(.noSuchContent, "There is no current item, so there are no layers: select an item first.")
        }
        guard let layerIndex, patch.layers.indices.contains(layerIndex) else {
            throw Refusal(.unknownAddress, "There is no such layer: the current item has \(patch.layers.count).")
        }
        return (layerIndex, patch.layers[layerIndex])
    }

    func description(of parameter: Parameter) throws(Refusal) -> ParameterDescription {
        let layer = try layer().layer
        guard let description = layer.description(of: parameter) else {
            throw Refusal(.notSupported, "\(layer.kind.withArticle) layer has no \(parameter.rawValue).")
        }
        return description
    }

    func value(of parameter: Parameter) throws(Refusal) -> Double {
        let description = try description(of: parameter)
        return snapshot.value(of: parameter, layer: try layer().index) ?? description.defaultValue
    }
}

/// A message whose arguments are valid.
struct OSCRequest {
    let reading: Reading
    /// One for each input of the row; `nil` for those left out.
    let values: [Value?]

    func number(_ index: Int) -> Double {
        switch values[index] {
        case .number(let number), .note(let number): number
        case .integer(let number), .choice(let number): Double(number)
        default: 0
        }
    }

    func integer(_ index: Int) -> Int? {
        switch values[index] {
        case .integer(let number), .choice(let number): number
        default: nil
        }
    }

    func flag(_ index: Int) -> Bool { values[index] == .flag(true) }

    func text(_ index: Int) -> String? {
        if case .text(let text) = values[index] { text } else { nil }
    }

    func timeTag(_ index: Int) -> TimeTag {
        if case .timeTag(let tag) = values[index] { tag } else { .immediate }
    }

    func bytes(_ index: Int) -> [UInt8] {
        if case .blob(let bytes) = values[index] { bytes } else { [] }
    }

    /// The ramp in the arguments from `index` on; `nil`, the default ramp, if it is missing or its time is 0.
    func ramp(from index: Int) -> Ramp? {
        let seconds = number(index)
        guard seconds > 0 else { return nil }
        return Ramp(seconds: seconds, easing: integer(index + 1).map { Easing.allCases[$0] })
    }
}
