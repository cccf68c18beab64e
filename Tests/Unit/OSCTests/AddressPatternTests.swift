import OSC
import TestSupport
import Testing

@Suite("Address patterns")
struct AddressPatternTests {
    @Test(
        "Patterns match these addresses",
        arguments: [
            ("/layer/*/beat", "/layer/12/beat"), ("/layer/?/beat", "/layer/1/beat"), ("/*", "/"), ("/a*c", "/ac"), ("/a*b*c", "/aXbYbZc"),
            ("/layer/[1-3]/beat", "/layer/2/beat"), ("/layer/[3-1]/beat", "/layer/2/beat"), ("/[!1-3]", "/4"), ("/[a-]", "/-"),
            ("/{carrier,beat}", "/beat"), ("/{be,beat}", "/beat"), ("/{b,be}at", "/beat"), ("/x{}y", "/xy"), ("/plain", "/plain"),
            ("/a]b}", "/a]b}"), ("/**", "/any"), ("//x", "//x"),
        ])
    func matches(pattern: String, address: String) throws {
        #expect(try AddressPattern(pattern).matches(address))
    }

    @Test(
        "Patterns do not match these addresses",
        arguments: [
            ("/layer/*", "/layer/1/beat"), ("/*", "/a/b"), ("/?", "/"), ("/?", "/ab"), ("/[1-3]", "/4"), ("/[!1-3]", "/2"),
            ("/[!1-3]", "/"),
            ("/{carrier,beat}", "/bea"), ("/a*", "/b"), ("/a", "/a/"), ("/a", "a"), ("/[]", "/a"), ("/ab", "/a"), ("/a", "/ab"),
        ])
    func doesNotMatch(pattern: String, address: String) throws {
        #expect(try !AddressPattern(pattern).matches(address))
    }

    @Test(
        "Malformed patterns are refused",
        arguments: [
            ("/a[bc", .unclosedSet), ("/a{b,c", .unclosedAlternatives), ("/a[b/c]", .unclosedSet), ("a*", .noLeadingSlash),
            ("", .noLeadingSlash),
            ("/" + String(repeating: "*", count: 255), .tooLong),
        ] as [(String, AddressPattern.Fault)])
    func malformed(pattern: String, fault: AddressPattern.Fault) {
        #expect(throws: fault) { try AddressPattern(pattern) }
    }

    @Test("Wildcards are distinguished from plain addresses")
    func wildcards() {
        #expect(!AddressPattern.hasWildcards("/binaural/layer/1/beat"))
        for address in ["/a*", "/a?", "/[a]", "/{a}"] { #expect(AddressPattern.hasWildcards(address)) }
    }

    @Test("The matcher agrees with an exhaustive search, on random patterns and addresses")
    func agreesWithBacktracking() throws {
        func naive(_ pattern: Substring, _ text: Substring) -> Bool {
            guard let first = pattern.first else { return text.isEmpty }
            let rest = pattern.dropFirst()
            if first == "*" { return naive(rest, text) || (!text.isEmpty && naive(pattern, text.dropFirst())) }
            return !text.isEmpty && (first == "?" || first == text.first) && naive(rest, text.dropFirst())
        }
        var random = SplitMix64(seed: 5)
        var matched = 0
        for _ in 0..<5_000 {
            let pattern = (0..<Int.random(in: 0...6, using: &random)).map { _ in "ab?*".randomElement(using: &random)! }
            let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in "ab".randomElement(using: &random)! }
            let expected = naive(String(pattern)[...], String(text)[...])
            #expect(try AddressPattern("/" + String(pattern)).matches("/" + String(text)) == expected)
            if expected { matched += 1 }
        }
        #expect(matched > 500)
        #expect(matched < 4_500)
    }

    /// Backtracking never ends over the longer ones.
    @Test(
        "Patterns with explosive backtracking take time in proportion to their length",
        arguments: [("*?", 30), ("*a", 30), ("{a,aa,aaa}", 6)])
    func linearTime(piece: String, count: Int) throws {
        let text = "/" + String(repeating: "a", count: 96)
        let patterns = try [count, 4 * count].map { try AddressPattern("/" + String(repeating: piece, count: $0) + "#") }
        func time(_ pattern: AddressPattern) -> Duration {
            let begin = processorTime()
            let isMatch = pattern.matches(text)
            let time = processorTime() - begin
            #expect(!isMatch)
            return time
        }
        // The best of a few rounds: a single one may include an interrupt.
        let rounds = (0..<9).map { _ in patterns.map(time) }
        let times = [0, 1].map { index in rounds.map { $0[index] }.min()! }
        #expect(times[1] < times[0] * 16, "\(times)")
    }
}
