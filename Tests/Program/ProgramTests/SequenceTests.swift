import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Sequences of SBaGen")
struct SequenceTests {
    let environment: IsolatedEnvironment

    init() throws { environment = try IsolatedEnvironment() }

    private func binaural(_ arguments: String...) async throws -> FinishedProgram {
        try await RunningProgram.run(
            try PackageRoot.program(), arguments, environment: environment.variables, folder: environment.folder.path)
    }

    private static let night = """
        -SE
        a: 200+10/20 pink/30
        b: 150+4/40
        22:00 a
        22:01 == b
        22:03 a
        """

    @Test("check reports how loud a sequence plays, what it ignores, and every fault with its place")
    func check() async throws {
        _ = try environment.folder.write(Self.night, to: "night.sbg")
        let good = try await binaural("check", "night.sbg")
        #expect(good.exit == .code(0))
        #expect(good.output == "night.sbg: plays with a gain of -6 dB, so that 100 % is at the ceiling", "\(good.summary)")
        #expect(good.errors.isEmpty)
        _ = try environment.folder.write("a: 200+10/80 mix/40 pink/40\nNOW a\n", to: "loud.sbg")
        let loud = try await binaural("check", "loud.sbg")
        #expect(loud.exit == .code(0))
        #expect(loud.errorLines.contains("loud.sbg:1:14: warning: `mix` has no sound file and is silent"), "\(loud.summary)")
        #expect(loud.errorLines.contains("loud.sbg:2:1: warning: the voices together reach 120 %"))
        _ = try environment.folder.write("queue: 200+10/20\nNOW qeue\n", to: "bad.sbg")
        let bad = try await binaural("check", "bad.sbg")
        #expect(bad.exit == .code(65))
        #expect(bad.errorLines.first == "bad.sbg:2:5: `qeue` is not defined above", "\(bad.summary)")
        #expect(bad.errors.contains("did you mean `queue`?"))
    }

    @Test("a sequence in a folder of patches is listed and found by its name")
    func list() async throws {
        _ = try environment.folder.write(Self.night, to: "patches/night.sbg")
        _ = try environment.folder.write("a: 100/10\n07:00 a\n19:00 == a\n", to: "sessions/never.sbg")
        _ = try environment.folder.write("a: 100/10\nb: 200/10\n07:00 a\n19:00 b\n", to: "patches/day.sbg")
        let run = try await binaural("list", "--long")
        #expect(run.outputLines.contains { $0.contains("night") && $0.contains("3:00") && $0.contains("night.sbg") }, "\(run.summary)")
        #expect(run.outputLines.contains { $0.contains("day.sbg") && $0.contains("24:00:00") })
        #expect(!run.output.contains("never"))
        #expect(try await binaural("check", "night").exit == .code(0))
    }

    @Test("a render has the level, carrier and beat of the file")
    func render() async throws {
        _ = try environment.folder.write(Self.night, to: "night.sbg")
        let late = try await binaural("render", "night.sbg", "-o", "late.wav", "--depth", "32f")
        #expect(late.exit == .code(0), "\(late.summary)")
        #expect(late.outputLines == ["late.wav: 3:00, 48000 Hz, 32-bit float"], "\(late.summary)")
        let wave = try WaveFile(contentsOf: environment.folder.file("late.wav"))
        // From 1:30 to 2:30 b is heard alone.
        for (channel, frequency) in [(wave.channels[0], 152.0), (wave.channels[1], 148.0)] {
            let sine = try #require(measureSine(channel[(110 * 48_000)..<(114 * 48_000)], sampleRate: 48_000, near: frequency))
            #expect(abs(sine.frequency - frequency) < 1e-6)
            #expect(abs(decibels(sine.amplitude) - decibels(0.4) + 6) < 1e-3)
        }
    }

