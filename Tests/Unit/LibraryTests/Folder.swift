import Foundation
import Library
import Patches

/// A temporary folder for a test, removed at the end.
final class Folder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "binaural-library-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.resolvingSymlinksInPath().path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ text: String, to name: String) throws {
        let url = URL(filePath: file(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    func read(_ name: String) throws -> String { String(decoding: try Data(contentsOf: URL(filePath: file(name))), as: UTF8.self) }

    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
}

func session(_ title: String, rating: Double? = nil) -> Session {
    var item = Session.Item(patch: "welcome")
    item.rating = rating
    return Session(title: title, items: [item])
}
