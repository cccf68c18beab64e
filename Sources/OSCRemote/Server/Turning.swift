import OSC
import Playback

/// Where a controller of a MIDI device stands, and stood before.
package struct ControllerPosition: Equatable, Sendable {
    /// 0...127.
    package var value: Int
    /// `nil` before it was moved for the first time.
    package var before: Int?

    package init(_ value: Int, before: Int?) {
        self.value = value
        self.before = before
    }

    var norm: Double { Double(value) / 127 }
    var isOn: Bool { value >= 64 }

    /// A knob that is turned up presses once on its way, a button at every press.
    var isPress: Bool { isOn && (before.map { $0 < 64 || $0 == value } ?? true) }
}

/// Addresses that are moved by something else than packets, in the same way.
extension RemoteServer {
    /// A controller moves an address below the root over its range, on the curve of its twin where it has one.
    ///
    /// - Parameters:
    ///   - hand: whose move it is, for undo and for those who hold the control.
    ///   - answer: how that went; not called for what a release does not mean.
    package func turn(
        _ address: String, to position: ControllerPosition, by hand: String, at now: Instant, answer: @escaping (CommandResult) -> Void
    ) {
        self.now = now
        arrival = now.timeTag
        let path = "\(AddressTable.root)/\(address)"
        guard let key = table.key("\(path)/norm") ?? table.key(path), case .commands(let make)? = table.row(key).action,
            let input = table.row(key).inputs.first
        else { return answer(CommandResult(.unknownAddress, "There is no address \(address) to be moved by a controller.")) }
        do throws(Refusal) {
            guard let argument = input.argument(position), let (request, _) = try request(key, [argument], from: nil) else { return }
            let commands = try make(request)
            process { for command in commands { give(command, from: hand, answer: answer) } }
        } catch {
            answer(CommandResult(error.status, error.message))
        }
    }
}

extension Input {
    /// What a controller says at a position; `nil` where it says nothing.
    fileprivate func argument(_ position: ControllerPosition) -> Argument? {
        switch kind {
        case .press: position.isPress ? .int32(1) : nil
        case .flag: .int32(position.isOn ? 1 : 0)
        case .number(let quantity), .bounded(let quantity):
            .double(quantity.range.lowerBound + position.norm * (quantity.range.upperBound - quantity.range.lowerBound))
        // Few steps share the way; of more, as many as a controller has.
        case .integer(let range) where range.count <= 128, .index(let range) where range.count <= 128,
            .exact(let range) where range.count <= 128:
            .int32(Int32(range.lowerBound + Int((position.norm * Double(range.count - 1)).rounded())))
        case .choice(let names): .int32(Int32((position.norm * Double(names.count - 1)).rounded()))
        case .integer, .index, .exact, .note, .entry: .int32(Int32(position.value))
        case .text, .timeTag, .blob: nil
        }
    }
}
