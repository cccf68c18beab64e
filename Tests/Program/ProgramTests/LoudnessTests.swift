import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Loudness")
struct LoudnessTests {
    let environment: IsolatedEnvironment

    init() throws {
        environment = try IsolatedEnvironment()
        _ = try environment.folder.write(
            """
            title: Moving
            duration: 40
            fade: {in: 2, out: 3}
            layers:
              - {name: bed, binaural: {carrier: 200, beat: 10}, gain: -20}
              - {name: rain, noise: {color: pink}, gain: -30}
            chapters: [{at: 4, over: 10, set: {bed.beat: 4, rain.gain: -24}}]
            """, to: "moving.yaml")
    }

    private func binaural(_ arguments: String...) async throws -> FinishedProgram {
        try await RunningProgram.run(
            try PackageRoot.program(), arguments, environment: environment.variables, folder: environment.folder.path)
    }

    /// Integrated loudness in LUFS and true peak in dBFS of a file, as ffmpeg measures them.
    private func measured(_ file: String) async throws -> (loudness: Double, peak: Double) {
        let run = try await RunningProgram.run(
            "ffmpeg", ["-nostats", "-i", file, "-map", "0:a", "-af", "ebur128=peak=true", "-f", "null", "-"],
            environment: ProcessInfo.processInfo.environment, folder: environment.folder.path)
        let summary = try #require(run.errors.components(separatedBy: "Summary:").last)
        func number(_ key: String) throws -> Double {
            try #require(
                summary.split(separator: "\n").first { $0.contains(key) }?.split(separator: " ").compactMap { Double($0) }.first,
                "\(run.summary)")
        }
        return (try number("I:"), try number("Peak:"))
    }

    @Test(
        "A file has the loudness that was asked for, as ffmpeg measures it, and the line says by how much it was changed",
        arguments: ["wav", "flac", "ogg", "opus"])
    func normalised(format: String) async throws {
        let run = try await binaural("render", "moving.yaml", "-o", "a.\(format)", "--loudness", "-23")
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(!run.errors.contains("warning"), "\(run.summary)")
        #expect(run.output.contains(", -23.0 LUFS ("), "\(run.output)")
        #expect(run.output.hasSuffix(" dB softer)"), "\(run.output)")
        // ffmpeg prints one decimal; lossy formats change a little.
        #expect(abs(try await measured("a.\(format)").loudness + 23) <= 0.2)
    }

    @Test("Every file of an album, a stretch, a loop and a single file of all get the loudness")
    func everyKind() async throws {
        _ = try environment.folder.write("title: Soft\nduration: 20\nlayers: [{tone: {carrier: 400}, gain: -60}]\n", to: "soft.yaml")
        for arguments in [
            ["moving.yaml", "soft.yaml", "-o", "out/", "--jobs", "2"], ["soft.yaml", "-o", "part.wav", "--from", "2", "--to", "9"],
            ["soft.yaml", "-o", "loop.wav", "--loop"], ["moving.yaml", "soft.yaml", "-o", "all.wav"],
        ] {
            let run = try await RunningProgram.run(
                try PackageRoot.program(), ["render"] + arguments + ["--loudness", "-30", "--depth", "32f"],
                environment: environment.variables,
                folder: environment.folder.path)
            #expect(run.exit == .code(0), "\(run.summary)")
            #expect(!run.errors.contains("warning"), "\(run.summary)")
        }
        for file in ["out/01 Moving.wav", "out/02 Soft.wav", "part.wav", "loop.wav", "all.wav"] {
            #expect(abs(try await measured(file).loudness + 30) <= 0.1, "\(file)")
        }
    }

    @Test("A loudness that the ceiling does not allow ends at the ceiling, with a warning")
    func limited() async throws {
        let run = try await binaural("render", "moving.yaml", "-o", "a.wav", "--depth", "32f", "--loudness", "-6", "--ceiling", "-3")
        #expect(run.exit == .code(0))
        #expect(run.errors.contains("a.wav: warning: -6 LUFS would exceed the ceiling of -3 dBFS: the file is at "), "\(run.summary)")
        let wave = try WaveFile(contentsOf: environment.folder.file("a.wav"))
        let peak = wave.channels.joined().reduce(0.0) { max($0, abs($1)) }
        #expect(peak <= Double(Float(pow(10, -3.0 / 20))), "\(peak)")
        #expect(abs(decibels(peak) + 3) < 1e-4, "\(peak)")
    }

    @Test("Silence stays silent, and a warning says so; a loudness out of range is an error before anything is written")
    func refusals() async throws {
        _ = try environment.folder.write("duration: 2\nlayers: [{tone: {}, gain: -120}]\n", to: "silent.yaml")
        let run = try await binaural("render", "silent.yaml", "-o", "a.wav", "--loudness", "-23")
        #expect(run.exit == .code(0))
        #expect(
            run.errorLines.filter { $0.contains("warning") } == [
                "a.wav: warning: it is silent, or shorter than 0.4 s, so its loudness was not changed"
            ], "\(run.summary)")
        for value in ["3", "-61", "nan", "loud"] {
            let wrong = try await binaural("render", "moving.yaml", "-o", "b.wav", "--loudness", value)
            #expect(wrong.exit == .code(64), "\(wrong.summary)")
            #expect(wrong.errors.contains("loudness"), "\(wrong.summary)")
        }
        #expect(!FileManager.default.fileExists(atPath: environment.folder.file("b.wav")))
    }

    @Test("`check --loudness` prints what ffmpeg measures in the rendered file, of a long patch in 24 places")
    func check() async throws {
        let run = try await binaural("check", "--loudness", "moving.yaml")
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(run.errors.isEmpty, "\(run.summary)")
        let numbers = run.output.split(separator: " ").compactMap { Double($0) }
        #expect(try await binaural("render", "moving.yaml", "-o", "a.wav").exit == .code(0))
        let file = try await measured("a.wav")
        #expect(run.output.hasPrefix("moving.yaml: "), "\(run.output)")
        #expect(numbers.count == 2, "\(run.output)")
        #expect(abs(numbers[0] - file.loudness) <= 0.11, "\(run.output), \(file)")
        #expect(abs(numbers[1] - file.peak) <= 0.31, "\(run.output), \(file)")
        _ = try environment.folder.write(
            "duration: 1:00:00\nlayers: [{tone: {carrier: 1000}, gain: -20}, {name: lead, keys: {}}]\n", to: "long.yaml")
        let long = try await binaural("check", "--loudness", "long.yaml")
        // A sine of 1 kHz and -20 dBFS in both channels is -20.0 LUFS.
        #expect(
            long.output == "long.yaml: about -20.0 LUFS, -20.0 dBTP (measured on 2:00 of 1:00:00, without its keys and inputs)",
            "\(long.summary)")
        // One of the ten minutes is 8 dB louder, and less of it is in the stretches. The figure is no less than that of the file.
        _ = try environment.folder.write(
            """
            duration: 10:00
            layers: [{name: bed, tone: {carrier: 1000}, gain: -28}]
            chapters: [{at: 2:00, set: {bed.gain: -20}}, {at: 3:00, set: {bed.gain: -28}}]
            """, to: "uneven.yaml")
        #expect(try await binaural("render", "uneven.yaml", "-o", "u.wav", "--depth", "16").exit == .code(0))
        let uneven = try await binaural("check", "--loudness", "uneven.yaml")
        let sampled = uneven.output.split(separator: " ").compactMap { Double($0) }
        #expect(try await sampled[0] >= measured("u.wav").loudness, "\(uneven.output)")
        _ = try environment.folder.write("layers: [{tone: {carrier: 1000}, gain: -120}]\n", to: "silent.yaml")
        #expect(try await binaural("check", "--loudness", "silent.yaml").output == "silent.yaml: silent (measured on its first 1:00)")
    }
}
