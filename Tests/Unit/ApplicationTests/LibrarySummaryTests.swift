import Foundation
import Library
import Synchronization
import TestSupport
import Testing

@testable import Application

@Suite("The summary of the library", .ownThread)
struct LibrarySummaryTests {
    @Test("it has genre, comment and course of each patch that can be played, and all who ask meanwhile get the same one")
    func summary() throws {
        let folder = try TemporaryFolder()
        let places = Places(
            workingFolder: folder.path, dataHome: folder.file("home"), dataFolders: [], shipped: [], stateHome: folder.file("state"),
            configHome: folder.file("config"), cacheHome: folder.file("cache"))
        try FileManager.default.createDirectory(atPath: folder.file("home/patches"), withIntermediateDirectories: true)
        let text = "genre: Sleep\ncomment: \(String(repeating: "a", count: 400))\nlayers: [{binaural: {carrier: 200, beat: 40}}]\n"
        try folder.write(text, to: "home/patches/one.yaml")
        try folder.write("layers: nonsense\n", to: "home/patches/broken.yaml")
        let summary = LibrarySummary(Library(places: places))
        let answers = Answers()
        for _ in 0..<20 { summary.make { answers.add($0) } }
        try #require(eventually { answers.all.count == 20 })
        struct Entry: Decodable {
            struct Sketch: Decodable {
                let parameter: String
                let values: [Int]
            }
            let genre: String
            let comment: String
            let sketch: Sketch
        }
        let json = try #require(answers.all[0])
        #expect(answers.all.allSatisfy { $0 == json })
        let entries = try JSONDecoder().decode([String: Entry].self, from: Data(json))
        #expect(Array(entries.keys) == ["one"])
        let one = try #require(entries["one"])
        #expect(one.genre == "Sleep" && one.comment.count == 300)
        #expect(one.sketch.parameter == "beat" && one.sketch.values.allSatisfy { $0 == 100 })
    }
}

/// The summaries that came, from whatever thread.
private final class Answers: Sendable {
    private let list = Mutex<[[UInt8]?]>([])

    var all: [[UInt8]?] { list.withLock { $0 } }

    func add(_ answer: [UInt8]?) { list.withLock { $0.append(answer) } }
}
