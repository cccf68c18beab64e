import Glibc

/// A POSIX extended regular expression for the names of ports, which JACK compiles with regcomp(3).
package enum PortExpression {
    /// regcomp copies a repeated part as often as its largest count, and nested counts multiply: a few dozen characters could take all
    /// memory. All counts of an expression together may copy this often.
    private static let mostCopies = 256
    private static let longest = 1024

    /// Why a text is not a valid expression, worded to follow "it" or a colon; `nil` if it is valid.
    package static func fault(in text: String) -> String? {
        if text.isEmpty { return "it is empty" }
        if text.utf8.count > longest { return "it is longer than \(longest) bytes" }
        if text.utf8.contains(0) { return "it contains a zero character" }
        if let fault = costlyPart(of: Array(text.utf8)) { return fault }
        var expression = regex_t()
        let code = regcomp(&expression, text, REG_EXTENDED | REG_NOSUB)
        if code == 0 {
            regfree(&expression)
            return nil
        }
        var words = [CChar](repeating: 0, count: 256)
        regerror(code, &expression, &words, words.count)
        return String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func costlyPart(of text: [UInt8]) -> String? {
        var (index, copies) = (0, 1)
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\\"):
                // The time that a match with a reference takes can double with every character.
                if index + 1 < text.count, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(text[index + 1]) {
                    return "it refers back to a group, which is not supported"
                }
                index += 1
            case UInt8(ascii: "["): index = endOfBrackets(text, from: index)
            case UInt8(ascii: "{"):
                let counts = text[(index + 1)...].prefix { $0 != UInt8(ascii: "}") }.split(separator: UInt8(ascii: ","))
                let numbers = counts.map { String(decoding: $0, as: UTF8.self) }.filter { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
                // A number that is too long for an integer is too large.
                let most = numbers.map { min(Int($0) ?? mostCopies + 1, mostCopies + 1) }.max() ?? 1
                copies *= max(most, 1)
                if copies > mostCopies { return "its repetition counts multiply to more than \(mostCopies)" }
            default: break
            }
            index += 1
        }
        return nil
    }

    /// The index of the bracket that closes a set of characters, or the last one. A bracket that comes first is a member, and so is one in a
    /// class such as `[:alpha:]`.
    private static func endOfBrackets(_ text: [UInt8], from start: Int) -> Int {
        var index = start + 1
        if index < text.count, text[index] == UInt8(ascii: "^") { index += 1 }
        if index < text.count, text[index] == UInt8(ascii: "]") { index += 1 }
        while index < text.count, text[index] != UInt8(ascii: "]") {
            if text[index] == UInt8(ascii: "["), index + 1 < text.count, ":.=".utf8.contains(text[index + 1]) {
                let kind = text[index + 1]
                index += 2
                while index + 1 < text.count, !(text[index] == kind && text[index + 1] == UInt8(ascii: "]")) { index += 1 }
                index += 1
            }
            index += 1
        }
        return min(index, text.count - 1)
    }
}
