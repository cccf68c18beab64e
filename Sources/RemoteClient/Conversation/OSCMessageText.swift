import Foundation
import OSC
import OSCRemote

/// A message as typed: an address, then values.
package enum OSCMessageText {
    /// The error of an address; `nil` if it can be sent.
    package static func fault(inAddress address: String) -> String? {
        guard address.isEmpty || !address.allSatisfy({ $0.isASCII && !$0.isWhitespace && $0 != "#" }) else { return nil }
        return "'\(address)' is not a valid OSC address: it must not contain spaces, '#' or non-ASCII characters."
    }

    /// - Parameter address: relative to the root unless it begins with a slash.
    ///   `play NAME` is `queue/play NAME`, and the path of a file becomes absolute.
    package static func message(_ address: String, _ values: some Sequence<String>) -> OSCMessage {
        let row = row(address)
        var message = OSCMessage(
            absolute(address),
            values.enumerated().map { index, value in
                ArgumentText.argument(value, for: row.flatMap { $0.inputs.indices.contains(index) ? $0.inputs[index] : nil })
            })
        guard let row, ["play", "queue/play", "queue/add"].contains(row.path), case .string(let name)? = message.arguments.first else {
            return message
        }
        if row.path == "play" { message.address = Conversation.root + "queue/play" }
        message.arguments[0] = .string(absolutePath(name))
        return message
    }

    /// The absolute path of what can only be a path; names stay as they are.
    private static func absolutePath(_ text: String) -> String {
        guard text.contains("/") || [".yaml", ".yml", ".sbg", ".sbxseq"].contains(where: text.hasSuffix) else { return text }
        return URL(fileURLWithPath: (text as NSString).expandingTildeInPath).standardizedFileURL.path
    }

    /// A correction of wrong values for an address, as a sentence; `nil` if none is found, or the values can be sent.
    package static func fault(in values: [String], to address: String) -> String? {
        ArgumentText.fault(in: values, for: row(address)?.inputs ?? [])
    }

    private static func absolute(_ address: String) -> String { address.hasPrefix("/") ? address : Conversation.root + address }

    private static func row(_ address: String) -> Row? {
        let address = absolute(address)
        guard address.hasPrefix(Conversation.root) else { return nil }
        return AddressTable.standard.row(matching: String(address.dropFirst(Conversation.root.count)))
    }

    /// The words of a line. A word that begins with a quote extends to the next such quote, or the end of the line, and keeps the quotes,
    /// which mark a string.
    package static func words(_ line: String) -> [String] {
        var words: [String] = []
        var rest = line[...]
        while true {
            rest = rest.drop { $0.isWhitespace }
            guard let first = rest.first else { return words }
            if first == "\"" || first == "'" {
                let body = rest.dropFirst().prefix { $0 != first }
                words.append("\(first)\(body)\(first)")
                rest = rest.dropFirst(body.count + 2)
            } else {
                let word = rest.prefix { !$0.isWhitespace }
                words.append(String(word))
                rest = rest.dropFirst(word.count)
            }
        }
    }
}
