import Foundation
import InstanceSupport
import OSC
import TestSupport
import Testing

/// Time stands still between a save and what the instance notices of it.
@Suite("A patch that is saved while it plays", .ownThread)
struct RereadingTests {
    private let home: InstanceHome

    init() throws { home = try InstanceHome() }

    private func tone(_ carrier: Int, duration: String = "10:00") -> String {
        "title: Tone\nduration: \(duration)\nlayers:\n  - {name: a, tone: {carrier: \(carrier)}, gain: -20}\n"
    }

    /// Starts with this patch as `tone.yaml`, and plays for a second.
    private func start(_ text: String) throws -> (instance: SteppedInstance, peer: SteppedPeer) {
        try home.write(text, to: "tone.yaml")
        let instance = try home.start("tone.yaml", "--session", "mine.yaml")
        instance.pass(seconds: 1)
        return (instance, SteppedPeer(instance))
    }

    /// Replaces a file as most editors do: by a complete one of another name.
    private func save(_ text: String, to name: String = "tone.yaml") throws {
        try home.write(text, to: "\(name).tmp")
        guard rename(home.folder.file("\(name).tmp"), home.folder.file(name)) == 0 else { throw ProgramFailure("rename: \(errno)") }
    }

    private func shell(_ script: String) async throws {
        let run = try await RunningProgram.run("/bin/sh", ["-ec", script], folder: home.folder.path)
        guard run.exit == .code(0) else { throw ProgramFailure("\(script): \(run.errors)") }
    }

    /// Longer than a file has to be quiet or missing before it counts.
    private func notice(_ instance: SteppedInstance) {
        instance.seeChanges()
        instance.pass(seconds: 1.5)
    }

    @Test("is read again regardless of how it is saved, and keeps playing at its position")
    func editors() async throws {
        let (instance, peer) = try start(tone(200))
        #expect(try peer.perform("layer/1/gain", .float(-30)) == 0)
        #expect(try peer.perform("position", .float(100)) == 0)
        let scripts = [
            "sed -i s/200/201/ tone.yaml", "sed s/201/202/ tone.yaml > new; cat new > tone.yaml",
            "sed s/202/203/ tone.yaml > new; mv tone.yaml tone.yaml~; cp new tone.yaml; rm tone.yaml~",
            "sed s/203/204/ tone.yaml > new; mv new tone.yaml", "sed s/204/205/ tone.yaml > real; ln -sf real tone.yaml",
            "sed -i s/205/206/ real",
        ]
        for (script, carrier) in zip(scripts, 201...) {
            let before = try peer.number("now/elapsed")
            try await shell(script)
            notice(instance)
            #expect(try peer.number("layer/1/carrier") == Double(carrier), "\(script)\n\(instance.notices)")
            #expect((before + 1.4..<before + 1.7).contains(try peer.number("now/elapsed")), "\(script)")
            #expect(try peer.number("layer/1/gain") == -30)
            #expect(instance.player.playback == .playing)
        }
        #expect(instance.notices == [String](repeating: "'tone.yaml' was read again. 1 live edit still applies.", count: 6))
    }

    private static let faults = [
        ("printf 'title: secret\\nlayers:\\n  - {tone: {carr' > tone.yaml", "'tone.yaml' was saved again, but cannot be read."),
        (": > tone.yaml", "the file is empty"), ("rm tone.yaml", "The file of 'tone.yaml' is gone:"),
        ("rm tone.yaml; mkdir tone.yaml", "it is a folder, not a file"),
        ("rm tone.yaml; mkfifo tone.yaml", "it is a named pipe, not a file"),
        ("rm tone.yaml; ln -s tone.yaml tone.yaml", "Too many levels of symbolic links"),
        ("rm tone.yaml; truncate -s 200M tone.yaml", "the file has more than 1048576 bytes"),
        ("rm tone.yaml; ln -s /dev/zero tone.yaml", "it is a device"),
        ("rm tone.yaml; ln -s nowhere tone.yaml", "The file of 'tone.yaml' is gone:"),
    ]

