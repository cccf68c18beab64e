import Engine
import Foundation
import Patches
import SBaGen
import TestSupport

/// One of the files of Tests/Unit/SBaGenTests/Sequences, in the form given to both ffmpeg's reader and the engine.
///
/// So that its seconds can be measured and lie at one place for both: a file by the clock begins with its first time (`-S`), and pink noise,
/// which is loud by chance in every second, is written as a tone of one pitch, or as silence where the voice turns into something else.
struct SequenceReading {
    let name: String
    let text: String
    let timeline: SequenceTimeline
    /// Seconds that are heard.
    let length: Double
    /// Seconds from the first time of the sequence to position 0.
    private let begins: Double
    private let patch: Patch
    /// The gain of an amplitude of 1 %.
    let unit: Double

    static let sampleRate = 8000.0
    static let folder = PackageRoot.file("Tests/Unit/SBaGenTests/Sequences")
    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".sbg") }.sorted()

    init(_ name: String) throws { try self.init(name, try String(contentsOfFile: Self.folder + "/" + name, encoding: .utf8)) }

    init(_ name: String, _ original: String) throws {
        try self.init(
            text: Self.measurable(original, try SBaGenSequence.parse(bytes: Array(original.utf8), file: name)), name: name)
    }

    /// Reads `text` without changes.
    init(text: String, name: String) throws {
        self.name = name
        let sequence = try SBaGenSequence.parse(bytes: Array(text.utf8), file: name)
        self.text = text
        patch = sequence.patch()
        // Loaded at midnight.
        let first =
            switch sequence.lines[0].time {
            case .clock(let time), .now(let time): Double(time)
            }
        let start = sequence.options.startTime.map(Double.init) ?? 0
        begins = sequence.options.startsAtFirst ? 0 : (start - first + Patch.day).truncatingRemainder(dividingBy: Patch.day)
        timeline = SequenceTimeline(sequence)
        length = min(patch.duration ?? Patch.day, Patch.day)
        // Files above 100 % are played softer; ffmpeg does not do that.
        let loudest = sequence.remarks.compactMap { remark -> Double? in
            if case .scaled(let percent) = remark.fault as? SequenceFault { percent } else { nil }
        }.max()
        unit = pow(10, SBaGenSequence.headroom / 20) / max(loudest ?? 100, 100)
    }

    private static func measurable(_ text: String, _ sequence: SBaGenSequence) -> String {
        let count = sequence.lines.map(\.set.voices.count).max() ?? 0
        let isSteady = (0..<count).map { voice in
            sequence.lines.allSatisfy { line in
                guard line.set.voices.indices.contains(voice) else { return true }
                return [.noise(.pink), .off].contains(line.set.voices[voice].kind)
            }
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var voice = -1
            return line.split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
                if word.contains("/") || word == "-" { voice += 1 }
                guard word.hasPrefix("pink/"), let amplitude = word.split(separator: "/").last?.split(separator: "#").first else {
                    return String(word)
                }
                let remark = word.contains("#") ? " #" : ""
                return (isSteady.indices.contains(voice) && isSteady[voice] ? "\(1000 + 100 * voice)/\(amplitude)" : "-") + remark
            }.joined(separator: " ")
        }.joined(separator: "\n")
        let options = sequence.options
        let isByClock =
            !options.startsAtFirst && options.startTime == nil
            && sequence.lines.allSatisfy { if case .clock = $0.time { true } else { false } }
        return (isByClock ? "-S\n" : "") + lines
    }

    /// The piece of each voice at a position, and the end of the stretch without changes.
    func pieces(at position: Double) -> [SequenceTimeline.Piece] {
        let time = (position + begins).truncatingRemainder(dividingBy: Patch.day)
        return timeline.voices.compactMap { pieces -> SequenceTimeline.Piece? in
            for turn in [0, Patch.day] {
                guard var piece = pieces.first(where: { $0.start <= time + turn && time + turn < $0.end }) else { continue }
                let shift = position - time - turn
                (piece.start, piece.end) = (piece.start + shift, piece.end + shift)
                return piece
            }
            return nil
        }
    }

    /// Positions at which a piece of any voice starts or ends.
    var corners: [Double] {
        let ends = timeline.voices.flatMap { $0.flatMap { [$0.start, $0.end] } }
            .map { ($0 - begins + 2 * Patch.day).truncatingRemainder(dividingBy: Patch.day) }
        return Set(ends + [0, length]).filter { $0 >= 0 && $0 <= length }.sorted()
    }

    // MARK: Rendering a stretch with both

    struct Stretch {
        var start: Double
        var left: [Float]
        var right: [Float]
    }

    func ours(_ ranges: [ClosedRange<Double>]) -> [Stretch] {
        let plan = PlanCompiler.compile(patch, sampleRate: Self.sampleRate)
        return ranges.map { range in
            let count = Int((range.upperBound - range.lowerBound) * Self.sampleRate)
            let renderer = OfflineRenderer(plan, from: Int64(range.lowerBound * Self.sampleRate), kernel: .baseline, ceiling: 0)
            var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
            left.withUnsafeMutableBufferPointer { left in
                right.withUnsafeMutableBufferPointer { right in _ = renderer.render(left: left, right: right) }
            }
            return Stretch(start: range.lowerBound, left: left, right: right)
        }
    }

    /// - Returns: `nil` with the reason if ffmpeg refuses the file.
    func theirs(_ ranges: [ClosedRange<Double>]) async throws -> (stretches: [Stretch]?, refusal: String) {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "a.sbg")
        var stretches: [Stretch] = []
        // As many as a command line has room for.
        for start in stride(from: 0, to: ranges.count, by: 100) {
            let some = ranges[start..<min(start + 100, ranges.count)]
            var (inputs, outputs): ([String], [String]) = ([], [])
            for (index, range) in some.enumerated() {
                inputs += [
                    "-sample_rate", "\(Int(Self.sampleRate))", "-ss", "\(range.lowerBound)", "-t", "\(range.upperBound - range.lowerBound)",
                    "-f",
                    "sbg", "-i", "a.sbg",
                ]
                outputs += ["-map", "\(index)", "-f", "f32le", "\(index).raw"]
            }
            let run = try await RunningProgram.run("ffmpeg", ["-y", "-v", "error"] + inputs + outputs, folder: folder.path)
            guard run.exit == .code(0) else { return (nil, run.errors) }
            for (index, range) in some.enumerated() {
                let samples = try Data(contentsOf: URL(filePath: folder.file("\(index).raw"))).withUnsafeBytes {
                    Array($0.bindMemory(to: Float.self))
                }
                stretches.append(
                    Stretch(
                        start: range.lowerBound, left: stride(from: 0, to: samples.count - 1, by: 2).map { samples[$0] },
                        right: stride(from: 1, to: samples.count, by: 2).map { samples[$0] }))
            }
        }
        return (stretches, "")
    }
}

