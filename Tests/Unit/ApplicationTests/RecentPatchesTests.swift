import Foundation
import Library
import Patches
import TestSupport
import Testing

@testable import Application

@Suite("Patches that were added last")
struct RecentPatchesTests {
    private func storage(_ patch: Patch) -> UnsafeRawPointer? { patch.layers.withUnsafeBytes { $0.baseAddress } }

    @Test("a patch that is added again is not read again, unless its file has changed")
    func readOnce() throws {
        let folder = try TemporaryFolder()
        let places = Places(
            workingFolder: folder.path, dataHome: folder.file("home"), dataFolders: [], shipped: [], stateHome: folder.file("state"),
            configHome: folder.file("config"), cacheHome: folder.file("cache"))
        let library = Library(places: places)
        let path = try folder.write("layers: [{tone: {carrier: 200}}]\n", to: "tone.yaml")
        let entry = try library.find(.patches, path)
        let recent = RecentPatches()
        let first = try recent.patch(entry, in: library)
        #expect(storage(try recent.patch(entry, in: library)) == storage(first))
        try folder.write("layers: [{tone: {carrier: 300.5}}]\n", to: "tone.yaml")
        #expect(try recent.patch(entry, in: library).layers[0].values[.carrier] == 300.5)
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: LibraryError.self) { try recent.patch(entry, in: library) }
    }

    @Test("the eight patches that were added last are kept")
    func limit() throws {
        let folder = try TemporaryFolder()
        let places = Places(
            workingFolder: folder.path, dataHome: folder.file("home"), dataFolders: [], shipped: [], stateHome: folder.file("state"),
            configHome: folder.file("config"), cacheHome: folder.file("cache"))
        let library = Library(places: places)
        let entries = try (0..<9).map { try library.find(.patches, try folder.write("layers: [{tone: {}}]\n", to: "\($0).yaml")) }
        let recent = RecentPatches()
        let patches = try entries.map { try recent.patch($0, in: library) }
        #expect(storage(try recent.patch(entries[1], in: library)) == storage(patches[1]))
        #expect(storage(try recent.patch(entries[0], in: library)) != storage(patches[0]))
    }
}
