import OSC

/// A message as it is typed: an address, then values.
package enum MessageText {
    /// What is wrong with an address; `nil` when it can be sent.
    static func fault(inAddress address: String) -> String? {
        guard address.isEmpty || !address.allSatisfy({ $0.isASCII && !$0.isWhitespace && $0 != "#" }) else { return nil }
        return "'\(address)' is no OSC address: it must not have spaces, '#' or letters beyond ASCII."
    }

    /// - Parameter address: below the root unless it begins with a slash.
    static func message(_ address: String, _ values: some Sequence<String>) -> Message {
        Message(address.hasPrefix("/") ? address : Conversation.root + address, values.map { ArgumentText.argument($0) })
    }

    /// The words of a line. One that begins with a quote goes on to the next such quote, which may be the end of the line, and keeps
    /// both: what stands in quotes is a string.
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
