import OSC
import Playback

/// The position of a MIDI controller, and its position before.
package struct ControllerPosition: Equatable, Sendable {
    /// The position, 0...127.
    package var value: Int
    /// The position before; `nil` when it is moved for the first time.
    package var before: Int?

    package init(_ value: Int, before: Int?) {
        self.value = value
        self.before = before
    }

    var norm: Double { Double(value) / 127 }
    var isOn: Bool { value >= 64 }

    /// Whether the position presses a button: a knob does so when its value rises to 64 or more, a button with every press.
    var isPress: Bool { isOn && (before.map { $0 < 64 || $0 == value } ?? true) }
}

extension Dispatcher {
    /// Moves an address below the root in the same way as a packet; see ``OSCServer/move(_:to:by:at:answer:)``.
    func move(_ address: String, to position: ControllerPosition, by sender: String, answer: @escaping (CommandResult) -> Void) {
        let path = "\(OSCAddress.root)/\(address)"
        do throws(Refusal) {
            var found = try key("\(path)/norm")
            if found == nil { found = try key(path) }
            guard let key = found, case .commands(let make)? = table.row(key).action,
                let input = table.row(key).inputs.first
            else { throw Refusal(.unknownAddress, "There is no address \(address) that a controller could move.") }
            guard let argument = input.argument(position), let (request, _) = try request(key, [argument], from: nil) else { return }
            let made = try make(request)
            feedback.process { for command in made { commands.pass(command, from: sender, answer: answer) } }
        } catch {
            answer(CommandResult(error.status, error.message))
        }
    }

    private func key(_ address: String) throws(Refusal) -> AddressTable.Key? { try table.key(address, in: state.snapshot.player) }
}

extension Input {
    /// The argument for a controller's position; `nil` if it has no meaning there.
    fileprivate func argument(_ position: ControllerPosition) -> OSCArgument? {
        switch kind {
        case .press: position.isPress ? .int32(1) : nil
        case .flag: .int32(position.isOn ? 1 : 0)
        case .number(let quantity), .bounded(let quantity):
            .double(quantity.range.lowerBound + position.norm * (quantity.range.upperBound - quantity.range.lowerBound))
        // A small range is divided evenly; of a larger one, as many values are reached as a controller has.
        case .integer(let range) where range.count <= 128, .index(let range) where range.count <= 128,
            .exact(let range) where range.count <= 128:
            .int32(Int32(range.lowerBound + Int((position.norm * Double(range.count - 1)).rounded())))
        case .choice(let names): .int32(Int32((position.norm * Double(names.count - 1)).rounded()))
        case .integer, .index, .exact, .note, .entry: .int32(Int32(position.value))
        case .text, .timeTag, .blob: nil
        }
    }
}
