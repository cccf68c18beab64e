import RemoteClient
import Testing

@Suite("Completion of addresses")
struct AddressCompletionTests {
    @Test(
        "addresses are completed one part at a time",
        arguments: [
            ("", ["play", "layer/", "now/", "meter", "mute"]),
            ("m", ["meter", "mute"]),
            // With only one choice, its parts are offered at once.
            ("n", ["now/rate", "now/title"]),
            ("lay", ["layer/count", "layer/1/", "layer/2/"]),
            ("layer/2", ["layer/2/beat"]),
            // An address with children: itself, and its children.
            ("layer/1/b", ["layer/1/beat", "layer/1/beat/norm"]),
            ("layer/1/", ["layer/1/beat", "layer/1/gain"]),
            ("play", ["play", "play/enabled"]),
            ("now/t", ["now/title"]),
            ("x", []),
        ])
    func parts(beginning: String, expected: [String]) {
        let addresses = [
            "play", "play/enabled", "layer/count", "layer/1/beat/norm", "layer/1/beat", "layer/1/gain", "layer/2/beat", "now/rate",
            "now/title", "meter", "mute",
        ]
        let all = addresses.map { AddressCompletion.Candidate($0, "What \($0) is.") }
        let found = AddressCompletion.candidates(for: beginning, among: all)
        #expect(found.map(\.text) == expected)
        for candidate in found { #expect(candidate.summary == (candidate.text.hasSuffix("/") ? "" : "What \(candidate.text) is.")) }
    }
}
