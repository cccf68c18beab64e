import Foundation
import OSC
import TestSupport
import Testing

@testable import Application

@Suite("The file with the address")
struct AddressFileTests {
    private let endpoint = Endpoint(host: .loopback, port: 7830)

    @Test("it is written where that is possible, without a word")
    func written() throws {
        let folder = try TemporaryFolder()
        let file = AddressFile("tones", endpoint, environment: ["XDG_RUNTIME_DIR": folder.path])
        #expect(file.write() == nil)
        #expect(try String(contentsOfFile: folder.file("binaural/tones.url"), encoding: .utf8) == "osc.udp://127.0.0.1:7830/\n")
    }

    @Test("where it cannot be written, the sentence says what ctl needs instead")
    func refused() {
        let file = AddressFile("tones", endpoint, environment: ["XDG_RUNTIME_DIR": "/dev/null"])
        #expect(
            file.write()
                == "Cannot write /dev/null/binaural: Not a directory. Without that file, 'ctl' and 'watch' need --to 127.0.0.1:7830 to find this instance."
        )
    }
}
