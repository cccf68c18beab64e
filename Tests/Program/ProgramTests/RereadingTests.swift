import Foundation
import OSC
import ProgramSupport
import TestSupport
import Testing

@Suite("A patch that is saved while it plays", .ownThread)
struct RereadingTests {
    private static func tone(_ carrier: Int, duration: String = "10:00") -> String {
        "title: Tone\nduration: \(duration)\nlayers:\n  - {name: a, tone: {carrier: \(carrier)}, gain: -20}\n"
    }

    /// Replaces a file as most editors do: by a complete one of another name.
    private static func save(_ text: String, to name: String, in folder: TemporaryFolder) throws {
        try folder.write(text, to: "\(name).tmp")
        guard rename(folder.file("\(name).tmp"), folder.file(name)) == 0 else { throw ProgramFailure("rename: \(errno)") }
    }

    private static func shell(_ script: String, in folder: TemporaryFolder) async throws {
        let run = try await RunningProgram.run("/bin/sh", ["-ec", script], folder: folder.path)
        guard run.exit == .code(0) else { throw ProgramFailure(run.summary) }
    }

    private static func carrier(_ peer: Asker, is value: Float) async throws -> Bool {
        try await eventually { try peer.value("layer/1/carrier") == [.float(value)] }
    }

    /// Whether a program watches a folder: inotify(7), as the system lists it.
    private static func watches(_ program: RunningProgram, _ folder: String) throws -> Bool {
        var status = stat()
        guard stat(folder, &status) == 0 else { throw ProgramFailure("no folder \(folder)") }
        let inode = " ino:\(String(status.st_ino, radix: 16)) "
        let files = "/proc/\(program.pid)/fdinfo"
        return try FileManager.default.contentsOfDirectory(atPath: files).contains { name in
            // It may be closed meanwhile.
            let bytes = (try? FileHandle(forReadingFrom: URL(filePath: "\(files)/\(name)")).readToEnd()) ?? Data()
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains { $0.hasPrefix("inotify ") && $0.contains(inode) }
        }
    }

    private static func elapsed(_ peer: Asker) throws -> Float {
        guard case .float(let elapsed)? = try peer.value("now/elapsed").first else { throw ProgramFailure("no now/elapsed") }
        return elapsed
    }

