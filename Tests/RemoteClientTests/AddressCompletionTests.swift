import RemoteClient
import Testing

@Suite("Completion of addresses")
struct AddressCompletionTests {
    @Test(
        "addresses are completed a part at a time",
        arguments: [
            ("", ["play", "layer/", "now/", "meter", "mute"]),
            ("m", ["meter", "mute"]),
            // Nothing to choose: what follows is offered.
            ("n", ["now/rate", "now/title"]),
            ("lay", ["layer/count", "layer/1/", "layer/2/"]),
            ("layer/2", ["layer/2/beat"]),
            // An address that goes on: itself, and what is behind it.
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
