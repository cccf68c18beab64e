import RemoteClient
import Testing

@Suite("A message as typed")
struct MessageTextTests {
    @Test(
        "a line is split into words; quoted text is one word, and keeps its quotes",
        arguments: [
            ("", []), ("   ", []), ("play", ["play"]), ("  layer/1/beat \t4  10 ", ["layer/1/beat", "4", "10"]),
            (#"session/load "deep sleep" x"#, ["session/load", #""deep sleep""#, "x"]), ("a 'b \"c' d", ["a", "'b \"c'", "d"]),
            (#"a "7""#, ["a", #""7""#]), (#"a "open end"#, ["a", #""open end""#]), (#"a """#, ["a", #""""#]),
        ])
    func words(line: String, expected: [String]) { #expect(MessageText.words(line) == expected) }
}
