/// An address with wildcards, as OSC 1.0 defines them; none of them crosses a `/`.
///
/// `?` is any character, `*` any number of characters, `[a-f]` one of a set, `[!a-f]` one outside it, and `{low,high}` one of several
/// strings. Matching keeps the set of positions that can have been reached and never backtracks, so its time is at most proportional to the
/// product of the two lengths.
public struct AddressPattern: Sendable {
    /// The patterns of the parts between slashes.
    public let parts: [Part]
    public let text: String

    /// Maximum length in bytes; longer patterns are refused. No address of this program comes near it.
    public static let maximumLength = 255

    public enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
        case tooLong
        case noLeadingSlash
        /// A `[` without its `]`.
        case unclosedSet
        /// A `{` without its `}`.
        case unclosedAlternatives

        public var description: String {
            switch self {
            case .tooLong: "it has more than \(maximumLength) characters"
            case .noLeadingSlash: "it does not begin with a slash"
            case .unclosedSet: "a [ has no ]"
            case .unclosedAlternatives: "a { has no }"
            }
        }
    }

    public static func hasWildcards(_ address: String) -> Bool { address.utf8.contains(where: isWildcard) }

    /// Parses a pattern. Unpaired closing brackets and commas match themselves.
    public init(_ text: String) throws(Fault) {
        guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
        guard text.utf8.first == UInt8(ascii: "/") else { throw .noLeadingSlash }
        var parts: [Part] = []
        for part in text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            parts.append(try Part(Array(part)))
        }
        self.parts = parts
        self.text = text
    }

    public func matches(_ address: String) -> Bool {
        guard address.utf8.first == UInt8(ascii: "/") else { return false }
        let candidates = address.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return candidates.count == parts.count && zip(parts, candidates).allSatisfy { $0.matches(Array($1)) }
    }

    private static func isWildcard(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "?") || byte == UInt8(ascii: "*") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
    }
}

extension AddressPattern {
    /// The pattern of one part of an address.
    public struct Part: Sendable {
        private let tokens: [Token]

        fileprivate init(_ pattern: [UInt8]) throws(Fault) {
            var tokens: [Token] = []
            var rest = pattern[...]
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "?"): tokens.append(.one)
                case UInt8(ascii: "*"): tokens.append(.many)
                case UInt8(ascii: "["): tokens.append(.set(try CharacterSet(&rest)))
                case UInt8(ascii: "{"):
                    guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { throw .unclosedAlternatives }
                    let strings = rest[..<end].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                    tokens.append(.alternatives(strings.map(Array.init)))
                    rest = rest[(end + 1)...]
                default: tokens.append(.literal(byte))
                }
            }
            self.tokens = tokens
        }

        public func matches(_ text: String) -> Bool { matches(Array(text.utf8)) }

        /// Texts of more than 127 bytes never match; no part of an address is that long.
        public func matches(_ text: [UInt8]) -> Bool {
            guard text.count < UInt128.bitWidth else { return false }
            var reached: UInt128 = 1
            for token in tokens {
                reached = token.advance(reached, in: text)
                if reached == 0 { return false }
            }
            return reached >> UInt128(text.count) & 1 == 1
        }
    }

    private enum Token: Sendable {
        case literal(UInt8)
        case one
        case many
        case set(CharacterSet)
        case alternatives([[UInt8]])

        /// The positions that this token leads to from those in `reached`. Bit i is set if the tokens so far can match text[..<i].
        func advance(_ reached: UInt128, in text: [UInt8]) -> UInt128 {
            switch self {
            case .literal(let byte): return step(reached, in: text) { $0 == byte }
            case .one: return step(reached, in: text) { _ in true }
            case .set(let set): return step(reached, in: text, where: set.contains)
            case .many: return ~0 << UInt128(reached.trailingZeroBitCount) & (~0 >> UInt128(UInt128.bitWidth - 1 - text.count))
            case .alternatives(let strings):
                var next: UInt128 = 0
                for place in 0...text.count where reached >> UInt128(place) & 1 == 1 {
                    for string in strings where text[place...].starts(with: string) { next |= 1 << UInt128(place + string.count) }
                }
                return next
            }
        }

        private func step(_ reached: UInt128, in text: [UInt8], where matches: (UInt8) -> Bool) -> UInt128 {
            var next: UInt128 = 0
            for place in text.indices where reached >> UInt128(place) & 1 == 1 && matches(text[place]) { next |= 2 << UInt128(place) }
            return next
        }
    }

    /// A set of ASCII characters, one bit for each of the 128.
    private struct CharacterSet: Sendable {
        private var low: UInt64 = 0
        private var high: UInt64 = 0

        /// Removes the set and its `]` from the front of `pattern`, whose `[` has been removed already.
        init(_ pattern: inout ArraySlice<UInt8>) throws(Fault) {
            guard let end = pattern.firstIndex(of: UInt8(ascii: "]")) else { throw .unclosedSet }
            var members = pattern[..<end]
            pattern = pattern[(end + 1)...]
            let isNegated = members.first == UInt8(ascii: "!")
            if isNegated { members.removeFirst() }
            while let first = members.popFirst() {
                guard members.count >= 2, members.first == UInt8(ascii: "-") else {
                    insert(first...first)
                    continue
                }
                members.removeFirst()
                let last = members.removeFirst()
                insert(min(first, last)...max(first, last))
            }
            if isNegated { (low, high) = (~low, ~high) }
        }

        func contains(_ byte: UInt8) -> Bool {
            byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte - 64) & 1 == 1
        }

        private mutating func insert(_ range: ClosedRange<UInt8>) {
            for byte in range where byte < 128 {
                if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
            }
        }
    }
}
