import Foundation
import InstanceSupport
import OSC
import Playback
import TestSupport
import Testing

/// Sounds that a program on this machine asks a running instance for.
@Suite("Playing and adding by name or path, over OSC")
struct QueuePlayTests {
    private static func tone(_ title: String, carrier: Int = 300) -> String {
        "title: \(title)\nduration: 10:00\nlayers:\n  - {name: a, tone: {carrier: \(carrier)}, gain: -20}\n"
    }

    private func playing(_ arguments: String...) throws -> (InstanceHome, SteppedInstance, SteppedPeer) {
        let home = try InstanceHome.withLibrary()
        try home.write(Self.tone("First", carrier: 200), to: "first.yaml")
        try home.write(Self.tone("Second", carrier: 250), to: "second.yaml")
        let instance = try home.start(["first.yaml", "second.yaml"] + arguments)
        instance.pass(seconds: 8)
        return (home, instance, SteppedPeer(instance))
    }

    private func references(_ instance: SteppedInstance) -> [String] {
        instance.player.items.map { String($0.reference.split(separator: "/").last ?? "") }
    }

    /// The places that were sent to the peer.
    private func places(_ peer: SteppedPeer) -> [OSCArgument] { peer.heard.filter { $0.address == "queue/place" }.map { $0.arguments[0] } }

    @Test("queue/play crossfades to a patch behind the current item, or to the one that is in the queue already, and answers its place")
    func playsPatch() throws {
        let (home, instance, peer) = try playing()
        let mine = try home.folder.write(Self.tone("Mine"), to: "elsewhere/mine.yaml")
        #expect(try peer.perform("queue/play", .string(mine)) == 0)
        #expect(instance.player.current?.title == "Mine" && instance.player.playback == .playing)
        #expect(references(instance) == ["first.yaml", "mine.yaml", "second.yaml"])
        #expect(try peer.perform("queue/play", .string("reference-440")) == 0)
        #expect(references(instance) == ["first.yaml", "mine.yaml", "reference-440", "second.yaml"])
        #expect(try peer.perform("queue/play", .string(mine)) == 0)
        #expect(try peer.perform("queue/play", .string("reference-440")) == 0)
        #expect(references(instance).count == 4)
        #expect(places(peer) == [.int32(2), .int32(3), .int32(2), .int32(3)])
        // It also plays if nothing did.
        #expect(try peer.perform("stop") == 0)
        #expect(try peer.perform("queue/play", .string(mine)) == 0)
        #expect(instance.player.playback == .playing)
    }

    @Test("The new sound does not raise the level: it is never louder than both were, and the master stays")
    func level() throws {
        let (home, instance, peer) = try playing()
        #expect(try peer.perform("master/gain", .float(-12)) == 0)
        instance.pass(seconds: 2)
        instance.device.forgetPeak()
        instance.pass(seconds: 1)
        let before = instance.device.peak
        #expect(before > 0)
        instance.device.forgetPeak()
        let mine = try home.folder.write(Self.tone("Mine"), to: "mine.yaml")
        #expect(try peer.perform("queue/play", .string(mine)) == 0)
        // After half a second the old one is still there: between the two, nothing is silent.
        instance.pass(seconds: 0.5)
        #expect(instance.device.peak > before * 0.5)
        instance.pass(seconds: 4)
        #expect(instance.device.peak < before * 1.5, "\(instance.device.peak) after \(before)")
        #expect(try peer.value("master/gain") == [.float(-12)])
    }

    @Test("queue/add adds a patch last or next, by name or by path, answers its place, and the current item keeps playing")
    func adds() throws {
        let (home, instance, peer) = try playing()
        let mine = try home.folder.write(Self.tone("Mine"), to: "elsewhere/mine.yaml")
        #expect(try peer.perform("queue/add", .string("rain")) == 0)
        #expect(try peer.perform("queue/add", .string(mine), .string("next")) == 0)
        #expect(try peer.perform("queue/add", .string("ocean"), .string("last")) == 100)
        #expect(try peer.perform("queue/add", .string(mine)) == 0)
        #expect(references(instance) == ["first.yaml", "mine.yaml", "second.yaml", "rain", "mine.yaml"])
        #expect(places(peer) == [.int32(3), .int32(2), .int32(5)])
        #expect(instance.player.current?.title == "First" && instance.player.playback == .playing)
    }

    @Test("The next packets of a peer find the item in the queue, however long its file takes")
    func order() throws {
        let (home, instance, peer) = try playing()
        let mine = try home.folder.write(Self.tone("Mine"), to: "mine.yaml")
        for (address, text) in [("queue/play", mine), ("queue/add", "rain"), ("queue/add", mine)] { peer.send(address, .string(text)) }
        instance.pass(seconds: 1)
        #expect(references(instance) == ["first.yaml", "mine.yaml", "second.yaml", "rain", "mine.yaml"])
    }

