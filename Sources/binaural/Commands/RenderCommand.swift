import ArgumentParser
import AudioFiles
import Engine
import Foundation
import Library
import Patches
import Rendering
import Terminal

struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Write patches or a session into sound files, faster than they play.",
        discussion: """
            The samples are the very ones that playing gives. Times are seconds, m:ss or h:mm:ss. The end of the name says which format: \
            .wav, .flac, .ogg (Vorbis) or .opus. A file appears when it is complete; one that is there already is replaced then.

            Of several patches, or of a session, a folder gets one file for each item of the queue, and a file gets all of them, one after \
            the other. A session is taken as it was left, with what was changed in it.

            EXAMPLES:
              binaural render deep-alpha -o deep-alpha.flac
              binaural render rain -o rain.wav --to 1:00:00 --depth 16
              binaural render tone.yaml -o middle.wav --from 5:00 --to 5:30 --depth 32f
              binaural render rain -o rain.ogg --to 5:00 --loop     goes on at its beginning without a seam
              binaural render welcome -o album/ --format flac --to 10:00 --jobs 4
            """
    )

    @ArgumentParser.Argument(help: "Patches or sessions, by name or by path.", completion: .file(extensions: ["yaml", "sbg"]))
    var items: [String]

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file to write, or a folder for several; name/ is made.", valueName: "file"),
        completion: .file(extensions: ["wav", "flac", "ogg", "opus"]))
    var output: String

    @Option(help: ArgumentHelp("In a folder, or where the name does not say it (wav).", valueName: "wav|flac|ogg|opus"))
    var format: FileFormat?

    @Option(help: ArgumentHelp("Begin there in the patch.", valueName: "time"))
    var from: ClockTime?

    @Option(help: ArgumentHelp("End there; an endless patch needs it.", valueName: "time"))
    var to: ClockTime?

    @Flag(
        help: """
            Make a file that goes on from its end at its beginning, up to a tenth shorter than asked for and at least a second \
            long, where all phases meet (within 0.01 of a cycle); what has none is crossfaded. An endless patch is taken for a minute.
            """)
    var loop = false

    @Option(help: ArgumentHelp("Frames per second, 8000 to 384000.", valueName: "hz"))
    var sampleRate = 48_000

    @Option(
        help: ArgumentHelp(
            "Bits of a sample in WAV and FLAC: 16, 24 (unless told), or in WAV 32f for floating point.", valueName: "16|24|32f"))
    var depth: SampleFormat?

    @Option(help: ArgumentHelp("Of Ogg and Opus, 0 (small) to 1 (good).", valueName: "0...1"))
    var quality: Double?

    @Option(help: ArgumentHelp("Files that are made at once, where there are several.", valueName: "number"))
    var jobs = 1

    @Option(parsing: .unconditional, help: ArgumentHelp("No sample is above this level, -60 to 0 dBFS.", valueName: "dB"))
    var ceiling = -6.0

    @Option(help: ArgumentHelp("Instruction set of the render code, as in play.", valueName: "auto|baseline|avx2"))
    var kernel = KernelOption.auto

    func validate() throws {
        guard (8000...384_000).contains(sampleRate) else {
            throw ValidationError("--sample-rate takes 8000 to 384000 Hz, not \(sampleRate).")
        }
        guard ceiling >= -60, ceiling <= 0 else {
            throw ValidationError("--ceiling takes a level from -60 to 0 dBFS, not \(NumberText.string(from: ceiling)).")
        }
        guard (1...64).contains(jobs) else { throw ValidationError("--jobs takes 1 to 64, not \(jobs).") }
        _ = try encoding()
    }

    /// The requested encoding; throws if the options contradict each other.
    private func encoding() throws -> AudioFileWriter.Encoding {
        let place = RenderPlace(output)
        let named = place.isFolder ? nil : FileFormat(fileExtension: URL(filePath: output).pathExtension)
        guard let format = format ?? named ?? (place.isFolder ? .wav : nil) else {
            throw ValidationError("'\(output)' ends in none of .wav, .flac, .ogg and .opus: give --output such a name, or say --format.")
        }
        if let named, named != format {
            throw ValidationError("--format \(format.rawValue) and the name '\(output)' contradict each other: leave --format out.")
        }
        if let depth, !format.depths.contains(depth) {
            throw ValidationError(
                format.isLossless
                    ? "\(format.name) has 16 or 24 bits: --depth \(depth.rawValue) is for WAV."
                    : "--depth is for WAV and FLAC: what \(format.name) keeps is chosen with --quality.")
        }
        if let quality {
            guard !format.isLossless else { throw ValidationError("--quality is for Ogg and Opus: \(format.name) loses nothing.") }
            guard (0...1).contains(quality) else {
                throw ValidationError("--quality takes 0 to 1, not \(NumberText.string(from: quality)).")
            }
        }
        if let limit = format.limit(on: sampleRate) {
            throw ValidationError("\(format.name) has a sample rate of \(limit), not \(sampleRate): choose one with --sample-rate.")
        }
        return AudioFileWriter.Encoding(format, depth ?? .int24, quality: quality)
    }

    func run() throws {
        let items = try RenderItem.items(items, in: Library(places: .current), warn: StandardError.write(lines:))
        for warning in items.flatMap({ $0.warnings(sampleRate: sampleRate, ceiling: ceiling) }) { StandardError.write(lines: warning) }
        let order = RenderOrder(
            items: items, place: RenderPlace(output), encoding: try encoding(), from: from?.seconds, to: to?.seconds, isLoop: loop,
            sampleRate: sampleRate, kernel: try kernel.kernel(), ceiling: ceiling)
        let jobs = try order.jobs()
        try order.place.make()
        let finished = try make(jobs)
        for (index, job) in jobs.enumerated() {
            guard let samplesAtCeiling = finished[index] else { continue }
            report(job, samplesAtCeiling: samplesAtCeiling)
        }
    }

    /// Renders the files; returns the numbers of samples clipped at the ceiling, by job.
    private func make(_ jobs: [RenderJob]) throws -> [Int: UInt64] {
        let interruption = Interruption()
        let title = jobs.count == 1 ? jobs[0].details.title : "\(jobs.count) files"
        var progress = ProgressLine(title: title, total: jobs.reduce(0) { $0 + $1.frameCount })
        defer { progress.clear() }
        let finished = try RenderPool(jobs).run(atOnce: self.jobs) { done in
            progress.show(done)
            return interruption.signal == nil
        }
        guard finished.count < jobs.count, let signal = interruption.signal else { return finished }
        progress.clear()
        let rest =
            jobs.count == 1
            ? "\(jobs[0].output) is as it was." : "\(finished.count) of \(jobs.count) files are complete, the others are as they were."
        throw ProgramError(signal: signal, "Stopped before the end; \(rest)")
    }

    private func report(_ job: RenderJob, samplesAtCeiling: UInt64) {
        let kind =
            switch (job.encoding.format, job.encoding.depth) {
            case (.ogg, _): "Vorbis"
            case (.opus, _): "Opus"
            case (_, .float32): "32-bit float"
            case (_, let depth): "\(depth.rawValue) bits"
            }
        let length = DurationText.string(from: Double(job.frameCount) / Double(sampleRate))
        print("\(job.output): \(length), \(sampleRate) Hz, \(kind)\(job.remark)")
        if samplesAtCeiling > 0 {
            StandardError.write(
                lines:
                    "\(job.output): warning: \(samplesAtCeiling) samples above the ceiling of \(NumberText.string(from: ceiling)) dBFS were cut off: lower the gains of its sound files"
            )
        }
    }
}

extension SampleFormat: ExpressibleByArgument {}
extension FileFormat: ExpressibleByArgument {}
