import Foundation
import OSC
import OSCRemote
import Patches
import Terminal

/// The text shown after a successful command: the value that was reached, or what is playing now.
package struct CommandReport {
    private let channel: InstanceChannel
    /// Seconds to wait for each answer.
    private let wait: Double

    package init(over channel: InstanceChannel, wait: Double) {
        self.channel = channel
        self.wait = wait
    }

    /// - Parameters:
    ///   - replies: the successes of `message`, one for each address that it reached.
    ///   - other: gets other messages that arrive meanwhile.
    package func lines(_ replies: [OSCMessage], to message: OSCMessage, other: (OSCMessage) -> Void = { _ in }) -> [String] {
        var lines: [String] = []
        var showsNow = false
        for reply in replies {
            guard case .string(let address)? = reply.arguments.first else { continue }
            let path = ReadableText.path(address)
            guard let row = AddressTable.standard.row(at: path) else {
                lines.append("\(path): done")
                continue
            }
            if let result = result(of: row, other) {
                lines.append(result)
            } else if row.path == "position" || AddressTable.standard.movesPlaying(row) {
                showsNow = true
            } else {
                let reached = row.access == .write ? nil : answers(to: address, other) { $0 == address }.last
                lines.append(reached.map { Self.reached($0, row, after: message) } ?? "\(path): done")
            }
        }
        if showsNow { lines.append(nowPlaying(other)) }
        return lines
    }

    /// The value read after a command, and what was asked for if that is something else.
    static func reached(_ answer: OSCMessage, _ row: Row, after message: OSCMessage) -> String {
        var line = ReadableText.lines(answer).joined()
        if let index = row.inputs.firstIndex(where: { $0.name == "ramp" }), message.arguments.indices.contains(index),
            let seconds = message.arguments[index].number, seconds > 0
        {
            line += " in " + (seconds >= 60 ? DurationText.string(from: seconds) : "\(ReadableText.rounded(seconds)) s")
        }
        if row.appliesAtNextStart { line += " (from the next start on)" }
        let pairs = zip(row.inputs.prefix { !$0.isOptional && $0.isNumber }, zip(message.arguments, answer.arguments))
        guard pairs.contains(where: { differs($0.quantity, $1.0, $1.1) }) else { return line }
        return line + " (asked for \(pairs.map { asked($1.0, $0.quantity) }.joined(separator: " ")))"
    }

    /// Whether a number was not reached; a time changes by itself, so a second is tolerated.
    private static func differs(_ quantity: Quantity?, _ asked: OSCArgument, _ reached: OSCArgument) -> Bool {
        guard let one = asked.number, let other = reached.number else { return false }
        if quantity?.isTime == true { return abs(one - other) > 1 }
        return ReadableText.rounded(Double(Float(one))) != ReadableText.rounded(Double(Float(other)))
    }

    private static func asked(_ argument: OSCArgument, _ quantity: Quantity?) -> String {
        let text = ReadableText.value(argument, quantity, withUnit: false)
        // A level above full scale is written with its sign.
        return quantity?.unit == "dB" && argument.number ?? 0 > 0 ? "+" + text : text
    }

    /// The result of a command from the instance's last notice, such as `undone: layer/bed/gain -20 dB`; `nil` if it is not about that.
    private func result(of row: Row, _ other: (OSCMessage) -> Void) -> String? {
        // A shake is whatever the preference says.
        let command = row.path == "shake" ? text(at: "preferences/shake", other) : row.path
        let beginnings = ["undo": "Undone", "redo": "Redone", "jack/forget": "Forgot"]
        guard let beginning = command.flatMap({ beginnings[$0] }), let notice = text(at: "log", other), notice.hasPrefix(beginning) else {
            return nil
        }
        // A value has no full stop.
        let words = (notice.hasSuffix(".") ? String(notice.dropLast()) : notice).printable
        return words.prefix(1).lowercased() + words.dropFirst()
    }

    /// The text that an address answers.
    private func text(at path: String, _ other: (OSCMessage) -> Void) -> String? {
        let address = Conversation.root + path
        guard case .string(let text)? = answers(to: address, other, where: { $0 == address }).last?.arguments.first else { return nil }
        return text
    }

    /// A line with what is playing, such as `playing Deep alpha, 2/3 Theta, 1:40 / 30:00`.
    private func nowPlaying(_ other: (OSCMessage) -> Void) -> String {
        var playing = ReceivedNowPlaying()
        for message in answers(to: Conversation.root + "now/*", other, where: { $0.hasPrefix(ReceivedNowPlaying.root) }) {
            playing.take(message.address.dropFirst(ReceivedNowPlaying.root.count), message.arguments)
        }
        return playing.line
    }

    private func answers(to address: String, _ other: (OSCMessage) -> Void, where isAnswer: (String) -> Bool) -> [OSCMessage] {
        var answers: [OSCMessage] = []
        var conversation = Conversation(OSCMessage(address))
        _ = conversation.hold(over: channel, wait: wait) { message in
            if isAnswer(message.address) { answers.append(message) } else { other(message) }
        }
        return answers
    }
}

extension Input {
    /// Whether the argument is a number whose value can be compared with the one that was reached.
    fileprivate var isNumber: Bool {
        switch kind {
        case .number, .bounded, .integer, .index, .exact: true
        case .press, .flag, .choice, .text, .note, .entry, .timeTag, .blob: false
        }
    }
}
