import Foundation

/// The contents of a sound file as reported by other programs.
package struct SoundFileReading: Equatable, Sendable {
    /// The number of frames, if the program reports it.
    package var frames: Int?
    package var chapters: [Chapter]

    package struct Chapter: Equatable, Sendable, CustomStringConvertible {
        /// Seconds, or frames where the program counts them, from the start of the file.
        package var start: Double
        package var title: String

        package init(_ start: Double, _ title: String) { (self.start, self.title) = (start, title) }

        package var description: String { "\(start) \(title)" }
    }

    package init(frames: Int?, chapters: [Chapter]) { (self.frames, self.chapters) = (frames, chapters) }
}

/// Programs that read sound files, none of which has anything to do with this one. Each but ffprobe reads many files in one run; each throws
/// with all that the program said where it is not content.
package enum ForeignReaders {
    private static var environment: [String: String] { ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 } }

    private static func run(_ program: String, package name: String, _ arguments: [String]) async throws -> FinishedProgram {
        let run = try await RunningProgram.run(
            requireTool(program, package: name), arguments, environment: environment, worksLong: true)
        guard run.exit == .code(0) else {
            throw ProgramFailure("\(program) -> \(run.exit)\n\(run.output.suffix(4000))\n\(run.errors.suffix(4000))")
        }
        return run
    }

    /// libsndfile's own program, which reads the whole of each file. Of chapters it prints the labels alone, and of those the first nine.
    package static func sndfileInfo(_ paths: [String]) async throws -> [SoundFileReading] {
        let run = try await run("sndfile-info", package: "sndfile-programs", paths)
        var readings: [SoundFileReading] = []
        for line in run.outputLines {
            if line.hasPrefix("File :") { readings.append(SoundFileReading(frames: nil, chapters: [])) }
            guard !readings.isEmpty else { continue }
            let last = readings.count - 1
            if let match = line.wholeMatch(of: /Frames +: (\d+)/) { readings[last].frames = Int(match.1) }
            if let match = line.wholeMatch(of: /\s*labl : (\d+) : (.*)/) {
                readings[last].chapters.append(.init(Double(readings[last].chapters.count), String(match.2)))
            }
        }
        guard readings.count == paths.count, !run.errors.contains("Error"), !run.output.contains("Error") else {
            throw ProgramFailure("sndfile-info: \(run.output.suffix(4000)) \(run.errors.suffix(4000))")
        }
        return readings
    }

    /// The frames of each file, and all warnings.
    package static func sox(_ paths: [String]) async throws -> (frames: [Int], warnings: Set<String>) {
        let run = try await run("soxi", package: "sox", ["-s"] + paths)
        // It prints its own name, or path, first.
        return (run.outputLines.compactMap { Int($0) }, Set(run.errorLines.map { String($0.drop { $0 != " " }.dropFirst()) }))
    }

    /// Chapters begin at seconds.
    package static func ffprobe(_ path: String) async throws -> SoundFileReading {
        struct Probed: Decodable {
            struct Chapter: Decodable {
                let start_time: String
                let tags: [String: String]?
            }
            struct Stream: Decodable { let duration_ts: Int? }
            let chapters: [Chapter]
            let streams: [Stream]
        }
        let run = try await run(
            "ffprobe", package: "ffmpeg", ["-v", "error", "-show_entries", "stream=duration_ts:chapters", "-of", "json", path])
        guard run.errorLines.isEmpty else { throw ProgramFailure("ffprobe: \(run.errors)") }
        let decoded = try JSONDecoder().decode(Probed.self, from: Data(run.output.utf8))
        return SoundFileReading(
            frames: decoded.streams.first?.duration_ts,
            chapters: decoded.chapters.map { .init(Double($0.start_time) ?? .nan, $0.tags?["title"] ?? "") })
    }

    /// The contents of a WAV file as read by Python.
    package struct PythonReading: Sendable {
        /// The result of Python's module `wave`: channels, bytes per sample, sample rate, frames; or its error.
        package let wave: Result<[Int], ProgramFailure>
        /// The same if the header is changed to plain PCM.
        package let plain: Result<[Int], ProgramFailure>
        /// Whether the chunks fill the file up to its end, without gaps.
        package let isFilled: Bool
        /// The chapters, each with the frame where it begins.
        package let chapters: [SoundFileReading.Chapter]
    }

    package static func python(_ paths: [String]) async throws -> [PythonReading] {
        let run = try await run("python3", package: "python3", [PackageRoot.file("Tests/Peers/acceptance/wave_reader.py")] + paths)
        return try run.outputLines.map { line in
            let decoded = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            func result(_ key: String) -> Result<[Int], ProgramFailure> {
                (decoded[key] as? [Int]).map { .success($0) } ?? .failure(ProgramFailure(decoded[key] as? String ?? line))
            }
            let cues = (decoded["cues"] as? [[Any]] ?? []).map {
                SoundFileReading.Chapter(($0[0] as? NSNumber)?.doubleValue ?? .nan, $0[1] as? String ?? "")
            }
            return PythonReading(
                wave: result("wave"), plain: result("plain"), isFilled: decoded["isFilled"] as? Bool ?? false, chapters: cues)
        }
    }

    /// The version of that Python, such as 311.
    package static func pythonVersion() async throws -> Int {
        let script = "import sys; print(sys.version_info[0] * 100 + sys.version_info[1])"
        let run = try await run("python3", package: "python3", ["-c", script])
        return Int(run.output) ?? 0
    }

    /// `flac -t` decodes each file and compares the checksum of its samples; the chapters are metaflac's.
    package static func flac(_ paths: [String]) async throws -> [SoundFileReading] {
        _ = try await run("flac", package: "flac", ["--test", "--silent", "--warnings-as-errors"] + paths)
        let tags = try await run(
            "metaflac", package: "flac", ["--with-filename", "--no-utf8-convert", "--list", "--block-type=VORBIS_COMMENT"] + paths)
        let frames = try await run("metaflac", package: "flac", ["--with-filename", "--show-total-samples"] + paths)
        return paths.map { path in
            func lines(_ run: FinishedProgram) -> [String] {
                run.outputLines.filter { $0.hasPrefix("\(path):") }.map { String($0.dropFirst(path.count + 1)) }
            }
            // `    comment[0]: TITLE=Rain`
            let comments = lines(tags).compactMap { $0.firstMatch(of: /comment\[\d+\]: (.*)/).map { String($0.1) } }
            return SoundFileReading(frames: lines(frames).first.flatMap { Int($0) }, chapters: chapters(comments))
        }
    }

    package static func ogginfo(_ paths: [String]) async throws -> [SoundFileReading] {
        try await xiph("ogginfo", package: "vorbis-tools", paths)
    }

    package static func opusinfo(_ paths: [String]) async throws -> [SoundFileReading] {
        try await xiph("opusinfo", package: "opus-tools", paths)
    }

    private static func xiph(_ program: String, package name: String, _ paths: [String]) async throws -> [SoundFileReading] {
        let run = try await run(program, package: name, paths)
        // Both warn of holes, wrong checksums, and text that is not UTF-8.
        let complaint = run.outputLines.first { line in ["warning", "error"].contains { line.lowercased().hasPrefix($0) } }
        if let complaint { throw ProgramFailure("\(program): \(complaint)") }
        let files = run.outputLines.split { $0.hasPrefix("Processing file ") }
        guard files.count == paths.count else { throw ProgramFailure("\(program): \(run.output.suffix(4000)) \(run.errors)") }
        return files.map { lines in
            SoundFileReading(frames: nil, chapters: chapters(lines.filter { $0.hasPrefix("\t") }.map { String($0.dropFirst()) }))
        }
    }

    /// The chapters in comments such as `CHAPTER001=00:05:00.000` and `CHAPTER001NAME=Drop`.
    private static func chapters(_ comments: [String]) -> [SoundFileReading.Chapter] {
        var starts: [Int: Double] = [:]
        var titles: [Int: String] = [:]
        for comment in comments {
            if let match = comment.wholeMatch(of: /CHAPTER(\d+)=(\d+):(\d+):([\d.]+)/), let number = Int(match.1) {
                starts[number] = (Double(match.2) ?? .nan) * 3600 + (Double(match.3) ?? .nan) * 60 + (Double(match.4) ?? .nan)
            } else if let match = comment.wholeMatch(of: /CHAPTER(\d+)NAME=(.*)/), let number = Int(match.1) {
                titles[number] = String(match.2)
            }
        }
        return starts.keys.sorted().map { .init(starts[$0] ?? .nan, titles[$0] ?? "") }
    }
}