    @Test("Two programs that ask at once both get their items, and the later one is heard")
    func twoAtOnce() throws {
        let (home, instance, one) = try playing()
        let two = SteppedPeer(instance, port: 40_002)
        let files = try ["a", "b"].map { try home.folder.write(Self.tone($0), to: "\($0).yaml") }
        one.send("queue/play", .string(files[0]))
        two.send("queue/play", .string(files[1]))
        instance.pass(seconds: 3)
        #expect(Set(references(instance)) == ["first.yaml", "a.yaml", "b.yaml", "second.yaml"])
        #expect(instance.player.current?.title == "b")
        #expect(places(one).count == 1 && places(two).count == 1)
    }

    @Test("A file that cannot be read, has no patch, or is gone is an error, and neither queue nor sound moves")
    func badFiles() throws {
        let (home, instance, peer) = try playing()
        let broken = try home.folder.write("layers: [\n", to: "broken.yaml")
        let fifo = home.folder.file("pipe.yaml")
        try #require(mkfifo(fifo, 0o600) == 0)
        // A path that only the caller can follow leads the instance nowhere.
        for (path, code) in [(broken, 200), (fifo, 200), ("/proc/self/nothing/mine.yaml", 200), ("/nowhere.yaml", 100), ("/tmp", 200)]
            as [(String, Int32)]
        {
            for address in ["queue/play", "queue/add"] {
                // Only so many errors a second are answered.
                instance.pass(seconds: 0.2)
                let answer = try peer.answer(to: address, [.string(path)])
                #expect(answer.address == "error" && [code, 100].contains { answer.arguments[1] == .int32($0) }, "\(path) \(answer)")
            }
        }
        #expect(try peer.perform("queue/play", .string("no-such-patch")) == 100)
        #expect(references(instance) == ["first.yaml", "second.yaml"])
        #expect(instance.player.current?.title == "First" && instance.player.playback == .playing)
        #expect(places(peer).isEmpty)
    }

    @Test("A full queue takes nothing more, however many ask at once")
    func fullQueue() throws {
        let home = try InstanceHome.withLibrary()
        try home.write(Self.tone("First"), to: "first.yaml")
        try home.write(Self.tone("Other"), to: "other.yaml")
        let items = Array(repeating: "  - {patch: first.yaml}\n", count: 4095).joined()
        try home.write("format: 1\nqueue:\n\(items)", to: "full.yaml")
        let instance = try home.start("--session", "full.yaml")
        let (one, two) = (SteppedPeer(instance), SteppedPeer(instance, port: 40_002))
        let other = home.folder.file("other.yaml")
        one.send("queue/play", .string(other))
        two.send("queue/add", .string(other))
        instance.pass(seconds: 5)
        #expect(instance.player.items.count == 4096)
        let codes = [one, two].map { peer in peer.heard.filter { $0.address == "error" }.map { $0.arguments[1] } }
        #expect(codes == [[], [.int32(413)]], "\(codes)")
        #expect(try one.perform("queue/add", .string(home.folder.file("first.yaml"))) == 413)
    }

    @Test("A program that is ending takes nothing more")
    func ending() throws {
        let (home, instance, peer) = try playing()
        let mine = try home.folder.write(Self.tone("Mine"), to: "mine.yaml")
        #expect(try peer.perform("quit") == 0)
        for (address, text) in [("queue/play", mine), ("queue/add", mine), ("queue/play", "rain"), ("queue/add", "rain")] {
            let answer = try peer.answer(to: address, [.string(text)])
            #expect(answer.arguments[1] == .int32(409), "\(answer)")
        }
        #expect(references(instance) == ["first.yaml", "second.yaml"])
    }

    @Test(
        "A session that is asked for plays at its own level, but no louder than what played, and stays muted", arguments: [-30, -6],
        [false, true])
    func session(gain: Int, isMuted: Bool) throws {
        let (home, instance, peer) = try playing()
        try home.write(Self.tone("Third"), to: "third.yaml")
        try home.write(
            "format: 1\nqueue:\n  - patch: ../third.yaml\nmaster: {gain: \(gain)}\nplay: {state: paused}\n", to: "sessions/night.yaml")
        #expect(try peer.perform("master/gain", .float(-12)) == 0)
        if isMuted { #expect(try peer.perform("master/mute", .int32(1)) == 0) }
        instance.pass(seconds: 2)
        instance.device.forgetPeak()
        instance.pass(seconds: 1)
        let before = instance.device.peak
        #expect(try peer.perform("queue/play", .string("night")) == 0)
        #expect(instance.snapshot.session.name == "night")
        #expect(instance.player.playback == .playing && instance.player.current?.title == "Third")
        #expect(try peer.value("master/gain") == [.float(Float(min(gain, -12)))])
        #expect(try peer.value("master/mute") == [.int32(isMuted ? 1 : 0)])
        instance.pass(seconds: 4)
        #expect(instance.device.peak < before * 1.5 + 1e-6, "\(instance.device.peak) after \(before)")
        // It is in no place of a queue.
        #expect(places(peer).isEmpty)
    }
}
