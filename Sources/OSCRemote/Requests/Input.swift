import OSC
import Patches
import Playback

/// One argument that an address takes.
package struct Input: Equatable, Sendable {
    package let name: String
    package let kind: Kind
    package let isOptional: Bool

    package enum Kind: Equatable, Sendable {
        /// Pressed by no argument, a number above 0 or true; 0, a negative number or false is the release, which does nothing.
        case press
        /// An on/off switch: any number except 0 is on.
        case flag
        /// A number, clamped to its range.
        case number(Quantity)
        /// A number that is refused outside its range, since no answer reports a clamped value.
        case bounded(Quantity)
        /// A measure in whole units: rounded, then clamped to its range.
        case integer(ClosedRange<Int>)
        /// An index, clamped to its range; a number with a fraction is refused.
        case index(ClosedRange<Int>)
        /// One of a fixed set of numbers; others are refused.
        case exact(ClosedRange<Int>)
        /// A name, or an index counted from 0; others are refused.
        case choice([String])
        case text
        /// A MIDI note number, with fraction, or a name such as `A3` or `A3+14`.
        case note
        /// A name, or the number in a list, counted from 1; a number with a fraction is refused.
        case entry
        case timeTag
        case blob
    }

    init(_ name: String, _ kind: Kind, isOptional: Bool = false) {
        self.name = name
        self.kind = kind
        self.isOptional = isOptional
    }

    /// The range of a token that is returned unchanged.
    static let anyInteger = Int(Int32.min)...Int(Int32.max)

    static let press = Input("press", .press, isOptional: true)
    static let ramp = Input("ramp", .bounded(Quantity(0...86_400, "s")), isOptional: true)
    static let easing = Input("easing", .choice(Easing.allCases.map(\.rawValue)), isOptional: true)

    /// The arguments of a continuous property: its value, and the ramp and easing.
    static func ramped(_ name: String, _ quantity: Quantity) -> [Input] { [Input(name, .number(quantity)), .ramp, .easing] }

    package var quantity: Quantity? {
        switch kind {
        case .number(let quantity), .bounded(let quantity): quantity
        case .exact(let range) where range == Self.anyInteger: nil
        case .integer(let range), .index(let range), .exact(let range): Quantity(Double(range.lowerBound)...Double(range.upperBound))
        case .flag: .norm
        case .choice(let names): Quantity(0...Double(names.count - 1))
        case .press, .text, .note, .entry, .timeTag, .blob: nil
        }
    }
}

extension Input.Kind {
    /// The type tag shown by `describe`; equivalent types are accepted too.
    package var typeTag: String {
        switch self {
        case .press, .flag, .integer, .index, .exact, .note: "i"
        case .number, .bounded: "f"
        case .choice, .text, .entry: "s"
        case .timeTag: "t"
        case .blob: "b"
        }
    }
}

/// An argument after conversion for its row.
enum Value: Equatable, Sendable {
    case pressed, released
    case flag(Bool)
    case number(Double)
    case integer(Int)
    case choice(Int)
    case text(String)
    /// A MIDI note number with fraction.
    case note(Double)
    case timeTag(TimeTag)
    case blob([UInt8])
}

