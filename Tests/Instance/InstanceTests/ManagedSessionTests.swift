import Application
import Foundation
import InstanceSupport
import JACKBackend
import OSC
import TestSupport
import Testing

@Suite("Sessions of a session manager")
struct ManagedSessionTests {
    private static let header = "# Preferences of binaural; comments are lost when the program writes this file.\n"
    private static let outputs = ["system:playback_1", "system:playback_2"]

    private let home: InstanceHome
    private let manager = MemorySessionManager()
    private let instance: SteppedInstance
    private let peer: SteppedPeer

    init() throws {
        home = try InstanceHome.withLibrary()
        try home.write("crossfade: 2\nhologram: 3\n", to: "config/preferences.yaml")
        instance = try home.start("one", of: manager)
        peer = SteppedPeer(instance)
    }

    private func request(_ name: String, at path: String? = nil) -> SessionManagerRequest {
        .open(path: path ?? home.folder.file("sessions/\(name)"), displayName: name, clientID: "binaural.\(name)")
    }

    /// Opens a session, which applies when the manager hears that it is open.
    private func open(_ name: String) throws {
        #expect(manager.ask(instance, request(name)).last == .opened("Opened."), "\(name)")
        try #expect(peer.value("info").first == .string("binaural.\(name)"))
    }

    private func number(_ preference: String) throws -> Float? {
        if case .float(let value)? = try peer.value("preferences/\(preference)").first { value } else { nil }
    }

    private func file(_ name: String) throws -> String { try home.folder.read("sessions/\(name)/preferences.yaml") }

    /// The ports that the outputs are connected to.
    private func connections() throws -> [String] {
        try peer.value("jack/connections").compactMap { if case .string(let text) = $0, text.hasPrefix("system:") { text } else { nil } }
    }

    @Test("Each has preferences of its own, which apply while it is open; a new one begins with the user's, whose file is not written")
    func preferences() async throws {
        try #expect(number("crossfade") == 2)
        try #expect(peer.perform("preferences/shortFade", .float(0.05)) == 0)
        try #expect(peer.perform("preferences/skipIntervals", .float(5)) == 0)
        try home.write("shortFade: 0.3\nskipIntervals: [7, 8]\nbuttonHold: 0.5\nconnect: none\n", to: "sessions/two/preferences.yaml")
        peer.send("subscribe", .string("session"))
        instance.pass(seconds: 0.1)
        // It is still being saved when the session is left.
        try #expect(peer.perform("preferences/buttonWindow", .float(0.4)) == 0)
        let count = peer.heard.count
        try open("two")
        instance.pass(seconds: 0.1)
        let sent = Set(peer.heard[count...].map(\.address).filter { $0.hasPrefix("preferences/") })
        #expect(
            sent.isSuperset(of: ["preferences/crossfade", "preferences/shortFade", "preferences/skipIntervals", "preferences/buttonWindow"])
        )
        #expect(sent.isDisjoint(with: ["preferences/buttonHold", "preferences/shake", "preferences/oscPort"]), "\(sent)")
        try #expect(peer.value("skip/intervals") == [.float(7), .float(8)])
        #expect(instance.device.choice == ConnectionChoice.none)
        try #expect(peer.perform("preferences/buttonHold", .float(1.5)) == 0)

        try open("three")
        #expect(instance.device.choice == .automatic)
        try #expect(number("crossfade") == 2 && number("shortFade") == 0.02 && number("buttonHold") == 0.5)
        try #expect(peer.perform("preferences/crossfade", .float(4)) == 0)

