import Foundation
import ProgramSupport
import TestSupport
import Testing

/// A sound file of ten hours, read by the release program.
@Suite struct LongSoundFileTests {
    private static let hours = 10
    /// Another rate than JACK's, so that all of it is converted.
    private static let sampleRate = 44_100

    /// RF64, silence with a second of tone at the start of each hour; the silence takes no room on the disk.
    private static func write(to path: String) throws {
        let byteCount = hours * 3600 * sampleRate * 4
        let header = WaveBytes.header(sampleRate: sampleRate, channels: 2, .int16, byteCount: byteCount)
        try header.write(to: URL(filePath: path))
        let file = try FileHandle(forUpdating: URL(filePath: path))
        defer { try? file.close() }
        try file.truncate(atOffset: UInt64(header.count + byteCount))
        let tone = (0..<sampleRate).map { Float(0.5 * sin(2 * .pi * 441 * Double($0) / Double(sampleRate))) }
        let samples = WaveBytes.file([tone, tone], sampleRate: sampleRate, .int16).dropFirst(44)
        for hour in 0..<hours {
            try file.seek(toOffset: UInt64(header.count + hour * 3600 * sampleRate * 4))
            try file.write(contentsOf: samples)
        }
    }

    private static func patch(withFile: Bool) -> String {
        "title: Long\nlayers:\n  - {name: bed, binaural: {}, gain: -30}\n"
            + (withFile ? "  - {name: long, file: {path: long.wav}, gain: -20}\n" : "")
    }

    /// Seeks into some of the hours, each of which is heard for a moment, and comes back to the start.
    private func seek(_ peer: OSCPeer) async throws {
        #expect(try await peer.command("play") == 0)
        for hour in [9, 3, 7, 0] {
            #expect(try await peer.command("position", .float(Float(hour * 3600))) == 0)
            // Plays there for a moment.
            _ = try await eventually { try await 0.3..<60 ~= (peer.value("now/elapsed").numbers[0] ?? 0) - Double(hour * 3600) }
        }
    }

    /// Memory in kB of a session that played from the start, made seeks into some hours and played on for this long.
    private func memory(withFile: Bool, seconds: Double) async throws -> Int {
        try await JACKServer.run(bufferSize: 1024) { server in
            let program = try await PlayingProgram(on: server, ["long.yaml": Self.patch(withFile: withFile)], options: ["--paused"])
            if withFile { try Self.write(to: program.folder.file("long.wav")) }
            try await seek(program.peer)
            try await server.freewheel(true)
            try await program.peer.reach(seconds)
            let memory = try RunningCostTests.memory(of: program.process.pid)
            try await server.freewheel(false)
            #expect(try await program.terminate() == .code(0))
            #expect(!program.process.errorLines.contains { $0.contains("long.wav") }, "\(program.process.errorLines)")
            return (memory["RssAnon"] ?? .max / 2) + (memory["RssFile"] ?? 0)
        }
    }

    @Test(
        "Playing ten minutes of a ten-hour file at another sample rate takes at most 10 MB more than the session without it (all ten hours in a stress run)"
    )
    func memory() async throws {
        let seconds = isStress ? Double(Self.hours * 3600) : 600
        let without = try await memory(withFile: false, seconds: seconds)
        let with = try await memory(withFile: true, seconds: seconds)
        Figures.report(
            "memory for a layer with a sound file of 10 hours, \(Int(seconds)) s played with it and without",
            "\(with - without) kB above \(without) kB")
        #expect(with - without <= 10_000)
    }

    @Test(
        "While a layer plays and seeks in a ten-hour file for over 10,000 cycles, the callback makes no allocation, free, lock or system call"
    )
    func callback() async throws {
        let shim = try await RealTimeShim()
        try await JACKServer.run(bufferSize: 64) { server in
            let program = try await PlayingProgram(
                on: server, ["long.yaml": Self.patch(withFile: true)], options: ["--paused"], preload: shim.environment)
            try Self.write(to: program.folder.file("long.wav"))
            try await seek(program.peer)
            try await server.freewheel(true)
            // 15,000 cycles.
            try await program.peer.reach(20)
            try await server.freewheel(false)
            // Where the second tone is, heard in real time.
            #expect(try await program.peer.command("position", .float(3600)) == 0)
            try await program.peer.reach(3600.5)
            #expect(try await program.terminate() == .code(0))
            #expect(!program.process.errorLines.contains { $0.contains("long.wav") }, "\(program.process.errorLines)")
        }
        let report = try shim.report()
        Figures.report(
            "process callback with a sound file of 10 hours", "\(report.cycles) cycles, \(report.isClean ? "nothing" : "\(report)")")
        #expect(report.cycles >= 10_000)
        #expect(report.isClean, "\(report)")
    }

    @Test("After a live seek into the tenth hour, the second of tone there is heard, and then silence")
    func heard() async throws {
        // It waits for late clients: no cycle is lost, and the tone is whole.
        try await JACKServer.run(bufferSize: 1024, isPatient: true) { server in
            let patch = "title: Long\nlayers:\n  - {name: long, file: {path: long.wav}, gain: -20}\n"
            let program = try await PlayingProgram(on: server, ["long.yaml": patch], options: ["--paused"])
            try Self.write(to: program.folder.file("long.wav"))
            let recording = try await server.startCapture(program.ports, seconds: 6)
            // A moment before the hour, so that the fade of the start is over when it sounds.
            #expect(try await program.peer.command("position", .float(9 * 3600 - 0.5)) == 0)
            #expect(try await program.peer.command("play") == 0)
            let wave = try await recording.finish()
            for channel in wave.channels {
                let first = try #require(channel.firstIndex { abs($0) > 0.01 })
                let sine = try #require(measureSine(channel[(first + 480)..<(first + 47_000)], sampleRate: 48_000, near: 441))
                #expect(abs(sine.frequency - 441) < 1e-3, "\(sine)")
                #expect(abs(sine.amplitude - 0.05) < 1e-4, "\(sine)")
                #expect(channel[..<max(first - 480, 0)].allSatisfy { abs($0) < 1e-6 })
                #expect(channel[(first + 48_480)...].allSatisfy { abs($0) < 1e-6 })
            }
            #expect(try await program.terminate() == .code(0))
            #expect(!program.process.errorLines.contains { $0.contains("long.wav") }, "\(program.process.errorLines)")
        }
    }

    @Test("A render from the tenth hour on contains the tone that is there")
    func tenthHour() async throws {
        let isolated = try IsolatedEnvironment()
        try Self.write(to: isolated.folder.file("long.wav"))
        try isolated.folder.write(
            "layers:\n  - {name: long, file: {path: long.wav}, gain: -20}\n", to: "long.yaml")
        let run = try await RunningProgram.run(
            try PackageRoot.program(),
            ["render", "long.yaml", "-o", "x.wav", "--from", "9:00:00", "--to", "9:00:02", "--depth", "32f"],
            environment: isolated.variables, folder: isolated.folder.path)
        #expect(run.exit == .code(0), "\(run.errors)")
        let wave = try WaveFile(contentsOf: isolated.folder.file("x.wav"))
        let sine = try #require(measureSine(wave.channels[0][4000..<44_000], sampleRate: 48_000, near: 441))
        #expect(abs(sine.frequency - 441) < 1e-3, "\(sine)")
        #expect(abs(sine.amplitude - 0.05) < 1e-3, "\(sine)")
        #expect(wave.channels[0][50_000...].allSatisfy { abs($0) < 1e-6 })
    }
}
