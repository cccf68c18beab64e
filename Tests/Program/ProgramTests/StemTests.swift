import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("render, layers as files")
struct StemTests {
    let environment: IsolatedEnvironment

    init() throws {
        environment = try IsolatedEnvironment()
        // Tones that are added up together, beside layers that are not.
        let tones = (1...9).map { "  - {name: tone-\($0), tone: {carrier: \(60 + 40 * $0)}, gain: -44}\n" }.joined()
        try environment.folder.write(
            """
            title: Mix
            duration: 5
            fade: {in: 1, out: 2}
            layers:
              - {name: bed, binaural: {carrier: 200, beat: 10}, gain: -20}
              - {name: rain, noise: {color: pink}, gain: -30}
              - {name: off, tone: {carrier: 333}, gain: -120}
            \(tones)chapters:
              - {at: 0, title: Settle}
              - {at: 2, title: Tröpfeln, over: 1, set: {bed.beat: 4}}
              - {at: 4, set: {bed.beat: 5}}

            """, to: "mix.yaml")
        try environment.folder.write("title: Tone\nduration: 3\nlayers: [{name: one, tone: {carrier: 300}, gain: -20}]\n", to: "tone.yaml")
        try environment.folder.write(
            """
            format: 1
            title: Night
            queue:
              - {patch: ../mix.yaml, bookmarks: [1.5], muted: [bed]}
              - {patch: ../tone.yaml}
            master: {gain: -6}

            """, to: "sessions/night.yaml")
    }

    private func run(_ arguments: [String]) async throws -> FinishedProgram {
        try await RunningProgram.run(
            try PackageRoot.program(), ["render"] + arguments, environment: environment.variables, folder: environment.folder.path)
    }

    @discardableResult
    private func render(_ arguments: String..., part: [String] = []) async throws -> [String] {
        let run = try await run(arguments + part)
        #expect(run.exit == .code(0), "\(run.summary)")
        return run.outputLines
    }

