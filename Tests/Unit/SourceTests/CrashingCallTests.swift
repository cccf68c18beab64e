import Foundation
import TestSupport
import Testing

/// Calls of Foundation and the language that end the program on an error of the system, such as a full disk behind standard error.
@Suite("Calls that crash")
struct CrashingCallTests {
    static let calls = [
        "FileHandle.standardError", "FileHandle.standardOutput", ".availableData", ".readDataToEndOfFile", ".synchronizeFile", "try! ",
    ]

    @Test("no source has a call that crashes on an error of the system")
    func none() throws {
        let folder = PackageRoot.file("Sources")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
        #expect(!files.isEmpty)
        for file in files {
            let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            for call in Self.calls { #expect(!text.contains(call), "\(file): \(call)") }
        }
    }
}