    @Test("is read again regardless of how it is saved, and keeps playing at its position")
    func editors() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(Self.tone(200), to: "tone.yaml")
            let program = try run.start("tone.yaml", "--session", "mine.yaml")
            let peer = try await Asker(program)
            try await program.state("playing")
            #expect(try peer.perform("layer/1/gain", .float(-30)) == 0)
            #expect(try peer.perform("position", .float(100)) == 0)
            let scripts: [(Float, String)] = [
                (201, "sed -i s/200/201/ tone.yaml"), (202, "sed s/201/202/ tone.yaml > new; cat new > tone.yaml"),
                (203, "sed s/202/203/ tone.yaml > new; mv tone.yaml tone.yaml~; cp new tone.yaml; rm tone.yaml~"),
                (204, "sed s/203/204/ tone.yaml > new; mv new tone.yaml"),
                (205, "sed s/204/205/ tone.yaml > real; ln -sf real tone.yaml"), (206, "sed -i s/205/206/ real"),
            ]
            for (value, script) in scripts {
                let before = try Self.elapsed(peer)
                try await Self.shell(script, in: run.folder)
                #expect(try await Self.carrier(peer, is: value), "\(script)\n\(program.transcript)")
                let after = try Self.elapsed(peer)
                #expect(after >= before, "\(script): from \(before) to \(after)")
                #expect(try peer.value("layer/1/gain") == [.float(-30)])
                #expect(try peer.value("now/state") == [.string("playing")])
            }
            _ = try await program.line(containing: "'tone.yaml' was read again. 1 live edit still applies.")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("with a mistake, or replaced by something else, is reported and keeps playing unchanged, and the next valid save is taken")
    func faults() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(Self.tone(200), to: "tone.yaml")
            let program = try run.start("tone.yaml", "--session", "mine.yaml")
            let peer = try await Asker(program)
            try await program.state("playing")
            let faults = [
                ("printf 'title: secret\\nlayers:\\n  - {tone: {carr' > tone.yaml", "'tone.yaml' was saved again, but cannot be read."),
                (": > tone.yaml", "the file is empty"), ("rm tone.yaml", "The file of 'tone.yaml' is gone:"),
                ("rm tone.yaml; mkdir tone.yaml", "it is a folder, not a file"),
                ("rm tone.yaml; mkfifo tone.yaml", "it is a named pipe, not a file"),
                ("rm tone.yaml; ln -s tone.yaml tone.yaml", "Too many levels of symbolic links"),
                ("rm tone.yaml; head -c 200M /dev/zero > tone.yaml", "the file has more than 1048576 bytes"),
                ("rm tone.yaml; ln -s /dev/zero tone.yaml", "it is a device"),
                ("rm tone.yaml; ln -s nowhere tone.yaml", "The file of 'tone.yaml' is gone:"),
            ]
            for (index, (script, words)) in faults.enumerated() {
                let mark = program.lines.count
                try await Self.shell(script, in: run.folder)
                _ = try await program.line(containing: words, from: mark)
                _ = try await program.line(containing: "The version read before stays in use.", from: mark)
                #expect(try peer.value("layer/1/carrier") == [.float(Float(200 + index))], "\(script)")
                #expect(try peer.value("now/state") == [.string("playing")])
                try await Self.shell("rm -rf tone.yaml", in: run.folder)
                try Self.save(Self.tone(201 + index), to: "tone.yaml", in: run.folder)
                #expect(try await Self.carrier(peer, is: Float(201 + index)), "after \(script)\n\(program.transcript)")
            }
            guard case .string(let notice)? = try peer.value("log").first else { throw ProgramFailure("no notice") }
            #expect(!notice.contains("secret"))
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("in a burst ends with the newest version; a shorter one starts again, and subscribers get the new layers")
    func burst() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(Self.tone(200), to: "tone.yaml")
            let program = try run.start("tone.yaml", "--session", "mine.yaml")
            let peer = try await Asker(program)
            try await program.state("playing")
            for value in 201...300 { try Self.save(Self.tone(value), to: "tone.yaml", in: run.folder) }
            #expect(try await Self.carrier(peer, is: 300))
            #expect(try peer.perform("position", .float(100)) == 0)
            _ = try peer.ask("subscribe", .string("layers"), answer: "snapshot/end")
            let mark = program.lines.count
            try Self.save(Self.tone(400, duration: "1:00") + "  - {name: b, noise: {}, gain: -60}\n", to: "tone.yaml", in: run.folder)
            _ = try await program.line(
                containing: "'tone.yaml' was read again. It is now shorter than the current position, so it restarts.", from: mark)
            #expect(try Self.elapsed(peer) < 50)
            #expect(try peer.value("layer/count") == [.int32(2)])
            _ = try peer.value("layer/2/name")
            #expect(peer.heard.contains { $0.address == "layer/2/kind" && $0.arguments == [.string("noise")] })
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("saved by halves, loses none of the live changes to the layer that was missing for a moment, nor does its session")
    func halfSaved() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let half = Self.tone(200)
            let whole = half + "  - {name: rain, noise: {}, gain: -30}\n"
            try run.folder.write(whole, to: "tone.yaml")
            let program = try run.start("tone.yaml", "--session", "mine.yaml")
            let peer = try await Asker(program)
            try await program.state("playing")
            #expect(try peer.perform("layer/rain/gain", .float(-41)) == 0)
            #expect(try peer.perform("layer/rain/mute", .int32(1)) == 0)
            try Self.save(half, to: "tone.yaml", in: run.folder)
            _ = try await program.line(containing: "Live changes to rain are kept until the patch has those layers")
            #expect(try peer.value("layer/count") == [.int32(1)])
            #expect(try peer.perform("session/save") == 0)
            let saved = try run.folder.read("mine.yaml")
            #expect(saved.contains("rain.gain: -41"), "\(saved)")
            #expect(saved.contains("muted: [rain]"), "\(saved)")
            let mark = program.lines.count
            try Self.save(whole, to: "tone.yaml", in: run.folder)
            _ = try await program.line(containing: "'tone.yaml' was read again. 1 live edit still applies.", from: mark)
            #expect(try peer.value("layer/rain/gain") == [.float(-41)])
            #expect(try peer.value("layer/rain/mute") == [.int32(1)])
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("is crossfaded without a click")
    func click() async throws {
        let recording = try await JACKServer.run(isPatient: true) { server in
            let program = try await PlayingProgram(
                on: server, ["tone.yaml": Self.tone(200)], options: ["--session", "mine.yaml", "--paused"])
            let capture = try await TimedCapture(of: program)
            #expect(try await program.peer.command("play") == 0)
            try await capture.advance(seconds: 0.2)
            try Self.save(Self.tone(300), to: "tone.yaml", in: program.folder)
            _ = try await program.process.line(containing: "was read again")
            // Some of the new tone, and some silence.
            try await capture.advance(seconds: 0.5)
            #expect(try await program.peer.command("stop") == 0)
            try await capture.advance(seconds: 0.2)
            let recording = try await capture.finish()
            #expect(try await program.terminate() == .code(0))
            return recording
        }
        for channel in recording.wave.channels {
            let sounding = channel.indices.filter { channel[$0] != 0 }
            let (first, last) = (try #require(sounding.first), try #require(sounding.last))
            #expect(channel[(first + 960)...].prefix(4800).contains { abs($0) > 0.05 }, "it sounded before")
            #expect(channel[..<(last - 960)].suffix(4800).contains { abs($0) > 0.05 }, "and afterwards")
            #expect(channel.last == 0)
            #expect(peakAbove(2000, in: channel[...], sampleRate: 48_000) < -100)
        }
    }

    @Test(
        "of the library is read again only with --watch, and one given by path not with --no-watch; others in the queue are read silently")
    func options() async throws {
        try await JACKServer.run { server in
            for (options, named, given) in [([], false, true), (["--watch"], true, true), (["--no-watch"], false, false)]
                as [([String], Bool, Bool)]
            {
                let run = try PlayRun(server)
                defer { run.keep() }
                try run.folder.write(Self.tone(400), to: "first.yaml")
                try run.folder.write(Self.tone(200), to: "patches/named.yaml")
                try run.folder.write(Self.tone(300), to: "given.yaml")
                let program = try run.start(["first.yaml", "named", "given.yaml", "--session", "mine.yaml", "--paused"] + options)
                let peer = try await Asker(program)
                try await program.state("paused")
                if !given {
                    // The queue has been looked at by the time at which a change of the session is saved.
                    #expect(try peer.perform("layer/1/gain", .float(-30)) == 0)
                    #expect(try await eventually { try peer.value("session/dirty") == [.int32(0)] })
                }
                for (folder, isWatched) in [(run.folder.path, given), (run.folder.file("patches"), named)] {
                    if isWatched { _ = try await eventually { try Self.watches(program, folder) } }
                    #expect(try Self.watches(program, folder) == isWatched, "\(folder)")
                }
                try Self.save(Self.tone(201), to: "patches/named.yaml", in: run.folder)
                try Self.save(Self.tone(301), to: "given.yaml", in: run.folder)
                // Files are read in turn, perhaps several at once: after the second time, the two before have been.
                for value in given ? [401, 402] : [] {
                    try Self.save(Self.tone(value), to: "first.yaml", in: run.folder)
                    #expect(try await Self.carrier(peer, is: Float(value)), "\(program.transcript)")
                }
                #expect(try peer.perform("queue/select", .int32(2)) == 0)
                #expect(try peer.value("layer/1/carrier") == [.float(named ? 201 : 200)])
                #expect(try peer.perform("queue/select", .int32(3)) == 0)
                #expect(try peer.value("layer/1/carrier") == [.float(given ? 301 : 300)])
                #expect(!program.transcript.contains("'named' was read"), "\(program.transcript)")
                #expect(!program.transcript.contains("'given.yaml' was read"), "\(program.transcript)")
                program.send(signal: SIGTERM)
                #expect(try await program.exit() == .code(0), "\(program.transcript)")
            }
        }
    }

    @Test("may be a sequence, or have a sound file")
    func otherKinds() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write("a: 200+10/10\nb: 300+10/10\nNOW a\n", to: "night.sbg")
            let file = "layers:\n  - {name: a, tone: {carrier: 200}, gain: -40}\n  - {name: f, file: {path: one.wav}, gain: -40}\n"
            try run.folder.write(file, to: "sea.yaml")
            try await Self.shell(
                "sox -n -r 48000 -c 2 one.wav synth 2 sine 100; sox -n -r 48000 -c 2 two.wav synth 2 sine 100", in: run.folder)
            let program = try run.start("night.sbg", "sea.yaml", "--session", "mine.yaml")
            let peer = try await Asker(program)
            try await program.state("playing")
            try Self.save("a: 200+10/10\nb: 300+10/10\nNOW b\n", to: "night.sbg", in: run.folder)
            #expect(try await Self.carrier(peer, is: 300), "\(program.transcript)")
            #expect(try peer.perform("queue/select", .int32(2)) == 0)
            try Self.save(
                file.replacingOccurrences(of: "one.wav", with: "two.wav").replacingOccurrences(of: "200", with: "250"), to: "sea.yaml",
                in: run.folder)
            #expect(try await Self.carrier(peer, is: 250))
            try Self.save(file.replacingOccurrences(of: "one.wav", with: "three.wav"), to: "sea.yaml", in: run.folder)
            _ = try await program.line(containing: "three.wav")
            #expect(try peer.value("now/state") == [.string("playing")])
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }
}