        try open("one")
        try #expect(number("crossfade") == 2 && number("shortFade") == 0.05 && number("buttonWindow") == 0.4)
        try #expect(peer.value("skip/intervals") == [.float(5)])
        try await instance.end(discardingChanges: true)
        try #expect(file("one") == Self.header + "skipIntervals: [5]\nbuttonWindow: 0.4\nshortFade: 0.05\ncrossfade: 2\nhologram: 3\n")
        try #expect(file("two") == Self.header + "skipIntervals: [7, 8]\nbuttonHold: 1.5\nshortFade: 0.3\nconnect: none\n")
        try #expect(file("three") == Self.header + "crossfade: 4\nhologram: 3\n")
        try #expect(home.folder.read("config/preferences.yaml") == "crossfade: 2\nhologram: 3\n")
    }

    @Test("The connections of one are not those of another, and come back with it")
    func connectionsAreSeparate() async throws {
        try #expect(peer.perform("jack/connect", .string("out_left"), .string(Self.outputs[0])) == 0)
        try open("two")
        try #expect(connections() == [])
        try #expect(peer.perform("jack/connect", .string("out_right"), .string(Self.outputs[1])) == 0)
        try open("one")
        try #expect(connections() == [Self.outputs[0]])
        try #expect(peer.perform("jack/disconnect", .string("out_left"), .string(Self.outputs[0])) == 0)
        try open("two")
        try #expect(connections() == [Self.outputs[1]])
        try open("one")
        try #expect(connections() == [])
        try await instance.end()
    }

    @Test("--connect applies to each of them, and changes the connections of none")
    func chosenConnections() async throws {
        try #expect(peer.perform("jack/connect", .string("out_left"), .string(Self.outputs[0])) == 0)
        try open("two")
        try await instance.end()
        let manager = MemorySessionManager()
        let later = try home.start("one", of: manager, "--connect", "none")
        let ear = SteppedPeer(later)
        func isConnected() throws -> Bool { try ear.value("jack/connections").contains(.string(Self.outputs[0])) }
        try #expect(!isConnected())
        for name in ["two", "one"] {
            #expect(manager.ask(later, request(name)).last == .opened("Opened."))
            #expect(later.device.choice == ConnectionChoice.none)
            try #expect(!isConnected())
        }
        try await later.end()
        try #expect(home.folder.read("sessions/one/session.yaml").contains("to: \(Self.outputs[0])"))
    }

    @Test("The open session under another spelling of its path stays as it is, with its JACK client")
    func spellings() throws {
        let folder = home.folder.file("sessions")
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "one")
        for path in ["\(folder)/one/", "\(folder)//one", "\(folder)/./one", "\(folder)/link"] {
            let heard = manager.ask(instance, request("one", at: path))
            #expect(heard.last == .opened("Opened."), "\(path): \(heard)")
            #expect(!heard.contains { if case .text(let text, _) = $0 { text.contains("reopened") } else { false } }, "\(heard)")
        }
    }

    @Test("A request for another one before the first is open is refused as not now; then that one can be opened")
    func oneAtATime() throws {
        let heard = manager.ask(instance, request("two"), request("six"), request("two"))
        let refusals = heard.filter { if case .openFailed(.notNow, _) = $0 { true } else { false } }
        #expect(refusals.count == 2, "\(heard)")
        #expect(heard.last == .opened("Opened."))
        #expect(!FileManager.default.fileExists(atPath: home.folder.file("sessions/six")))
        try open("six")
    }

    @Test("A mistake in one's preferences is reported with its place and no other word of the file, which is kept; the valid ones apply")
    func mistake() async throws {
        let text = "crossfade: a while\nshortFade: 0.1\n"
        try home.write(text, to: "sessions/four/preferences.yaml")
        func reports(_ heard: [SessionManagerNotice], _ words: String) -> Bool {
            heard.contains { if case .text(let text, _) = $0 { text.contains(words) && !text.contains("a while") } else { false } }
        }
        let heard = manager.ask(instance, request("four"))
        #expect(reports(heard, "preferences.yaml:1:12: a mistake."), "\(heard)")
        try #expect(number("crossfade") == 0 && number("shortFade") == 0.1)
        let count = manager.heard.count
        try #expect(peer.perform("preferences/buttonHold", .float(0.7)) == 0)
        instance.pass(seconds: 1)
        #expect(reports(Array(manager.heard[count...]), "The preferences were not saved. "))
        try #expect(file("four") == text)
        // Values that were set meanwhile are saved once it is corrected, also if the session is left at once.
        try home.write("crossfade: 1\n", to: "sessions/four/preferences.yaml")
        try open("two")
        try #expect(file("four") == Self.header + "buttonHold: 0.7\ncrossfade: 1\n")
        try await instance.end()
    }

    @Test(
        "A session that cannot be opened is refused with the protocol's code, and the open one stays; invalid requests name what is expected"
    )
    func refusals() throws {
        try home.write("format: 99\nqueue: []\n", to: "sessions/newer/session.yaml")
        try #expect(peer.perform("master/gain", .float(-9)) == 0)
        for (request, failure) in [
            (request("newer"), SessionManagerNotice.Failure.badProject), (request("none", at: "/proc/none"), .cannotCreate),
            (.open(path: "not/absolute", displayName: "x", clientID: "x"), .general),
            (.open(path: home.folder.file("x"), displayName: "x", clientID: "a:b"), .general),
        ] {
            let heard = manager.ask(instance, request)
            #expect(heard.contains { if case .openFailed(failure, _) = $0 { true } else { false } }, "\(request): \(heard)")
            try #expect(peer.value("master/gain") == [.float(-9)])
            try #expect(peer.value("info").first == .string("binaural.one"))
        }
        #expect(manager.ask(instance, .save).last == .saved("Saved."))
        try #expect(home.folder.read("sessions/one/session.yaml").contains("gain: -9"))
        try #expect(home.folder.read("sessions/newer/session.yaml") == "format: 99\nqueue: []\n")
    }
}
