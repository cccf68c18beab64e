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
        abstract: "Render patches or a session to sound files, faster than real time.",
        discussion: """
            The samples are identical to those of playback. Times are seconds, m:ss or h:mm:ss. The file name's ending chooses the format: \
            .wav, .flac, .ogg (Vorbis) or .opus. A file appears only when it is complete, and then replaces an existing one.

            With several patches or a session, a folder gets one file per queue item, and a single file gets all items, one after the \
            other. A session is rendered as last saved, including its edits.

            EXAMPLES:
              binaural render deep-alpha -o deep-alpha.flac
              binaural render rain -o rain.wav --to 1:00:00 --depth 16
              binaural render tone.yaml -o middle.wav --from 5:00 --to 5:30 --depth 32f
              binaural render rain -o rain.ogg --to 5:00 --loop     a seamless loop
              binaural render welcome -o album/ --format flac --to 10:00 --jobs 4
            """
    )

    @ArgumentParser.Argument(help: "Patches or sessions, by name or by path.", completion: .file(extensions: ["yaml", "sbg"]))
    var items: [String]

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file to write, or a folder for several; name/ is created.", valueName: "file"),
        completion: .file(extensions: ["wav", "flac", "ogg", "opus"]))
    var output: String

    @Option(help: ArgumentHelp("File format, for folders (default wav) and names without an ending.", valueName: "wav|flac|ogg|opus"))
    var format: FileFormat?

    @Option(help: ArgumentHelp("Position in the patch to start at.", valueName: "time"))
    var from: ClockTime?

    @Option(help: ArgumentHelp("Position to end at; required for an endless patch.", valueName: "time"))
    var to: ClockTime?

    @Flag(
        help: """
            Make a seamless loop, which ends where all phases meet those of its start (within 0.01 of a cycle): up to a tenth \
            shorter than requested, at least a second long. Other layers are crossfaded. An endless patch loops after a minute.
            """)
    var loop = false

    @Option(help: ArgumentHelp("Frames per second, 8000 to 384000.", valueName: "hz"))
    var sampleRate = 48_000

    @Option(
        help: ArgumentHelp(
            "Sample format of WAV and FLAC: 16 or 24 (default) bits, or 32f (floating point, WAV only).", valueName: "16|24|32f"))
    var depth: SampleFormat?

    @Option(help: ArgumentHelp("Quality of Ogg and Opus, 0 (small) to 1 (good).", valueName: "0...1"))
    var quality: Double?

    @Option(help: ArgumentHelp("Number of files to render at the same time.", valueName: "number"))
    var jobs = 1

    @Option(parsing: .unconditional, help: ArgumentHelp("Maximum sample level, -60 to 0 dBFS.", valueName: "dB"))
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
            throw ValidationError("Cannot tell the format of '\(output)': use a name ending in .wav, .flac, .ogg or .opus, or --format.")
        }
        if let named, named != format {
            throw ValidationError("--format \(format.rawValue) and the name '\(output)' contradict each other: remove --format.")
        }
        if let depth, !format.depths.contains(depth) {
            throw ValidationError(
                format.isLossless
                    ? "\(format.name) supports 16 or 24 bits: --depth \(depth.rawValue) is for WAV."
                    : "--depth is for WAV and FLAC: use --quality for \(format.name).")
        }
        if let quality {
            guard !format.isLossless else { throw ValidationError("--quality is for Ogg and Opus: \(format.name) is lossless.") }
            guard (0...1).contains(quality) else {
                throw ValidationError("--quality takes 0 to 1, not \(NumberText.string(from: quality)).")
            }
        }
        if let limit = format.limit(on: sampleRate) {
            throw ValidationError("\(format.name) needs a sample rate of \(limit), not \(sampleRate) Hz: choose one with --sample-rate.")
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
            ? "\(jobs[0].output) was not written." : "\(finished.count) of \(jobs.count) files were written."
        throw ProgramError(signal: signal, "Cancelled; \(rest)")
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
                    "\(job.output): warning: \(samplesAtCeiling) samples above the ceiling of \(NumberText.string(from: ceiling)) dBFS were clipped: lower the gains of its sound files"
            )
        }
    }
}

extension SampleFormat: ExpressibleByArgument {}
extension FileFormat: ExpressibleByArgument {}
