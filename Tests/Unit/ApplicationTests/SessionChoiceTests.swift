import Foundation
import Library
import TestSupport
import Testing

@testable import Application

@Suite("The session that play opens")
struct SessionChoiceTests {
    private let folder: TemporaryFolder
    private let library: Library

    init() throws {
        folder = try TemporaryFolder()
        library = Library(
            places: Places(
                workingFolder: folder.file("here"), dataHome: folder.file("home"), dataFolders: [], shipped: [folder.file("shipped")],
                stateHome: folder.file("state"), configHome: folder.file("config"), cacheHome: folder.file("cache")))
        try add(["shipped/sessions/welcome.yaml"])
    }

    private func add(_ places: [String]) throws {
        for place in places {
            let url = URL(filePath: folder.file(place))
            try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("format: 1\nqueue: []\n".utf8).write(to: url)
        }
    }

    @Test("A session of patches has its name as title, and \"queue\" if it was not named")
    func titles() throws {
        let patch = folder.file("rain.yaml")
        try Data("layers: [{tone: {}}]\n".utf8).write(to: URL(filePath: patch))
        let file = SessionPlace.file(folder.file("sets/dawn.yaml"))
        for (place, title) in [(SessionPlace.name("dusk.1"), "dusk.1"), (file, "dawn"), (nil, "queue")] {
            let choice = try SessionChoice.make([patch], place: place, startSession: "", library: library) { Issue.record("\($0)") }
            #expect(choice.initial.title == title)
        }
    }

    @Test("Beside an instance that has the session open, another one gets a numbered session, which is not the one to continue")
    func besideOthers() throws {
        let patch = folder.file("rain.yaml")
        try Data("layers: [{tone: {}}]\n".utf8).write(to: URL(filePath: patch))
        func choice(_ items: [String]) throws -> SessionChoice {
            try SessionChoice.make(items, place: nil, startSession: "", library: library) { Issue.record("\($0)") }
                .besideOthers(in: library)
        }
        #expect(try choice([patch]).name == "queue")
        let first = try SessionStore.open(file: choice([patch]).file, initial: choice([patch]).initial)
        try first.store.save(first.session, .change, at: 0)
        let second = try choice([patch])
        #expect(second.name == "queue-2" && second.remembered == nil && second.queue?.map(\.patch) == [patch])
        let other = try SessionStore.open(file: second.file, initial: second.initial)
        #expect(try choice([patch]).name == "queue-3")
        other.store.close()
        // Without anything to play, it begins as a copy.
        try library.rememberLastSession("queue")
        let copy = try choice([])
        #expect(copy.name == "queue-2" && copy.initial.items.map(\.patch) == [patch])
        first.store.close()
        #expect(try choice([patch]).name == "queue")
    }

    @Test("A patch of the command line is read once: it is in the queue although its file has vanished since")
    func readOnce() throws {
        let patch = folder.file("rain.yaml")
        try Data("layers: [{tone: {}}]\n".utf8).write(to: URL(filePath: patch))
        let choice = try SessionChoice.make([patch], place: nil, startSession: "", library: library) { Issue.record("\($0)") }
        try FileManager.default.removeItem(atPath: patch)
        let queue = choice.initial.queue(library, relativeTo: nil, read: choice.patches)
        #expect(queue.map { $0.patch?.layers.count } == [1])
    }

    @Test("A patch is the same by every spelling of its path: the files that it names have one path each")
    func spelling() throws {
        let patch = folder.file("here/rain.yaml")
        try add(["here/rain.yaml"])
        try Data("artwork: cover.png\nlayers: [{file: {path: rain.wav}}]\n".utf8).write(to: URL(filePath: patch))
        let queues = try [patch, "./rain.yaml", folder.file("here/../here/rain.yaml")].map { argument in
            let choice = try SessionChoice.make([argument], place: nil, startSession: "", library: library) { Issue.record("\($0)") }
            return choice.initial.queue(library, relativeTo: nil, read: choice.patches).map(\.patch)
        }
        #expect(queues[0].first??.layers.first?.path == folder.file("here/rain.wav"))
        #expect(queues.allSatisfy { $0 == queues[0] }, "\(queues)")
    }

    @Test("If the session played last is gone, the first one is opened, with a warning that names both")
    func goneLast() throws {
        try library.rememberLastSession("night")
        var warnings: [String] = []
        let choice = try SessionChoice.make([], place: nil, startSession: "", library: library) { warnings.append($0) }
        #expect(choice.name == "welcome")
        #expect(
            warnings == [
                "The session 'night', which was played last, is gone: 'welcome' is opened. `binaural list` shows all sessions."
            ])
    }

    @Test(
        "If the session that the preference startSession names is gone, the one played last is opened, with a warning that names the file")
    func gonePreferred() throws {
        try add(["state/sessions/night.yaml"])
        try library.rememberLastSession("night")
        var warnings: [String] = []
        let choice = try SessionChoice.make([], place: nil, startSession: "welcmoe", library: library) { warnings.append($0) }
        #expect(choice.name == "night")
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("Did you mean 'welcome'?") == true, "\(warnings)")
        // It may also be the one played last.
        try library.rememberLastSession("welcmoe")
        #expect(try SessionChoice.make([], place: nil, startSession: "welcmoe", library: library) { warnings.append($0) }.name == "welcome")
        #expect(warnings.count == 2, "\(warnings)")
        #expect(warnings.first?.contains("preferences.yaml names it: another session is opened.") == true, "\(warnings)")
    }

    @Test("If the name of the session played last is damaged, the first one is opened, with a warning; without one, there is none")
    func unknownLast() throws {
        var warnings: [String] = []
        func choose() throws -> String {
            try SessionChoice.make([], place: nil, startSession: "", library: library) { warnings.append($0) }.name
        }
        #expect(try choose() == "welcome")
        #expect(warnings == [])
        try library.rememberLastSession("night")
        let file = folder.file("state/last-session")
        try Data("nig".utf8).write(to: URL(filePath: file))
        #expect(try choose() == "welcome")
        #expect(
            warnings == [
                "The session that was played last is not known: 'welcome' is opened. `binaural list` shows all sessions. There is no name of a session in \(file)."
            ])
    }

    @Test(
        "A session of which only an older state is left is continued from it, however it is named",
        arguments: ["night", "welcome"], [false, true])
    func onlyGenerations(name: String, isNamed: Bool) throws {
        try add(["state/sessions/\(name).yaml.2"])
        try library.rememberLastSession(name)
        let place = isNamed ? SessionPlace.name(name) : nil
        let choice = try SessionChoice.make([], place: place, startSession: "", library: library) { Issue.record("\($0)") }
        #expect(choice.name == name)
        #expect(choice.file == folder.file("state/sessions/\(name).yaml"))
        #expect(!choice.starts)
        let opened = try SessionStore.open(file: choice.file, initial: choice.initial)
        #expect(opened.notices == [.missing(file: choice.file, loaded: choice.file + ".2")])
        // The same for a session that is loaded while another one is open.
        opened.store.close()
        try FileManager.default.removeItem(atPath: choice.file)
        #expect(try library.openSession(named: name).notices == opened.notices)
    }
}