    private func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: environment.folder.file(folder)).sorted()
    }

    private func wave(_ name: String) throws -> WaveFile { try WaveFile(contentsOf: environment.folder.file(name)) }

    /// The largest difference between the sum of files, with a gain, and another file.
    private func difference(_ stems: [WaveFile], gain: Double = 1, from mix: WaveFile) -> Double {
        var largest = 0.0
        for channel in 0..<2 {
            for frame in 0..<mix.frameCount {
                let sum = stems.reduce(0) { $0 + $1.channels[channel][frame] }
                largest = max(largest, abs(gain * sum - mix.channels[channel][frame]))
            }
        }
        return largest
    }

    /// Roundings of a dozen layers, in the last bits of samples below 0.5.
    private static let roundings = 2.5e-6

    @Test(
        "--stems writes a file for each layer, as long as the item; they add up to the mix",
        arguments: [[], ["--from", "0:01", "--to", "0:03"]])
    func addUp(part: [String]) async throws {
        try await render("mix.yaml", "-o", "mix.wav", "--depth", "32f", part: part)
        try await render("mix.yaml", "-o", "stems/", "--stems", "--depth", "32f", "--jobs", "2", part: part)
        let names = try files("stems").filter { $0.hasSuffix(".wav") }
        #expect(names == ["01 bed.wav", "02 rain.wav", "03 off.wav"] + (1...9).map { String(format: "%02d tone-%d.wav", $0 + 3, $0) })
        let (mix, stems) = (try wave("mix.wav"), try names.map { try wave("stems/\($0)") })
        #expect(mix.frameCount == (part.isEmpty ? 5 : 2) * 48_000)
        #expect(stems.allSatisfy { $0.frameCount == mix.frameCount })
        let difference = difference(stems, from: mix)
        #expect(difference < Self.roundings, "\(difference)")
        #expect(stems[2].channels.allSatisfy { $0.allSatisfy { $0 == 0 } })
        for stem in stems[..<2] + stems[3...] { #expect(stem.channels[0].contains { abs($0) > 0.003 }) }
    }

    @Test("The layers of a session are numbered together, and are what its items are before the master")
    func session() async throws {
        let lines = try await render("night", "-o", "stems/", "--stems", "--depth", "32f")
        #expect(lines.first == "stems/01 Mix, bed.wav: 0:05, 48000 Hz, 32-bit float")
        #expect(lines.suffix(2) == ["stems/1 Mix.mid: 3 markers", "stems/2 Tone.mid: 0 markers"])
        let names = try files("stems")
        #expect(names.contains("13 Tone, one.wav") && names.count == 15, "\(names)")
        try await render("night", "-o", "album/", "--depth", "32f")
        let stems = try names.filter { $0.contains(" Mix, ") }.map { try wave("stems/\($0)") }
        let difference = difference(stems, gain: pow(10, -0.3), from: try wave("album/01 Mix.wav"))
        #expect(difference < Self.roundings, "\(difference)")
        #expect(stems[0].channels[0].allSatisfy { $0 == 0 }, "it is muted")
    }

    /// The texts and numbers of a MIDI file's events, with their times in ticks.
    private func events(_ name: String) throws -> [(tick: Int, kind: UInt8, text: String)] {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: environment.folder.file(name))))
        try #require(bytes.starts(with: Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0x03, 0xC0] + Array("MTrk".utf8)))
        #expect(bytes[18..<22].reduce(0) { $0 << 8 | Int($1) } == bytes.count - 22)
        var (place, tick) = (22, 0)
        func variable() -> Int {
            var number = 0
            while bytes[place] & 0x80 != 0 {
                number = number << 7 | Int(bytes[place] & 0x7F)
                place += 1
            }
            place += 1
            return number << 7 | Int(bytes[place - 1])
        }
        var events: [(tick: Int, kind: UInt8, text: String)] = []
        while place < bytes.count {
            tick += variable()
            try #require(bytes[place] == 0xFF)
            let kind = bytes[place + 1]
            place += 2
            let count = variable()
            let data = Array(bytes[place..<place + count])
            events.append((tick, kind, kind == 0x51 ? "\(data)" : String(decoding: data, as: UTF8.self)))
            place += count
        }
        return events
    }

    @Test("A MIDI file has the chapters as markers and the bookmarks as cue points, at 120 quarter notes a minute")
    func markers() async throws {
        try await render("night", "-o", "stems/", "--stems", "--from", "0:01", "--quiet")
        let found = try events("stems/1 Mix.mid").map { "\($0.tick) \($0.kind) \($0.text)" }
        #expect(
            found == ["0 3 Mix", "0 81 [7, 161, 32]", "0 6 Settle", "960 7 Bookmark 1", "1920 6 Tröpfeln", "1920 47 "], "\(found)")
    }

    @Test("--stems needs a folder, and neither a loop, nor chapters, nor a loudness; a file that render did not write is not replaced")
    func refused() async throws {
        for (arguments, words) in [
            (["-o", "a.wav"], "give --output a folder"), (["-o", "-"], "give --output a folder"),
            (["-o", "a/", "--split", "chapters"], "--stems and --split contradict each other"),
            (["-o", "a/", "--loop"], "--stems and --loop contradict each other"),
            (["-o", "a/", "--loudness", "-23"], "--stems and --loudness contradict each other"),
        ] {
            let run = try await run(["mix.yaml", "--stems"] + arguments)
            #expect(run.exit == .code(64) && run.errors.contains(words), "\(run.summary)")
        }
        for name in ["Mix.mid", "02 rain.wav"] {
            try environment.folder.write("mine", to: "stems/\(name)")
            let run = try await run(["mix.yaml", "-o", "stems/", "--stems"])
            #expect(run.exit == .code(73) && run.errors.contains(name), "\(run.summary)")
            #expect(try files("stems") == [name])
            #expect(try environment.folder.read("stems/\(name)") == "mine")
            try FileManager.default.removeItem(atPath: environment.folder.file("stems/\(name)"))
        }
        try await render("mix.yaml", "-o", "stems/", "--stems", "--quiet")
        // Its own files are made again.
        try await render("mix.yaml", "-o", "stems/", "--stems", "--quiet")
    }
}
