import Foundation
import Library
import PatchFiles
import Patches
import Testing

/// A link under the name of a patch, a session or preferences may lead to something private.
@Suite("Texts of files over OSC")
struct PrivateFileTests {
    let folder: Folder
    let library: Library

    init() throws {
        folder = try Folder()
        library = Library(
            places: Places(
                workingFolder: folder.file("here"), dataHome: folder.file("data"), stateHome: folder.file("state"),
                configHome: folder.file("config"), cacheHome: folder.file("cache")))
        for name in ["here/patches", "here/sessions", "state/sessions", "config"] { try folder.write("", to: name + "/.keep") }
    }

    /// Files that are something else, in which every word of five letters or more is private.
    static let privates = [
        "hunter: trustno1\n", "root:$6$saltsalt$hashhash:19000:0:99999:7:::\n", "-----BEGIN PRIVATE KEY-----\nMIIEvgIBADANBg\n",
        "[login]\n\tpassword = swordfish\n", "title: swordfish\nlayers: swordfish\nhunter: trustno1\n",
        "{swordfish: [1, 2, &anchor swordfish]}\n",
        "layers: [{swordfish: {carrier: trustno1}}]\n", "format: 9\nqueue: [{swordfish: hunter}]\nplay: {state: swordfish}\n",
        "format: 1\nqueue: [{patch: [swordfish]}]\n", "swordfish: 1\nswordfish: 2\n", "title: sword\u{1}fish swordfish\n", "\"swordfish\n",
        "format: 1 # the last line is ...\nqueue: []\ntitle: swordfish\n", "crossfade: swordfish\noscPort: trustno1\ncrosfade: 1\n",
        "-SE swordfish\nNOW swordfish\n", "swordfish: 200+trustno1/20\nNOW hunter\n", "## trustno1 swordfish",
    ]

    /// Checks that a text contains no word of the file, except common ones.
    private func expectNothing(of text: String, in words: String, besides known: Set<String> = []) {
        let common: Set = ["title", "layers", "format", "queue", "patch", "state", "carrier", "crossfade"]
        for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) where word.count >= 5 {
            if common.union(known).contains(String(word)) { continue }
            #expect(!words.contains(word), "\(words)")
        }
    }

    private func link(_ name: String, to text: String) throws {
        try folder.write(text, to: "private.txt")
        try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: folder.file("private.txt"))
    }

    @Test(
        "For an invalid patch, peers learn the place of the mistake; only the machine's own user sees the line", arguments: privates,
        ["yaml", "sbg"])
    func patches(text: String, ending: String) throws {
        try link("here/patches/mine.\(ending)", to: text)
        let error = #expect(throws: LibraryError.self) { try library.loadPatch("mine") }
        let words = try #require(error).wordsForPeers
        expectNothing(of: text, in: words)
        #expect(words.hasPrefix("patches/mine.\(ending):"), "\(words)")
        #expect(words.contains("'binaural check'"), "\(words)")
        guard case .faulty(let faults) = error else { throw try #require(error) }
        #expect(error?.description == faults.description)
        #expect(error?.description.contains("\n    ") == true || faults.all[0].place.line == 0)
    }

    @Test("For an invalid session, peers learn its name, in the library and where it was saved", arguments: privates)
    func sessions(text: String) throws {
        try link("here/sessions/mine.yaml", to: text)
        do { _ = try library.openSession(named: "mine") } catch { expectNothing(of: text, in: wordsForPeers(error)) }
        unlink(folder.file("here/sessions/mine.yaml"))
        try link("state/sessions/mine.yaml", to: text)
        do {
            let opened = try library.openSession(named: "mine")
            for notice in opened.notices {
                expectNothing(of: text, in: notice.wordsForPeers)
                if case .setAside = notice { #expect(notice.wordsForPeers.contains("'binaural check ")) }
            }
            #expect(try folder.read("private.txt") == text)
        } catch {
            expectNothing(of: text, in: wordsForPeers(error))
        }
    }

    @Test("For invalid preferences, peers learn the place of the mistake", arguments: privates)
    func preferences(text: String) throws {
        try link("config/preferences.yaml", to: text)
        let file = PreferencesFile(path: folder.file("config/preferences.yaml"))
        if let notice = file.load().notice { expectNothing(of: text, in: notice.wordsForPeers) }
        do { try file.save(.init()) } catch { expectNothing(of: text, in: wordsForPeers(error)) }
    }

    @Test("Errors that quote no file are reported unchanged")
    func others() throws {
        let error = #expect(throws: LibraryError.self) { try library.find(.patches, "none") }
        #expect(error?.wordsForPeers == error?.description)
        struct Plain: Error, CustomStringConvertible { let description = "plain" }
        #expect(wordsForPeers(Plain()) == "plain")
    }
}
