import Foundation
import PatchFiles
import Patches
import Pictures
import TestSupport
import Testing

@testable import Application

@Suite("generated artwork")
struct ArtworkTests {
    private let folder: TemporaryFolder
    private let cache: ArtworkCache

    init() throws {
        folder = try TemporaryFolder()
        cache = ArtworkCache(folder: folder.file("cache/artwork"))
    }

    private func patch(_ carrier: Double) throws -> Patch {
        try Patch.parse("layers: [{tone: {carrier: \(carrier)}}]\n", file: "p.yaml")
    }

    private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.file("cache/artwork")).sorted() }

    @Test("a patch is drawn once, a changed one again")
    func once() throws {
        let path = try cache.file(for: patch(200))
        #expect(try Data(contentsOf: URL(filePath: path)).prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        // An existing picture is used unchanged.
        #expect(try cache.file(for: patch(200)) { _, path throws(PictureError) in Issue.record("\(path) is drawn again.") } == path)
        #expect(try cache.file(for: patch(201)) != path)
        #expect(try files().count == 2)
    }

    @Test("a damaged picture is drawn again, whether it was cut short or any of its bytes has changed")
    func damaged() throws {
        let path = try cache.file(for: patch(200))
        let url = URL(filePath: path)
        let whole = try Data(contentsOf: url)
        var damages = [Data(), Data("kept".utf8), whole.dropLast(1), whole + [0]]
        for place in [0, 12, 20, whole.count / 2, whole.count - 6] {
            var damaged = whole
            damaged[place] ^= 0x10
            damages.append(damaged)
        }
        for damaged in damages {
            try damaged.write(to: url)
            #expect(try cache.file(for: patch(200)) == path)
            #expect(try Data(contentsOf: url) == whole)
        }
    }

    @Test("the least recently used picture makes room")
    func room() throws {
        let used = try cache.file(for: patch(200))
        let old = (0..<ArtworkCache.limit).map { folder.file("cache/artwork/old\($0).png") }
        for (index, file) in old.enumerated() {
            try Data().write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: Double(index))], ofItemAtPath: file)
        }
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: used)
        #expect(try cache.file(for: patch(200)) == used)
        let new = try cache.file(for: patch(300))
        let left = try files()
        #expect(left.count == ArtworkCache.limit)
        for file in [used, new] { #expect(FileManager.default.fileExists(atPath: file)) }
        for file in old.prefix(2) { #expect(!FileManager.default.fileExists(atPath: file)) }
    }

    @Test("if no folder can be created, no file is left, and the reason is reported")
    func unwritable() throws {
        try Data().write(to: URL(filePath: folder.file("cache")))
        let error = #expect(throws: PictureError.self) { try cache.file(for: patch(200)) }
        #expect(error == .cannotCreate(path: folder.file("cache/artwork"), reason: "not a directory"))
    }
}
