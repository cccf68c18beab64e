import Foundation
import InstanceSupport
import TestSupport
import Testing

@Suite("Another session")
struct SessionLoadTests {
    @Test("another session is refused while the open one cannot be saved, with the reason; then that is saved with touched values")
    func unsaved() async throws {
        let home = try InstanceHome.withLibrary()
        try home.write(InstanceHome.tone, to: "tone.yaml")
        let instance = try home.start("tone.yaml", "--session", "mine.yaml")
        let peer = SteppedPeer(instance)
        instance.pass(seconds: 1)
        #expect(try peer.perform("session/save") == 0)
        // Makes the next save fail.
        let obstacle = home.folder.file("mine.yaml.tmp")
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
        #expect(try peer.perform("touch/layer/1/gain", .int32(1)) == 0)
        #expect(try peer.perform("layer/1/gain", .int32(-40)) == 0)
        #expect(try peer.perform("session/load", .string("welcome")) == 200)
        let refusal = "The session mine stays open, so that nothing is lost. The session was not saved;"
        #expect(instance.notices.contains { $0.contains(refusal) }, "\(instance.notices)")
        #expect(try peer.value("now/title") == [.string("Tone")])
        #expect(try peer.value("layer/1/gain") == [.float(-40)])

        try FileManager.default.removeItem(atPath: obstacle)
        #expect(try peer.perform("session/load", .string("welcome")) == 0)
        #expect(try peer.value("now/title") != [.string("Tone")])
        let saved = try home.folder.read("mine.yaml")
        #expect(saved.contains(".gain: -40"), "\(saved)")
        try await instance.end()
    }

    @Test("a session whose patch is missing or invalid says so when it is opened, marks it in the list, and says how to see the mistake")
    func unreadable() throws {
        let home = try InstanceHome()
        try home.write("format: 1\nqueue:\n  - {patch: bad.yaml}\n  - {patch: gone.yaml}\n", to: "mine.yaml")
        try home.write("layers:\n  - {tone: {carr: 200}, gain: -20}\n", to: "bad.yaml")
        let instance = try home.start("--session", "mine.yaml")
        let notices = instance.notices.joined(separator: "\n")
        for words in ["2 patches of the queue cannot be played; they stay in it.", "bad.yaml:2:", "carr", "gone.yaml"] {
            #expect(notices.contains(words), "\(notices)")
        }
        let peer = SteppedPeer(instance)
        let list = try peer.list("queue/list", until: "queue/end")
        #expect(list.count { "\($0)".contains("(cannot be played)") } == 2, "\(list)")
        let refused = try peer.answer(to: "play", []).text
        #expect(refused.contains("Not playable, select another item: "))
        #expect(refused.contains("'binaural check' shows it."))
    }

    @Test("a shuffled round in which an item was selected, and others were added and moved, continues after a restart")
    func shuffled() async throws {
        let home = try InstanceHome.withLibrary()
        let names = (1...5).map { "tone\($0).yaml" }
        for name in names { try home.write(InstanceHome.tone, to: name) }
        let first = try home.start(names + ["--session", "mine.yaml", "--paused"])
        let peer = SteppedPeer(first)
        #expect(try peer.perform("shuffle", .string("items")) == 0)
        #expect(try peer.perform("queue/next") == 0)
        let here = try current(peer)
        // A position that is neither the current one nor the start.
        let chosen = try #require((2...5).first { $0 != here })
        #expect(try peer.perform("queue/select", .int32(chosen)) == 0)
        // The list changes, and the round continues.
        #expect(try peer.perform("queue/add", .string("reference-440")) == 0)
        #expect(try peer.perform("queue/move", .int32(6), .int32(1)) == 0)
        #expect(try peer.value("now/queue") == [.int32(chosen + 1), .int32(6)])
        try await first.end()

        let second = try home.start("--session", "mine.yaml", "--paused")
        let again = SteppedPeer(second)
        #expect(try current(again) == chosen + 1)
        var played: Set<Int32> = [2, here + 1, chosen + 1]
        for _ in 0..<3 {
            #expect(try again.perform("queue/next") == 0)
            played.insert(try current(again))
        }
        #expect(played == [1, 2, 3, 4, 5, 6])
        for _ in 0..<3 { #expect(try again.perform("queue/previous") == 0) }
        #expect(try current(again) == chosen + 1)
        #expect(try again.perform("queue/previous") == 0)
        #expect(try current(again) == here + 1)
    }

    @Test("unknown keys of an item stay with it, also if the queue holds the same patch twice")
    func unknownKeys() async throws {
        let home = try InstanceHome()
        try home.write(InstanceHome.tone, to: "tone.yaml")
        let items = (1...3).map { "  - {patch: ./tone.yaml, novelty: number \($0)}\n" }.joined()
        try home.write("format: 1\nqueue:\n\(items)play: {state: stopped}\n", to: "mine.yaml")
        let instance = try home.start("--session", "mine.yaml", "--paused")
        let peer = SteppedPeer(instance)
        #expect(try peer.perform("queue/move", .int32(3), .int32(1)) == 0)
        #expect(try peer.perform("queue/remove", .int32(2)) == 0)
        #expect(try peer.perform("session/save") == 0)
        #expect(try peer.perform("queue/move", .int32(2), .int32(1)) == 0)
        try await instance.end()
        let saved = try home.folder.read("mine.yaml")
        let kept = saved.matches(of: /novelty: number ([0-9])/).map { String($0.1) }
        #expect(kept == ["2", "3"], "\(saved)")
    }

    @Test("a shorter queue on the command line starts a shuffled round of its own")
    func shorter() async throws {
        let home = try InstanceHome()
        let names = (1...3).map { "tone\($0).yaml" }
        for name in names { try home.write(InstanceHome.tone, to: name) }
        let first = try home.start(names + ["--session", "mine.yaml", "--paused"])
        let peer = SteppedPeer(first)
        #expect(try peer.perform("queue/select", .int32(3)) == 0)
        #expect(try peer.perform("shuffle", .string("items")) == 0)
        try await first.end()

        let second = try home.start(names.prefix(2) + ["--session", "mine.yaml", "--paused"])
        let again = SteppedPeer(second)
        #expect(try again.value("shuffle") == [.string("items")])
        #expect(try again.perform("queue/next") == 0)
        #expect(try again.perform("queue/previous") == 0)
        #expect(try current(again) == 1)
    }

    /// The place of the current item, from 1 on.
    private func current(_ peer: SteppedPeer) throws -> Int32 {
        let queue = try peer.value("now/queue")
        guard case .int32(let index)? = queue.first else { throw ProgramFailure("now/queue is \(queue)") }
        return index
    }
}