/// Frequency and amplitude of one tone among others: its two halves correlated with the frequency that is expected, under Hann's window.
func toneMeasured(_ samples: ArraySlice<Float>, near frequency: Double, sampleRate: Double) -> (frequency: Double, amplitude: Double) {
    /// Both angles advance by a rotation, which in 8000 samples is off by less than 1e-12.
    func correlation(_ samples: ArraySlice<Float>, from first: Int) -> (Double, Double) {
        let (step, start) = (2 * Double.pi * frequency / sampleRate, 2 * Double.pi * frequency * Double(first) / sampleRate)
        let turn = 2 * Double.pi / Double(samples.count)
        var (c, s) = (cos(start), sin(start))
        let (stepC, stepS) = (cos(step), sin(step))
        var (windowC, windowS) = (cos(turn / 2), sin(turn / 2))
        let (turnC, turnS) = (cos(turn), sin(turn))
        var (real, imaginary) = (0.0, 0.0)
        samples.withUnsafeBufferPointer { samples in
            var index = 0
            while index < samples.count {
                let sample = Double(samples[index]) * (0.5 - 0.5 * windowC)
                real += sample * c
                imaginary -= sample * s
                (c, s) = (c * stepC - s * stepS, s * stepC + c * stepS)
                (windowC, windowS) = (windowC * turnC - windowS * turnS, windowS * turnC + windowC * turnS)
                index += 1
            }
        }
        let count = Double(samples.count)
        return (4 * real / count, 4 * imaginary / count)
    }
    let half = samples.count / 2
    let (a, b) = (correlation(samples.prefix(half), from: 0), correlation(samples.dropFirst(half).prefix(half), from: half))
    let whole = correlation(samples, from: 0)
    let turn = atan2(a.0 * b.1 - a.1 * b.0, a.0 * b.0 + a.1 * b.1)
    return (frequency + turn / (2 * .pi) * sampleRate / Double(half), hypot(whole.0, whole.1))
}

/// Level in dB of the differences of samples, among which pink noise is loud by chance by 0.1 dB a second, at 8 kHz; its lowest octaves, which
/// hardly count there, by much more.
func differenceLevel(_ samples: ArraySlice<Float>) -> Double {
    let sum = zip(samples, samples.dropFirst()).reduce(0.0) { $0 + Double($1.1 - $1.0) * Double($1.1 - $1.0) }
    return 10 * log10(sum / Double(samples.count))
}
