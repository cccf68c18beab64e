import Application
import ArgumentParser
import AudioFiles
import Engine
import Foundation
import Library
import Patches
import Rendering
import Synchronization
import Terminal

struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Render patches or a session to sound files, faster than real time.",
        discussion: """
            The samples are identical to those of playback. Times are seconds, m:ss or h:mm:ss. The file name extension chooses the format: \
            .wav, .flac, .ogg (Vorbis), .opus or .mp3. A file appears only when it is complete. One that render wrote before is replaced, \
            unless it has changed since; any other only with --force.

            With several patches or a session, a folder gets one file per queue item, and a single file gets all items, one after the \
            other. A session is rendered as last saved, including its edits.

            With -o - the sound goes to standard output: as WAV, or with --format raw as interleaved little-endian samples. Messages then \
            go to standard error.

            EXAMPLES:
              binaural render deep-alpha -o deep-alpha.flac
              binaural render rain -o rain.wav --to 1:00:00 --depth 16
              binaural render tone.yaml -o middle.wav --from 5:00 --to 5:30 --depth 32f
              binaural render rain -o rain.ogg --to 5:00 --loop     a seamless loop
              binaural render rain -o rain.flac --to 5:00 --loudness -23
              binaural render welcome -o album/ --format flac --to 10:00 --jobs 4
              binaural render deep-alpha -o chapters/ --split chapters
              binaural render deep-alpha -o stems/ --stems          a file for each layer, for a DAW
              binaural render rain -o - --to 5:00 | ffmpeg -i - rain.m4a
            """
    )

    @ArgumentParser.Argument(
        help: "Patches or sessions, by name or by path.",
        completion: LibraryCompletion.of(.patches, .sessions, files: ["yaml", "yml", "sbg", "sbxseq"]))
    var items: [String]

    @OptionGroup var sequences: DialectOption

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file to write, a folder for one file per item (name/ is created), or - for standard output.", valueName: "file"),
        completion: .file(extensions: ["wav", "flac", "ogg", "opus", "mp3"]))
    var output: String

    @Option(
        help: ArgumentHelp(
            "File format, for folders (default: wav) and names without an extension, which get one; raw only for -o -.",
            valueName: "wav|flac|ogg|opus|mp3|raw"
        ))
    var format: FormatOption?

    @Option(help: ArgumentHelp("Position in the patch at which to start (default: 0).", valueName: "time"), transform: ClockTime.argument)
    var from: ClockTime?

    @Option(
        help: ArgumentHelp("Position at which to end; required for an endless patch (default: the patch's end).", valueName: "time"),
        transform: ClockTime.argument)
    var to: ClockTime?

    @Flag(
        help: """
            Make a seamless loop. It is up to a tenth shorter than requested, so that all phases at its end match those at its start \
            (within 0.01 of a cycle), and at least a second long. Layers that cannot match are crossfaded. An endless patch loops after \
            a minute. MP3 leaves a gap when it loops: use another format.
            """)
    var loop = false

    @Option(help: ArgumentHelp("Sample rate, 8000 to 384000.", valueName: "hz"))
    var sampleRate = 48_000

    @Option(
        help: ArgumentHelp(
            "Sample format of WAV and FLAC: 16 or 24 bits, or 32f (32-bit float, WAV only) (default: 24).", valueName: "16|24|32f"))
    var depth: SampleFormat?

    @Option(help: ArgumentHelp("Quality of Ogg, Opus and MP3, from 0 (smallest file) to 1 (best sound).", valueName: "0...1"))
    var quality: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Bring each file to this integrated loudness, -60 to 0 LUFS (EBU R 128), as far as the ceiling allows.", valueName: "LUFS"))
    var loudness: Double?

    @Option(
        help: ArgumentHelp(
            "Give each chapter a file of its own, in a folder; they join to the whole without a gap.", valueName: "chapters"))
    var split: SplitOption?

    @Flag(
        help: """
            Give each layer a file of its own, before the master, in a folder: together they are the mix. A MIDI file has the chapters as \
            markers and the bookmarks as cue points.
            """)
    var stems = false

    @OptionGroup var replacing: OutputOptions

    @Flag(help: "Print only warnings and errors.")
    var quiet = false

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
        if let loudness, !(-60...0).contains(loudness) {
            let meant = (0...60).contains(loudness) ? " Did you mean \(NumberText.string(from: -loudness))?" : ""
            throw ValidationError("--loudness takes -60 to 0 LUFS, not \(NumberText.string(from: loudness)).\(meant)")
        }
        if split != nil {
            guard place.isFolder else {
                throw ValidationError("--split writes several files: give --output a folder, such as -o chapters/.")
            }
            guard !loop else { throw ValidationError("--split and --loop contradict each other: a loop is one file.") }
        }
        if stems {
            guard place.isFolder else {
                throw ValidationError("--stems writes several files: give --output a folder, such as -o stems/.")
            }
            guard split == nil else { throw ValidationError("--stems and --split contradict each other: choose one.") }
            guard !loop else { throw ValidationError("--stems and --loop contradict each other: a loop is one file.") }
            guard loudness == nil else {
                throw ValidationError("--stems and --loudness contradict each other: the layers are written as they are in the mix.")
            }
        }
        guard (1...64).contains(jobs) else { throw ValidationError("--jobs takes 1 to 64, not \(jobs).") }
        _ = try encoding()
    }

    private var isStream: Bool { output == "-" }

    private var place: RenderPlace {
        if isStream { return RenderPlace(streaming: format == .raw ? .raw : .wav) }
        let place = RenderPlace(output)
        guard !place.isFolder, URL(filePath: output).pathExtension.isEmpty, let ending = format?.file?.rawValue,
            // A device or a pipe is written to as it is named.
            ((try? FileManager.default.attributesOfItem(atPath: output))?[.type] as? FileAttributeType ?? .typeRegular) == .typeRegular
        else { return place }
        return RenderPlace("\(output).\(ending)")
    }

    /// The requested encoding; throws if the options contradict each other.
    private func encoding() throws -> AudioFileWriter.Encoding {
        let place = place
        if isStream {
            guard format?.file ?? .wav == .wav else {
                throw ValidationError(
                    "Standard output takes --format wav or raw, since \(format?.file?.name ?? "") needs a file it can seek in.")
            }
            guard isatty(STDOUT_FILENO) == 0 else {
                throw ValidationError(
                    "The sound would be written to the terminal: send it to another program or a file, as in '-o - | aplay'.")
            }
        } else if format == .raw {
            throw ValidationError("--format raw is for standard output: use -o -, as in '-o - > \(output)'.")
        }
        let named = place.isFolder || isStream ? nil : FileFormat(fileExtension: URL(filePath: output).pathExtension)
        guard let format = format?.file ?? named ?? (place.isFolder || isStream ? .wav : nil) else {
            throw ValidationError(
                "Cannot tell the format of '\(output)': use a name ending in .wav, .flac, .ogg, .opus or .mp3, or --format.")
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
            guard !format.isLossless else { throw ValidationError("--quality is for Ogg, Opus and MP3: \(format.name) is lossless.") }
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
        try SystemLimits.requireAddressSpace((256 + 64 * self.jobs) << 20)
        let items = try RenderItem.items(
            items, in: Library(places: .current, dialect: sequences.dialect), warn: StandardError.write(lines:))
        for warning in items.flatMap({ $0.warnings(sampleRate: sampleRate, ceiling: ceiling) }) { StandardError.write(lines: warning) }
        let order = RenderOrder(
            items: items, place: place, encoding: try encoding(), from: from?.seconds, to: to?.seconds, isLoop: loop,
            sampleRate: sampleRate, kernel: try kernel.kernel(), ceiling: ceiling, loudness: loudness,
            split: stems ? .layers : split == .chapters ? .chapters : nil)
        var jobs = try order.jobs()
        let markers = try order.markers()
        let inputs = Array(Set(items.flatMap(\.files)))
        if isStream {
            try replacing.requireFreeStream(inputs: inputs)
        } else {
            for index in jobs.indices {
                let output = jobs[index].output
                // Rendering takes minutes: a place that is free now may be taken then.
                jobs[index].replaces = replacing.force || (try? FileManager.default.attributesOfItem(atPath: output)) != nil
                try replacing.requireFree(output, for: "render", inputs: inputs)
            }
        }
        for marker in markers { try replacing.requireFree(marker.path, for: "render", inputs: inputs) }
        try order.place.make()
        for marker in markers {
            try marker.file.write(to: marker.path)
            if let warning = replacing.record.add(marker.path, by: "render") { StandardError.write(lines: warning) }
        }
        let finished = try make(jobs)
        for (index, job) in jobs.enumerated() {
            if let result = finished[index] { report(job, result) }
        }
        if !quiet { for marker in markers { print("\(marker.path): \(marker.file.markerCount) markers") } }
    }

    /// Renders the files; returns the results by the job's index.
    private func make(_ jobs: [RenderJob]) throws -> [Int: RenderJob.Result] {
        let interruption = try Interruption()
        let title = jobs.count == 1 ? jobs[0].details.title : "\(jobs.count) files"
        var progress = quiet ? nil : ProgressLine(title: title, total: jobs.reduce(0) { $0 + $1.work })
        let warnings = Mutex<[String]>([])
        defer {
            progress?.clear()
            for warning in warnings.withLock({ $0 }) { StandardError.write(lines: warning) }
        }
        let (record, isStream) = (replacing.record, isStream)
        let pool = RenderPool(jobs) { job in
            guard !isStream, let warning = record.add(job.output, by: "render") else { return }
            warnings.withLock { $0.append(warning) }
        }
        let finished: [Int: RenderJob.Result]
        do {
            finished = try pool.run(atOnce: self.jobs) { done in
                progress?.show(done)
                return interruption.signal == nil
            }
        } catch AudioFileError.readerGone {
            // Ends like any program that writes to a closed pipe: without a message, since nobody reads any more.
            throw ProgramError(signal: SIGPIPE, "")
        }
        guard finished.count < jobs.count, let signal = interruption.signal else { return finished }
        progress?.clear()
        let rest =
            isStream
            ? "the sound on standard output is incomplete."
            : jobs.count == 1
                ? "\(jobs[0].output) was not written." : "\(finished.count) of \(jobs.count) files were written."
        throw ProgramError(signal: signal, "Cancelled; \(rest)")
    }

    private func report(_ job: RenderJob, _ result: RenderJob.Result) {
        let kind =
            switch (job.encoding.format, job.encoding.depth) {
            case (.ogg, _): "Vorbis"
            case (.opus, _): "Opus"
            case (.mp3, _): "MP3"
            case (_, .float32): "32-bit float"
            case (_, let depth): "\(depth.rawValue) bits"
            }
        let length = DurationText.string(from: Double(job.frameCount) / Double(sampleRate))
        let line = "\(job.output): \(length), \(sampleRate) Hz, \(kind)\(job.remark)\(result.loudness?.remark ?? "")"
        if !quiet { if isStream { StandardError.write(lines: line) } else { print(line) } }
        if let warning = result.loudness?.warning(ceiling: ceiling) { StandardError.write(lines: "\(job.output): warning: \(warning)") }
        if result.samplesAtCeiling > 0 {
            StandardError.write(
                lines:
                    "\(job.output): warning: \(result.samplesAtCeiling) samples above the ceiling of \(NumberText.string(from: ceiling)) dBFS were clipped: lower the gains of its sound files"
            )
        }
    }
}

extension SampleFormat: ExpressibleByArgument {}

/// The parts of a patch that get files of their own.
enum SplitOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case chapters
}

/// A file's format, or samples without a header.
enum FormatOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case wav, flac, ogg, opus, mp3, raw

    /// The format of files; `nil` for `raw`.
    var file: FileFormat? { FileFormat(rawValue: rawValue) }
}
