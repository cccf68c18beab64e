import JACK
import Testing

/// The texts of JACK errors: what happened, where, and what to do.
@Suite struct ErrorWordsTests {
    @Test(
        "Every refusal is a sentence with a remedy",
        arguments: [
            (
                JACKError.noServer(name: "default"),
                "Cannot open a JACK client: no server named 'default' is running. Start one first."
            ),
            (
                .cannotOpen(clientName: "binaural", serverName: "studio", status: [.failure, .versionError]),
                "Cannot open the JACK client 'binaural' on the server 'studio': the operation failed, the server's protocol has another version "
                    + "(two JACK versions installed?) (0x401). Check that the server runs as the same user, or restart it."
            ),
            (
                .nameOfServer("studio"),
                "Cannot open a JACK client named 'studio': its server has that name, and would no longer answer afterwards. "
                    + "Choose another name for the client."
            ),
            (
                .cannotRegisterPort(name: "out_left"),
                "Cannot register the port 'out_left': JACK has no free port. Close other clients, or start the server with more ports (jackd -p)."
            ),
            (
                .cannotActivate(clientName: "binaural", code: -1),
                "Cannot activate the JACK client 'binaural': JACK refused it (-1). Restart the JACK server."
            ),
            (
                .cannotConnect(source: "a:b", destination: "c:d", code: -1),
                "Cannot connect 'a:b' to 'c:d': JACK refused it (-1). Check that both ports exist (jack_lsp)."
            ),
            (
                .cannotLocate(frame: 48_000, code: 22),
                "Cannot locate JACK's transport to frame 48000: JACK refused it (22). Check what else controls it (jack_transport)."
            ),
        ])
    func sentence(error: JACKError, words: String) {
        #expect(error.description == words)
    }

    @Test("A failing server is not reported as having another protocol, which has a status of its own")
    func serverError() {
        #expect(OpenStatus([.failure, .serverError]).description == "the operation failed, the server does not answer properly (0x21)")
        #expect(OpenStatus.versionError.description.contains("protocol"))
    }

    @Test("Every status bit of JACK has a description", arguments: (0...12).map { UInt32(1) << $0 })
    func bit(value: UInt32) {
        let words = OpenStatus(rawValue: value).description
        #expect(words.hasSuffix("(0x\(String(value, radix: 16)))"))
        #expect(!words.contains("no reason given"))
    }
}