    @Test("a day by the clock is rendered from one time of day to another, and never as a whole by accident")
    func day() async throws {
        _ = try environment.folder.write("a: 200+10/40\nb: 300+10/40\n07:00 a\n19:00 == b\n", to: "day.sbg")
        let whole = try await binaural("render", "day.sbg", "-o", "day.wav")
        #expect(whole.exit == .code(64), "\(whole.summary)")
        #expect(whole.errors.contains("'day' loops forever"), "\(whole.summary)")
        let part = try await binaural("render", "day.sbg", "-o", "day.wav", "--from", "12:00:00", "--to", "12:00:02", "--depth", "32f")
        #expect(part.exit == .code(0), "\(part.summary)")
        let sine = try #require(
            measureSine(try WaveFile(contentsOf: environment.folder.file("day.wav")).channels[0][...], sampleRate: 48_000, near: 205))
        #expect(abs(sine.frequency - 205) < 1e-6)
    }

    @Test("a render over midnight has the end of the day and then its beginning, sample for sample, with the chapters of both")
    func midnight() async throws {
        _ = try environment.folder.write(
            "-F 2000\nlate: 200+10/40 pink/5\nearly: 300+10/40\nnoon: 100/20\n00:00:05 == early\n12:00 == noon\n23:59:58 == late\n",
            to: "day.sbg")
        func render(_ name: String, _ from: String, _ to: String) async throws -> WaveFile {
            let run = try await binaural("render", "day.sbg", "-o", name, "--from", from, "--to", to, "--depth", "32f")
            #expect(run.exit == .code(0), "\(run.summary)")
            return try WaveFile(contentsOf: environment.folder.file(name))
        }
        let night = try await render("night.wav", "23:59:55", "24:00:10")
        let (evening, morning) = (try await render("e.wav", "23:59:55", "24:00:00"), try await render("m.wav", "0", "0:10"))
        #expect(night.frameCount == 15 * 48_000)
        for channel in 0..<2 {
            let isSame = night.channels[channel] == evening.channels[channel] + morning.channels[channel]
            #expect(isSame)
        }
        // A day later the sound is the same.
        let later = try await render("l.wav", "48:00:00", "48:00:10")
        #expect(later.channels == morning.channels)
        _ = try await RunningProgram.run(
            try PackageRoot.program(), ["render", "day.sbg", "-o", "n.flac", "--from", "23:59:55", "--to", "24:00:10"],
            environment: environment.variables, folder: environment.folder.path)
        let probe = try await RunningProgram.run(
            "ffprobe", ["-v", "error", "-show_entries", "chapter=start_time:chapter_tags=title", "-of", "csv=p=0", "n.flac"],
            folder: environment.folder.path)
        #expect(probe.outputLines == ["0.000000,noon", "3.000000,late", "10.000000,early"], "\(probe.summary)")
        // Several in one file: each ends with a fade at the requested time.
        let both = try await RunningProgram.run(
            try PackageRoot.program(),
            ["render", "day.sbg", "day.sbg", "-o", "both.wav", "--from", "23:59:55", "--to", "24:00:10", "--depth", "32f"],
            environment: environment.variables, folder: environment.folder.path)
        #expect(both.exit == .code(0), "\(both.summary)")
        let wave = try WaveFile(contentsOf: environment.folder.file("both.wav"))
        let half = wave.channels[0].prefix(15 * 48_000)
        #expect(wave.frameCount == 30 * 48_000)
        #expect(half.elementsEqual(wave.channels[0].suffix(15 * 48_000)))
        #expect(half.prefix(14 * 48_000).elementsEqual(night.channels[0].prefix(14 * 48_000)))
        #expect(abs(half.last ?? 1) < 1e-4)
    }

    @Test("an end before the beginning is refused; for a looping item, the error gives the next end")
    func endBeforeBeginning() async throws {
        _ = try environment.folder.write("a: 200+10/40\nb: 300+10/40\n07:00 a\n19:00 == b\n", to: "day.sbg")
        _ = try environment.folder.write(Self.night, to: "night.sbg")
        for (file, from, to, words) in [
            ("day", "22:00:00", "6:00:00", "--from 22:00:00 is not before the end at 6:00:00. For the next round use --to 30:00:00."),
            ("day", "70:00:00", "6:00:00", "--from 70:00:00 is not before the end at 6:00:00. For the next round use --to 78:00:00."),
            ("day", "30:00:00", "6:00:00", "--from 30:00:00 is not before the end at 6:00:00. For the next round use --to 54:00:00."),
            ("night", "2:00", "1:00", "--from 2:00 is not before the end at 1:00."),
        ] {
            let run = try await binaural("render", "\(file).sbg", "-o", "x.wav", "--from", from, "--to", to)
            #expect(run.exit == .code(64), "\(run.summary)")
            #expect(run.errors.hasSuffix(words), "\(run.summary)")
            #expect(!FileManager.default.fileExists(atPath: environment.folder.file("x.wav")))
        }
    }

    // MARK: Import and export

    @Test("an imported sequence is a patch that renders exactly the same samples")
    func imported() async throws {
        _ = try environment.folder.write(Self.night, to: "night.sbg")
        let run = try await binaural("import", "night.sbg", "-o", "copy.yaml")
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(run.output.isEmpty, "\(run.summary)")
        #expect(run.errors.isEmpty, "\(run.summary)")
        #expect(try await binaural("check", "copy.yaml").exit == .code(0))
        #expect(try await binaural("render", "night.sbg", "-o", "a.wav", "--depth", "32f").exit == .code(0))
        #expect(try await binaural("render", "copy.yaml", "-o", "b.wav", "--depth", "32f").exit == .code(0))
        let (a, b) = (
            try WaveFile(contentsOf: environment.folder.file("a.wav")), try WaveFile(contentsOf: environment.folder.file("b.wav"))
        )
        let isSame = a.channels == b.channels
        #expect(isSame)
        let again = try await binaural("import", "copy.yaml", "-o", "again.yaml")
        #expect(again.exit == .code(64), "\(again.summary)")
    }

    @Test("an exported file is a sequence, and what it cannot represent is reported")
    func exported() async throws {
        _ = try environment.folder.write(
            "duration: 60\nlayers:\n  - {name: bed, tone: {carrier: 200}, gain: -20, pan: 0.5}\n", to: "tone.yaml")
        let run = try await binaural("export", "tone.yaml", "-o", "tone.sbg")
        #expect(run.exit == .code(0))
        #expect(run.errorLines == ["tone.sbg: warning: bed: its pan is left out"], "\(run.summary)")
        #expect(try await binaural("check", "tone.sbg").exit == .code(0))
        let elsewhere = try await binaural("export", "tone.yaml", "-o", "nowhere/tone.sbg")
        #expect(elsewhere.exit == .code(73), "\(elsewhere.summary)")
        _ = try environment.folder.write(
            "duration: 60\nlayers:\n  - {name: pulse, isochronic: {carrier: 200}, gain: -26}\n", to: "pulse.yaml")
        let plain = try await binaural("export", "pulse.yaml", "-o", "pulse.sbg", "--for", "sbagen")
        #expect(plain.exit == .code(0))
        #expect(plain.errorLines == ["pulse.sbg: warning: pulse: its pulses are left out; the tone is steady"], "\(plain.summary)")
        _ = try environment.folder.write("layers: [{name: music, input: {}}]\n", to: "music.yaml")
        let silent = try await binaural("export", "music.yaml", "-o", "music.sbg")
        #expect(silent.exit == .code(65), "\(silent.summary)")
        #expect(silent.errors.contains("Cannot write music.sbg: a sequence can hold no layer of this patch"), "\(silent.summary)")
        #expect(!FileManager.default.fileExists(atPath: environment.folder.file("music.sbg")))
    }

    @Test("a handwritten patch, exported without a loss, sounds the same as a sequence, sample for sample")
    func exportedSound() async throws {
        _ = try environment.folder.write(
            """
            title: Evening
            duration: 1:20
            gains: amplitude
            layers:
              - {name: bed, binaural: {carrier: 200.5, beat: 10}, gain: -20}
              - {name: rain, noise: {color: pink, correlation: 1, seed: 0}, gain: -40}
              - {name: pulse, isochronic: {carrier: 330, pulseRate: 4.5}, gain: -32.5}
              - {name: high, tone: {carrier: 700, wave: triangle}, gain: -45}
            chapters:
              - {at: 0:00, title: Settle}
              - {at: 0:20, title: Down, over: 0:40, set: {bed.beat: 4, bed.gain: -26, rain.gain: -30.25}}
              - {at: 1:05, title: Deep, over: 0:10, set: {bed.carrier: 150, high.gain: -120, pulse.pulseRate: 3}}
            """, to: "evening.yaml")
        let run = try await binaural("export", "evening.yaml", "-o", "evening.sbg")
        #expect(run.exit == .code(0), "\(run.summary)")
        let refused = "evening.sbg: warning: SBaGen refuses this file because of `@`, `triangle:`"
        #expect(run.errorLines == [refused + ": play it with binaural or SBaGenX, or use --for sbagen"], "\(run.summary)")
        #expect(run.output.isEmpty, "\(run.summary)")
        for name in ["evening.yaml", "evening.sbg"] {
            let run = try await binaural("render", name, "-o", name + ".wav", "--depth", "32f")
            #expect(run.exit == .code(0), "\(run.summary)")
            #expect(run.outputLines.first?.contains("1:20") == true, "\(run.summary)")
        }
        let waves = try ["evening.yaml.wav", "evening.sbg.wav"].map { try WaveFile(contentsOf: environment.folder.file($0)) }
        let worst = zip(waves[0].channels.joined(), waves[1].channels.joined()).reduce(0.0) { max($0, abs($1.0 - $1.1)) }
        #expect(worst == 0, "\(worst)")
        #expect(waves[0].frameCount == 80 * 48_000, "\(worst)")
        let loudest = waves[0].channels[0].reduce(0) { max($0, abs($1)) }
        #expect(loudest > 0.1)
    }

    // MARK: Bad input

    @Test("the largest accepted sequence is played directly, since as a patch it would exceed the maximum file size")
    func largest() async throws {
        var text = "a: \((0..<16).map { "\(100 + $0)+\($0 + 1)/5" }.joined(separator: " "))\n"
        text += "b: \((0..<16).map { "\(300 + $0)@\($0 + 1)/4" }.joined(separator: " "))\n"
        for second in 0..<4096 {
            text += "\(second / 180):\(second / 3 % 60):\(second % 3 * 20) \(second % 2 == 0 ? "a" : "b")\n"
        }
        _ = try environment.folder.write(text, to: "heavy.sbg")
        #expect(try await binaural("check", "heavy.sbg").exit == .code(0))
        let run = try await binaural("import", "heavy.sbg", "-o", "heavy.yaml")
        #expect(run.exit == .code(65), "\(run.summary)")
        #expect(run.errors.contains("play the sequence directly"), "\(run.summary)")
    }
}
