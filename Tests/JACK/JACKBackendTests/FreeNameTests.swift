import JACK
import Testing

/// PipeWire allows several clients with one name; the program numbers its own as jackd does.
@Suite("Names of clients under PipeWire")
struct FreeNameTests {
    @Test(
        "the name of a client with ports gets the first free number",
        arguments: [
            ([], "binaural"), (["system:playback_1", "binaural-x:in", "binaural2:in"], "binaural"), (["binaural:out_left"], "binaural-01"),
            (["binaural:out_left", "binaural:out_right", "binaural-01:out_left", "binaural-47:out_left"], "binaural-02"),
            (["binaural:in"] + (1...9).map { "binaural-0\($0):in" }, "binaural-10"),
        ] as [([String], String)])
    func numbered(ports: [String], name: String) {
        #expect(firstFreeName(like: "binaural", ports: ports) == name)
    }
}
