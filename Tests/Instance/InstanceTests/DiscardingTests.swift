import InstanceSupport
import TestSupport
import Testing

/// An end that a session manager did not have the session saved for.
@Suite("Discarding what nobody asked to save")
struct DiscardingTests {
    private static let autosave = 3.0
    private let home: InstanceHome

    init() throws {
        home = try InstanceHome()
        try home.write(InstanceHome.tone, to: "tone.yaml")
    }

    private func start() throws -> (SteppedInstance, SteppedPeer) {
        let instance = try home.start("tone.yaml", "--session", "mine.yaml")
        return (instance, SteppedPeer(instance))
    }

    private func file() throws -> String { try home.folder.read("mine.yaml") }

    @Test(
        "The state that was saved on request is put back, and the discarded one becomes a generation with its last change",
        arguments: [0, autosave])
    func putBack(seconds: Double) async throws {
        let (instance, peer) = try start()
        #expect(try peer.perform("master/gain", .float(-9)) == 0)
        #expect(try peer.perform("session/save") == 0)
        let asked = try file()
        #expect(try peer.perform("master/gain", .float(-12)) == 0)
        instance.pass(seconds: seconds)
        #expect(try file().contains("gain: -12") == (seconds > 0))
        try await instance.end(discardingChanges: true)
        #expect(try file() == asked)
        #expect(try home.folder.read("mine.yaml.1").contains("gain: -12"))
    }

    @Test("A file that somebody else has written is left to them, also with a change that was not saved yet", arguments: [false, true])
    func edited(hasUnsavedChange: Bool) async throws {
        let (instance, peer) = try start()
        #expect(try peer.perform("master/gain", .float(-9)) == 0)
        #expect(try peer.perform("session/save") == 0)
        #expect(try peer.perform("master/gain", .float(-12)) == 0)
        instance.pass(seconds: Self.autosave)
        let edited = try file().replacing("gain: -12", with: "gain: -21.5")
        try home.write(edited, to: "mine.yaml")
        if hasUnsavedChange { #expect(try peer.perform("master/gain", .float(-15)) == 0) }
        instance.quit(discardingChanges: true)
        // It may take its time to end.
        instance.pass(seconds: Self.autosave)
        try await instance.end(discardingChanges: true)
        #expect(try file() == edited)
    }

    @Test("A program that ends in the ordinary way still saves by itself while it fades out")
    func ordinaryEnd() async throws {
        let (instance, peer) = try start()
        #expect(try peer.perform("master/gain", .float(-9)) == 0)
        instance.quit()
        instance.pass(seconds: Self.autosave)
        #expect(try file().contains("gain: -9"))
        try await instance.end()
    }
}
