/// The action of a key on the terminal.
package enum Key: Equatable, Sendable {
    case toggle, skipForward, skipBackward, next, previous, louder, softer, leave
    case up, down, mute, solo, undo, redo, help
    case lowerBeat, raiseBeat, lowerCarrier, raiseCarrier, sleep, chapter
    /// 0 is the master, 1 to 9 a layer.
    case digit(Int)
}

/// Parses the bytes of a terminal as keys; a key may arrive in several pieces.
package struct KeyParser {
    private enum State { case plain, escape, sequence }
    private var state = State.plain

    package init() {}

    package mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
        bytes.compactMap { key(for: $0) }
    }

    private mutating func key(for byte: UInt8) -> Key? {
        switch state {
        case .plain:
            return plainKey(byte)
        case .escape:
            if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") {
                state = .sequence
                return nil
            }
            // It was the escape key itself, which has no action.
            state = .plain
            return plainKey(byte)
        case .sequence:
            // Digits and semicolons (for modifiers) precede the letter that ends the sequence.
            guard (0x40...0x7E).contains(byte) else { return nil }
            state = .plain
            switch byte {
            case UInt8(ascii: "A"): return .up
            case UInt8(ascii: "B"): return .down
            case UInt8(ascii: "C"): return .skipForward
            case UInt8(ascii: "D"): return .skipBackward
            default: return nil
            }
        }
    }

    private mutating func plainKey(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x1B:
            state = .escape
            return nil
        case UInt8(ascii: " "): return .toggle
        case UInt8(ascii: "n"), UInt8(ascii: "N"): return .next
        case UInt8(ascii: "p"), UInt8(ascii: "P"): return .previous
        // On most keyboards, plus shares a key with the equals sign.
        case UInt8(ascii: "+"), UInt8(ascii: "="): return .louder
        case UInt8(ascii: "-"), UInt8(ascii: "_"): return .softer
        case UInt8(ascii: "m"), UInt8(ascii: "M"): return .mute
        case UInt8(ascii: "s"), UInt8(ascii: "S"): return .solo
        case UInt8(ascii: "u"), UInt8(ascii: "U"): return .undo
        case UInt8(ascii: "r"), UInt8(ascii: "R"): return .redo
        case UInt8(ascii: "b"): return .lowerBeat
        case UInt8(ascii: "B"): return .raiseBeat
        case UInt8(ascii: "c"): return .lowerCarrier
        case UInt8(ascii: "C"): return .raiseCarrier
        case UInt8(ascii: "z"), UInt8(ascii: "Z"): return .sleep
        case UInt8(ascii: "g"), UInt8(ascii: "G"): return .chapter
        case UInt8(ascii: "?"): return .help
        case UInt8(ascii: "q"), UInt8(ascii: "Q"): return .leave
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return .digit(Int(byte - UInt8(ascii: "0")))
        default: return nil
        }
    }
}
