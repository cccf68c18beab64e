import Foundation

/// A folder of one test, removed with its contents when the test releases it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        // Without links and double slashes, as a program that asks for its own folder sees it.
        let parent = URL(filePath: NSTemporaryDirectory()).resolvingSymlinksInPath().standardizedFileURL.path
        var template = Array("\(parent)/binaural-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw ProgramFailure("cannot make a folder in \(parent): \(String(cString: strerror(errno)))")
        }
        path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Writes a file, with the folders above it, and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        let target = URL(filePath: file(name))
        try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: target)
        return target.path
    }

    package func read(_ name: String) throws -> String {
        try String(contentsOf: URL(filePath: file(name)), encoding: .utf8)
    }
}