    @Test("with a mistake, or replaced by something else, is reported and keeps playing unchanged, and the next valid save is taken")
    func faults() async throws {
        let (instance, peer) = try start(tone(200))
        for (index, (script, words)) in Self.faults.enumerated() {
            let count = instance.notices.count
            try await shell(script)
            notice(instance)
            let notices = instance.notices.dropFirst(count)
            #expect(notices.count == 1, "\(notices)")
            #expect(notices.first?.contains(words) == true, "\(notices)")
            #expect(notices.first?.contains("The version read before stays in use.") == true, "\(notices)")
            #expect(try peer.number("layer/1/carrier") == Double(200 + index), "\(script)")
            #expect(instance.player.playback == .playing)
            if index == 0 { #expect(try !peer.text("log").contains("secret")) }
            try await shell("rm -rf tone.yaml")
            try save(tone(201 + index))
            notice(instance)
            #expect(try peer.number("layer/1/carrier") == Double(201 + index), "after \(script)\n\(instance.notices)")
        }
    }

    @Test("in a burst ends with the newest version; a shorter one starts again, and subscribers get the new layers")
    func burst() throws {
        let (instance, peer) = try start(tone(200))
        for carrier in 201...300 {
            try save(tone(carrier))
            if carrier.isMultiple(of: 2) { instance.seeChanges() }
            instance.pass(seconds: 0.02)
        }
        notice(instance)
        #expect(try peer.number("layer/1/carrier") == 300)
        #expect(try peer.perform("position", .float(100)) == 0)
        _ = try peer.list("subscribe", .string("layers"), until: "snapshot/end")
        try save(tone(400, duration: "1:00") + "  - {name: b, noise: {}, gain: -60}\n")
        notice(instance)
        #expect(instance.notices.last == "'tone.yaml' was read again. It is now shorter than the current position, so it restarts.")
        #expect(try peer.number("now/elapsed") < 2)
        #expect(try peer.value("layer/count") == [.int32(2)])
        #expect(peer.heard.contains { $0.address == "layer/2/kind" && $0.arguments == [.string("noise")] })
    }

    @Test("saved by halves, loses none of the live changes to the layer that was missing for a moment, nor does its session")
    func halfSaved() throws {
        let half = tone(200)
        let whole = half + "  - {name: rain, noise: {}, gain: -30}\n"
        let (instance, peer) = try start(whole)
        #expect(try peer.perform("layer/rain/gain", .float(-41)) == 0)
        #expect(try peer.perform("layer/rain/mute", .int32(1)) == 0)
        try save(half)
        notice(instance)
        #expect(instance.notices.last?.contains("Live changes to rain are kept until the patch has those layers") == true)
        #expect(try peer.value("layer/count") == [.int32(1)])
        #expect(try peer.perform("session/save") == 0)
        let saved = try home.folder.read("mine.yaml")
        #expect(saved.contains("rain.gain: -41"), "\(saved)")
        #expect(saved.contains("muted: [rain]"), "\(saved)")
        try save(whole)
        notice(instance)
        #expect(instance.notices.last == "'tone.yaml' was read again. 1 live edit still applies.")
        #expect(try peer.number("layer/rain/gain") == -41)
        #expect(try peer.value("layer/rain/mute") == [.int32(1)])
    }

    @Test("is crossfaded without a click")
    func click() throws {
        let (instance, peer) = try start(tone(200))
        try peer.perform("stop")
        instance.pass(seconds: 0.2)
        instance.device.keepsSound = true
        try peer.perform("play")
        instance.pass(seconds: 0.2)
        let before = instance.device.sound.left.count
        try save(tone(300))
        notice(instance)
        #expect(instance.notices == ["'tone.yaml' was read again."])
        let after = instance.device.sound.left.count
        try peer.perform("stop")
        instance.pass(seconds: 0.2)
        for channel in [instance.device.sound.left, instance.device.sound.right].map({ $0.map(Double.init) }) {
            for (range, frequency) in [(before - 4800..<before, 200.0), (after - 4800..<after, 300)] {
                let sine = try #require(measureSine(channel[range], sampleRate: 48_000, near: frequency))
                #expect(abs(sine.frequency - frequency) < 0.01, "\(sine)")
            }
            #expect(channel.last == 0)
            #expect(peakAbove(2000, in: channel[...], sampleRate: 48_000) < -100)
        }
    }

    @Test(
        "of the library is read again only with --watch, and one given by path not with --no-watch; others in the queue are read silently",
        arguments: [([], false, true), (["--watch"], true, true), (["--no-watch"], false, false)] as [([String], Bool, Bool)])
    func options(options: [String], isNamedRead: Bool, isGivenRead: Bool) throws {
        try home.write(tone(400), to: "first.yaml")
        try home.write(tone(200), to: "patches/named.yaml")
        try home.write(tone(300), to: "given.yaml")
        let instance = try home.start(["first.yaml", "named", "given.yaml", "--session", "mine.yaml", "--paused"] + options)
        let peer = SteppedPeer(instance)
        instance.pass(seconds: 2)
        try save(tone(201), to: "patches/named.yaml")
        try save(tone(301), to: "given.yaml")
        try save(tone(401), to: "first.yaml")
        notice(instance)
        #expect(try peer.number("layer/1/carrier") == (isGivenRead ? 401 : 400))
        #expect(try peer.perform("queue/select", .int32(2)) == 0)
        #expect(try peer.number("layer/1/carrier") == (isNamedRead ? 201 : 200))
        #expect(try peer.perform("queue/select", .int32(3)) == 0)
        #expect(try peer.number("layer/1/carrier") == (isGivenRead ? 301 : 300))
        #expect(instance.notices == (isGivenRead ? ["'first.yaml' was read again."] : []))
    }

    @Test("may be a sequence, or have a sound file")
    func otherKinds() throws {
        try home.write("a: 200+10/10\nb: 300+10/10\nNOW a\n", to: "night.sbg")
        let file = "layers:\n  - {name: a, tone: {carrier: 200}, gain: -40}\n  - {name: f, file: {path: one.wav}, gain: -40}\n"
        try home.write(file, to: "sea.yaml")
        let sine = (0..<96_000).map { Float(sin(2 * .pi * 100 * Double($0) / 48_000)) }
        for name in ["one.wav", "two.wav"] {
            try WaveBytes.file([sine, sine], sampleRate: 48_000).write(to: URL(filePath: home.folder.file(name)))
        }
        let instance = try home.start("night.sbg", "sea.yaml", "--session", "mine.yaml")
        let peer = SteppedPeer(instance)
        instance.pass(seconds: 1)
        try save("a: 200+10/10\nb: 300+10/10\nNOW b\n", to: "night.sbg")
        notice(instance)
        #expect(try peer.number("layer/1/carrier") == 300, "\(instance.notices)")
        #expect(try peer.perform("queue/select", .int32(2)) == 0)
        try save(file.replacing("one.wav", with: "two.wav").replacing("200", with: "250"), to: "sea.yaml")
        notice(instance)
        #expect(try peer.number("layer/1/carrier") == 250, "\(instance.notices)")
        try save(file.replacing("one.wav", with: "three.wav"), to: "sea.yaml")
        notice(instance)
        #expect(instance.notices.last?.contains("three.wav") == true, "\(instance.notices)")
        #expect(instance.player.playback == .playing)
    }
}
