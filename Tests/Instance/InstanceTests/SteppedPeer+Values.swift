import InstanceSupport
import OSC
import TestSupport

extension SteppedPeer {
    /// The first value of a property, a number.
    func number(_ address: String) throws -> Double {
        switch try value(address).first {
        case .float(let number): Double(number)
        case .double(let number): number
        case .int32(let number): Double(number)
        default: throw ProgramFailure("\(address) is not a number")
        }
    }

    /// The first value of a property, a text.
    func text(_ address: String) throws -> String {
        guard case .string(let text)? = try value(address).first else { throw ProgramFailure("\(address) is not a text") }
        return text
    }

    /// The texts with an address so far, such as the notices with `log`.
    func texts(_ address: String) -> [String] {
        heard.filter { $0.address == address }.compactMap { if case .string(let text)? = $0.arguments.first { text } else { nil } }
    }
}

extension OSCMessage {
    /// All its texts.
    var text: String {
        arguments.compactMap { if case .string(let text) = $0 { text } else { nil } }.joined(separator: " ")
    }
}
