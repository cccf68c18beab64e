import Foundation
import Synchronization

/// Writes measurements to the test's log, and as a line to the file in BINAURAL_FIGURES.
package enum Figures {
    private static let writing = Mutex<Void>(())

    package static func report(_ name: String, _ value: String) {
        writing.withLock { _ in
            print("figure: \(name): \(value)")
            guard let path = ProcessInfo.processInfo.environment["BINAURAL_FIGURES"] else { return }
            if !FileManager.default.fileExists(atPath: path) { _ = FileManager.default.createFile(atPath: path, contents: nil) }
            guard let file = FileHandle(forWritingAtPath: path) else { return }
            file.seekToEndOfFile()
            file.write(Data("\(name): \(value)\n".utf8))
            try? file.close()
        }
    }

    package static func text(_ value: Double, _ digits: Int = 1) -> String {
        String(format: "%.\(digits)f", value)
    }
}