extension Input {
    /// The value in range, and the argument that the address would answer had it been accepted unchanged.
    func value(of argument: OSCArgument) throws(Refusal) -> (value: Value, asSent: OSCArgument) {
        switch kind {
        case .press:
            let number = try number(argument)
            return (number > 0 ? .pressed : .released, .int32(number > 0 ? 1 : 0))
        case .flag:
            guard argument.number != nil else { throw wrongKind("1 or 0, for on or off") }
            let isOn = try number(argument) != 0
            return (.flag(isOn), .int32(isOn ? 1 : 0))
        case .number(let quantity):
            let number = try number(argument)
            return (.number(number.clamped(to: quantity.range)), .float(Float(number)))
        case .bounded(let quantity):
            let number = try number(argument)
            guard quantity.range.contains(number) else { throw wrongKind(Self.words(quantity)) }
            return (.number(number), .float(Float(number)))
        case .integer(let range): return clamped(try number(argument).rounded(), to: range)
        case .index(let range):
            let number = try number(argument)
            guard number == number.rounded() else { throw wrongKind("a whole number") }
            return clamped(number, to: range)
        case .exact(let range):
            guard let number = Int(exactly: try number(argument)), range.contains(number) else {
                throw wrongKind("a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return (.integer(number), .int32(Int32(number)))
        case .choice(let names): return try choice(argument, of: names)
        case .text:
            guard case .string(let text) = argument.withoutSymbol else { throw wrongKind("a string") }
            return (.text(text), .string(text))
        case .entry:
            if case .string(let text) = argument.withoutSymbol { return (.text(text), .string(text)) }
            let number = try number(argument)
            guard number == number.rounded() else { throw wrongKind("a name, or a whole number of the list") }
            return clamped(number, to: 0...1_000_000)
        case .note:
            if case .string(let name) = argument.withoutSymbol {
                guard let note = Note(name: name) else { throw wrongKind("a note such as A3 or C#4") }
                return (.note(note.number), .int32(Int32(note.rawValue)))
            }
            let number = try number(argument).clamped(to: 0...127)
            return (.note(number), .int32(Int32(number.rounded())))
        case .timeTag:
            guard case .timeTag(let tag) = argument else { throw wrongKind("a time tag") }
            return (.timeTag(tag), argument)
        case .blob:
            guard case .blob(let bytes) = argument else { throw wrongKind("a blob") }
            return (.blob(bytes), argument)
        }
    }

    private func choice(_ argument: OSCArgument, of names: [String]) throws(Refusal) -> (Value, OSCArgument) {
        if case .string(let name) = argument.withoutSymbol {
            guard let index = names.firstIndex(of: name) else { throw wrongKind(expectation(names)) }
            return (.choice(index), .string(name))
        }
        guard let index = Int(exactly: try number(argument)), names.indices.contains(index) else {
            throw wrongKind(expectation(names))
        }
        return (.choice(index), .string(names[index]))
    }

    private func expectation(_ names: [String]) -> String {
        names.count <= 6
            ? names.joined(separator: ", ") + ", or a whole number from 0 to \(names.count - 1)"
            : "a name such as \(names[0]), or a whole number from 0 to \(names.count - 1)"
    }

    private static func words(_ quantity: Quantity) -> String {
        let range = "\(NumberText.string(from: quantity.range.lowerBound)) to \(NumberText.string(from: quantity.range.upperBound))"
        return quantity.unit.isEmpty ? range : "\(range) \(quantity.unit)"
    }

    /// A whole number in range, and as it was sent. A number far beyond `Int` must not trap in the conversion.
    private func clamped(_ number: Double, to range: ClosedRange<Int>) -> (Value, OSCArgument) {
        let number = Int(number.clamped(to: Double(Int32.min)...Double(Int32.max)))
        return (.integer(min(max(number, range.lowerBound), range.upperBound)), .int32(Int32(number)))
    }

    private func number(_ argument: OSCArgument) throws(Refusal) -> Double {
        guard let number = argument.number else { throw wrongKind("a number") }
        guard number.isFinite else { throw wrongKind("a finite number") }
        return number
    }

    private func wrongKind(_ expected: String) -> Refusal { Refusal(.badArguments, "\(name) has to be \(expected).") }
}

extension OSCArgument {
    /// The number in an `i`, `h`, `f`, `d`, `T` or `F`; `nil` for other types.
    package var number: Double? {
        switch self {
        case .int32(let value): Double(value)
        case .int64(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        case .true: 1
        case .false: 0
        default: nil
        }
    }

    /// The argument with a symbol converted to a string.
    fileprivate var withoutSymbol: OSCArgument {
        if case .symbol(let text) = self { .string(text) } else { self }
    }
}

extension Double {
    func clamped(to range: ClosedRange<Double>) -> Double { Swift.min(Swift.max(self, range.lowerBound), range.upperBound) }
}
