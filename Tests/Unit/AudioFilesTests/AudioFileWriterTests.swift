import Foundation
import TestSupport
import Testing

@testable import AudioFiles

@Suite struct AudioFileWriterTests {
    private let folder: TemporaryFolder
    private let left = (0..<48_000).map { Float(0.5 * sin(2 * .pi * 997 * Double($0) / 48_000)) }
    private let right = (0..<48_000).map { Float(1e-4 * sin(2 * .pi * 333 * Double($0) / 48_000)) }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(_ name: String, _ depth: SampleFormat, title: String = "") throws -> String {
        try write(name, .init(.wav, depth), FileDetails(title: title))
    }

    @discardableResult
    private func write(_ name: String, _ encoding: AudioFileWriter.Encoding, _ details: FileDetails) throws -> String {
        let writer = try AudioFileWriter(path: folder.file(name), sampleRate: 48_000, encoding, details)
        for start in stride(from: 0, to: left.count, by: 1000) {
            try left[start..<(start + 1000)].withUnsafeBufferPointer { left in
                try right[start..<(start + 1000)].withUnsafeBufferPointer { right in
                    try writer.write(left: left, right: right)
                }
            }
        }
        #expect(writer.frameCount == 48_000)
        try writer.finish()
        return folder.file(name)
    }

    @Test("Float samples are read back unchanged, and a file has the same bytes every time")
    func floatIsExact() throws {
        let wave = try WaveFile(contentsOf: try write("a.wav", .float32))
        #expect(wave.sampleRate == 48_000)
        #expect(wave.channels == [left.map(Double.init), right.map(Double.init)])
        let first = try Data(contentsOf: URL(filePath: try write("b.wav", .float32)))
        let second = try Data(contentsOf: URL(filePath: try write("b.wav", .float32)))
        #expect(first == second)
        #expect(first.prefix(4) == Data("RIFF".utf8))
    }

    @Test("Integers are rounded with triangular dither", arguments: [(SampleFormat.int16, 16.0), (.int24, 24.0)])
    func integersAreDithered(format: SampleFormat, bits: Double) throws {
        let wave = try WaveFile(contentsOf: try write("i.wav", format))
        // The variances of rounding (1/12 of a step's square) and of the dither (1/6) add up to an RMS of half a step, 2^-bits; that of the sine is 0.5/sqrt(2).
        let residual = decibels(pow(2, -bits) / (0.5 / 2.0.squareRoot()))
        let measured = try #require(measureSine(wave.channels[0][...], sampleRate: 48_000))
        #expect(abs(measured.frequency - 997) < 1e-4)
        #expect(abs(measured.residualInDecibels - residual) < 0.1)
        // A sine of three steps at 16 bits is still a sine, and not a staircase: no harmonic stands out of the noise.
        let small = try #require(measureSine(wave.channels[1][...], sampleRate: 48_000))
        #expect(abs(small.amplitude - 1e-4) < 1e-6)
    }

    @Test("Integers are the same however the samples are divided between calls", arguments: [SampleFormat.int16, .int24])
    func pieces(format: SampleFormat) throws {
        let whole = try WaveFile(contentsOf: try write("whole.wav", format))
        let writer = try AudioFileWriter(path: folder.file("pieces.wav"), sampleRate: 48_000, .init(.wav, format))
        let lengths = [0, 1, 3, 7, 8, 37]
        var (start, piece) = (0, 0)
        while start < left.count {
            let end = min(left.count, start + lengths[piece % lengths.count])
            piece += 1
            try left[start..<end].withUnsafeBufferPointer { left in
                try right[start..<end].withUnsafeBufferPointer { try writer.write(left: left, right: $0) }
            }
            start = end
        }
        try writer.finish()
        #expect(try WaveFile(contentsOf: folder.file("pieces.wav")).channels == whole.channels)
    }

    @Test("NaN becomes 0, whatever its bits, and infinity is clipped", arguments: [SampleFormat.int16, .int24])
    func notANumber(format: SampleFormat) throws {
        let writer = try AudioFileWriter(path: folder.file("n.wav"), sampleRate: 48_000, .init(.wav, format))
        let samples: [Float] = [.nan, Float(bitPattern: 0x7fc0_1234), Float(bitPattern: 0xffff_ffff), .infinity, -.infinity]
        try samples.withUnsafeBufferPointer { try writer.write(left: $0, right: $0) }
        try writer.finish()
        let written = try WaveFile(contentsOf: folder.file("n.wav")).channels[0]
        #expect(written.prefix(3) == [0, 0, 0])
        #expect(abs(written[3] - 1) < 1e-4)
        #expect(abs(written[4] + 1) < 1e-4)
    }

    @Test("Samples too loud for integers are clipped and do not wrap")
    func clipping() throws {
        let writer = try AudioFileWriter(path: folder.file("c.wav"), sampleRate: 48_000, .init(.wav, .int16))
        let loud: [Float] = [2, -2, 1, -1]
        try loud.withUnsafeBufferPointer { try writer.write(left: $0, right: $0) }
        try writer.finish()
        let wave = try WaveFile(contentsOf: folder.file("c.wav"))
        #expect(zip(wave.channels[0], loud).allSatisfy { abs($0 - Double(max(-1, min(1, $1)))) < 1e-4 })
    }

    @Test("Dither does not lead beyond the ceiling", arguments: [(SampleFormat.int16, 15), (.int24, 23)])
    func ceiling(format: SampleFormat, bits: Int) throws {
        let writer = try AudioFileWriter(path: folder.file("l.wav"), sampleRate: 48_000, .init(.wav, format), ceiling: -6)
        let limit = pow(10, -6 / 20.0)
        let loud = (0..<10_001).map { $0 % 2 == 0 ? Float(limit) : -Float(limit) }
        try loud.withUnsafeBufferPointer { try writer.write(left: $0, right: $0) }
        try writer.finish()
        let written = try WaveFile(contentsOf: folder.file("l.wav")).channels[0].map { abs($0) }
        #expect(written.allSatisfy { $0 <= limit })
        #expect(written.allSatisfy { $0 >= limit - 4 * pow(2, -Double(bits)) })
    }

    @Test("A WAV file of 16 bits has the plain format chunk, and others the extended one", arguments: [SampleFormat.int16, .int24])
    func plainFormat(format: SampleFormat) throws {
        var details = FileDetails(title: "Plain")
        details.chapters = [.init(frame: 0, title: "One"), .init(frame: 24_000, title: "Two")]
        try write("p.wav", .init(.wav, format), details)
        let bytes = Array(try Data(contentsOf: URL(filePath: folder.file("p.wav"))))
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("fmt ".utf8)) })
        let isPlain = format == .int16
        #expect(Array(bytes[place + 4..<place + 12]) == (isPlain ? [16, 0, 0, 0, 1, 0, 2, 0] : [40, 0, 0, 0, 0xFE, 0xFF, 2, 0]))
        // The next bytes are a chunk again.
        let next = place + 8 + Int(bytes[place + 4])
        #expect(String(decoding: bytes[next..<next + 4], as: UTF8.self).allSatisfy { $0.isLetter || $0 == " " })
        #expect(try WaveFile(contentsOf: folder.file("p.wav")).channels[0].count == left.count)
    }

    @Test("A file appears under its name only when it is complete, and not at all after an interruption")
    func nothingHalf() throws {
        do {
            let writer = try AudioFileWriter(path: folder.file("d.wav"), sampleRate: 48_000, .init(.wav, .float32))
            try left.withUnsafeBufferPointer { try writer.write(left: $0, right: $0) }
            #expect(!FileManager.default.fileExists(atPath: folder.file("d.wav")))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("The title is in the file")
    func title() throws {
        let bytes = try Data(contentsOf: URL(filePath: try write("t.wav", .int24, title: "Deep sleep")))
        #expect(bytes.range(of: Data("INAM".utf8)) != nil)
        #expect(bytes.range(of: Data("Deep sleep".utf8)) != nil)
    }

    @Test("A full disk, a missing folder and a device are distinct errors with a remedy, and no file is left")
    func failures() throws {
        #expect(throws: AudioFileError.cannotCreate(path: "/no/such/folder/x.wav", reason: "no such file or directory")) {
            _ = try AudioFileWriter(path: "/no/such/folder/x.wav", sampleRate: 48_000, .init(.wav, .int16))
        }
        #expect(throws: AudioFileError.cannotCreate(path: "/dev/null", reason: "it is a device, not a file")) {
            _ = try AudioFileWriter(path: "/dev/null", sampleRate: 48_000, .init(.wav, .int16))
        }
        #expect(
            AudioFileError.diskFull(path: "a.wav").description
                == "Cannot write 'a.wav': the disk is full. Free some space, or choose another place with -o. No partial file was kept.")
    }

    @Test("A file that has taken the name meanwhile is kept, unless it may be replaced")
    func takenName() throws {
        let path = folder.file("a.wav")
        func write(replaces: Bool, meanwhile: String?) throws {
            let writer = try AudioFileWriter(path: path, sampleRate: 48_000, .init(.wav, .int16), replaces: replaces)
            if let meanwhile { try Data(meanwhile.utf8).write(to: URL(filePath: path)) }
            try writer.finish()
        }
        #expect(throws: AudioFileError.cannotCreate(path: path, reason: "another file has taken this name meanwhile")) {
            try write(replaces: false, meanwhile: "mine")
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
        try write(replaces: true, meanwhile: "mine")
        #expect(try WaveFile(contentsOf: path).sampleRate == 48_000)
        try FileManager.default.removeItem(atPath: path)
        try write(replaces: false, meanwhile: nil)
        #expect(try WaveFile(contentsOf: path).sampleRate == 48_000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("")) == ["a.wav"])
    }

    @Test(
        "A file whose last bytes the system does not take is an error, whatever the reason, and is not left",
        arguments: [AudioFileWriter.Encoding(.wav, .float32), .init(.wav, .int16), .init(.flac), .init(.ogg), .init(.opus), .init(.mp3)])
    func lostBytes(encoding: AudioFileWriter.Encoding) throws {
        let path = folder.file("lost.\(encoding.format.rawValue)")
        let writer = try AudioFileWriter(path: path, sampleRate: 48_000, encoding)
        try left.withUnsafeBufferPointer { try writer.write(left: $0, right: $0) }
        // From now on the file can only be read.
        let part = folder.file(".lost.\(encoding.format.rawValue).\(getpid()).part")
        let open = (0..<1024).first { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == part }
        let descriptor = Int32(try #require(open))
        let readable = Glibc.open(part, O_RDONLY | O_CLOEXEC)
        #expect(dup2(readable, descriptor) == descriptor)
        close(readable)
        #expect(throws: AudioFileError.cannotWrite(path: path, reason: "bad file descriptor")) { try writer.finish() }
        withExtendedLifetime(writer) {}
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    // MARK: Other formats, as others read them

    @Test("FLAC has the same samples as a WAV file of the same depth", arguments: [SampleFormat.int16, .int24])
    func flac(depth: SampleFormat) async throws {
        let wave = try WaveFile(contentsOf: try write("a.wav", depth))
        try write("a.flac", .init(.flac, depth), FileDetails(title: "Tone"))
        #expect(try await decoded("a.flac").channels == wave.channels)
    }

    @Test(
        "Vorbis, Opus and MP3 sound like the original and have as many frames, also without a title",
        arguments: [FileFormat.ogg, .opus, .mp3])
    func lossy(format: FileFormat) async throws {
        try write("a.\(format.rawValue)", .init(format, quality: 0.8), FileDetails())
        let wave = try await decoded("a.\(format.rawValue)")
        #expect(abs(wave.frameCount - 48_000) <= 1024)
        let sine = try #require(measureSine(wave.channels[0][9600..<38_400], sampleRate: 48_000, near: 997))
        #expect(abs(sine.frequency - 997) < 0.01)
        #expect(abs(decibels(sine.amplitude / 0.5)) < 0.2)
    }

    private static let details: FileDetails = {
        var details = FileDetails(title: "Tiefer Schlaf, 深い")
        details.artist = "Somebody"
        details.comment = "To fall asleep: \"quiet\"."
        details.chapters = [.init(frame: 0, title: "Settle"), .init(frame: 24_000, title: "Drop"), .init(frame: 36_036, title: "Ende ß")]
        return details
    }()

    @Test(
        "Title, artist, comment and chapters are in FLAC, Ogg and Opus files, as read by ffprobe",
        arguments: [FileFormat.flac, .ogg, .opus])
    func comments(format: FileFormat) async throws {
        let name = "a.\(format.rawValue)"
        try write(name, .init(format), Self.details)
        let printed = try await RunningProgram.run(
            "ffprobe", ["-v", "error", "-show_entries", "format_tags:stream_tags:chapters", "-of", "json", folder.file(name)])
        // A wrong checksum would be reported here.
        #expect(printed.exit == .code(0), "\(printed.output) \(printed.errors)")
        #expect(printed.errors.isEmpty, "\(printed.output) \(printed.errors)")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(printed.output.utf8)) as? [String: Any])
        let streams = json["streams"] as? [[String: Any]] ?? []
        let found = [json["format"] as? [String: Any]] + streams
        let pairs = found.compactMap { $0?["tags"] as? [String: String] }.flatMap { $0 }.map { ($0.key.lowercased(), $0.value) }
        let tags = Dictionary(pairs) { first, _ in first }
        #expect(tags["title"] == "Tiefer Schlaf, 深い")
        #expect(tags["artist"] == "Somebody")
        #expect(tags["comment"] == "To fall asleep: \"quiet\".")
        let chapters = (json["chapters"] as? [[String: Any]] ?? []).map { chapter in
            [chapter["start_time"] as? String ?? "", (chapter["tags"] as? [String: String])?["title"] ?? ""]
        }
        #expect(chapters == [["0.000000", "Settle"], ["0.500000", "Drop"], ["0.751000", "Ende ß"]])
    }

    @Test("More chapters than fit into a header or a page do not change the sound", arguments: FileFormat.allCases)
    func manyChapters(format: FileFormat) async throws {
        var details = FileDetails(title: "Long")
        details.chapters = (0..<900).map { .init(frame: $0 * 50, title: String(repeating: "chapter \($0) ", count: 8)) }
        let name = "a.\(format.rawValue)"
        try write(name, .init(format), details)
        let printed = try await RunningProgram.run(
            "ffprobe", ["-v", "error", "-show_entries", "chapters", "-of", "csv", folder.file(name)])
        #expect(printed.exit == .code(0), "\(printed.errors)")
        #expect(printed.errors.isEmpty, "\(printed.errors)")
        // WAV and Opus contain as many as fit.
        #expect(
            printed.outputLines.count { $0.hasPrefix("chapter,") } >= (format == .mp3 ? 255 : format == .opus || format == .wav ? 150 : 900)
        )
        #expect(abs(try await decoded(name).frameCount - 48_000) <= 1024)
    }

    @Test("A WAV file has a cue point and a label for each chapter, and its title, artist and comment")
    func cues() async throws {
        try write("a.wav", .init(.wav, .int16), Self.details)
        let printed = try await RunningProgram.run(
            "python3", [PackageRoot.file("Tests/Peers/acceptance/cue_chunks.py"), folder.file("a.wav")])
        #expect(
            printed.outputLines == [
                "{1: ('data', 0), 2: ('data', 24000), 3: ('data', 36036)}", "{1: 'Settle', 2: 'Drop', 3: 'Ende ß'}",
                "['Tiefer Schlaf, 深い', 'Somebody', 'To fall asleep: \"quiet\".']", "True",
            ], "\(printed.output) \(printed.errors)")
        let probe = try await RunningProgram.run(
            "ffprobe", ["-v", "error", "-show_entries", "format=duration:format_tags=title", "-of", "csv=p=0", folder.file("a.wav")])
        #expect(probe.outputLines == ["1.000000,\"Tiefer Schlaf, 深い\""], "\(probe.output) \(probe.errors)")
        #expect(try WaveFile(contentsOf: folder.file("a.wav")).frameCount == 48_000)
    }

    /// In a stress run all of the silence is written.
    @Test("Beyond 4 GiB a file is RF64, and a reader finds its length and its last samples (the silence in it is a hole in the file)")
    func rf64() async throws {
        let seconds = 26_000
        let writer = try AudioFileWriter(path: folder.file("big.wav"), sampleRate: 48_000, .init(.wav, .int16), Self.details)
        let silence = [Float](repeating: 0, count: left.count)
        for second in isStress ? Array(0..<seconds) : [0, seconds - 1] {
            let isLast = second == seconds - 1
            if isLast, !isStress { #expect(seek(try #require(writer.handle), Int64(second * 48_000), SEEK_SET) == Int64(second * 48_000)) }
            try (isLast ? left : silence).withUnsafeBufferPointer { left in
                try (isLast ? right : silence).withUnsafeBufferPointer { try writer.write(left: left, right: $0) }
            }
        }
        try writer.finish()
        let head = try FileHandle(forReadingFrom: URL(filePath: folder.file("big.wav"))).read(upToCount: 12) ?? Data()
        #expect(head.prefix(4) == Data("RF64".utf8))
        #expect(head.suffix(4) == Data("WAVE".utf8))
        let probe = try await RunningProgram.run(
            "ffprobe", ["-v", "error", "-show_entries", "format=duration:format_tags=title", "-of", "csv=p=0", folder.file("big.wav")])
        #expect(probe.outputLines == ["\(seconds).000000,\"Tiefer Schlaf, 深い\""], "\(probe.output) \(probe.errors)")
        let last = try await RunningProgram.run(
            "ffmpeg",
            ["-v", "error", "-ss", "\(seconds - 1)", "-i", folder.file("big.wav"), "-c:a", "pcm_s16le", "-y", folder.file("last.wav")])
        #expect(last.exit == .code(0), "\(last.output) \(last.errors)")
        let wave = try WaveFile(contentsOf: folder.file("last.wav"))
        #expect(wave.frameCount == 48_000)
        #expect(zip(wave.channels[0], left).allSatisfy { abs($0 - Double($1)) < 1e-4 })
    }

    @Test("A format that libsndfile cannot write is an error that names it")
    func missing() {
        #expect(FileFormat.allCases.filter { !$0.isAvailable } == [])
        #expect(
            AudioFileError.formatMissing(path: "a.opus", format: "Opus").description
                == "Cannot create 'a.opus': this system's libsndfile cannot write Opus. Choose another format, such as wav.")
    }

    /// The file as decoded by ffmpeg.
    private func decoded(_ name: String) async throws -> WaveFile {
        let run = try await RunningProgram.run(
            "ffmpeg",
            [
                "-v", "error", "-i", folder.file(name), "-c:a", name.hasSuffix("flac") ? "pcm_s24le" : "pcm_f32le", "-y",
                folder.file("decoded.wav"),
            ])
        #expect(run.exit == .code(0), "\(run.output) \(run.errors)")
        #expect(run.errors.isEmpty, "\(run.output) \(run.errors)")
        return try WaveFile(contentsOf: folder.file("decoded.wav"))
    }
}

/// Uses `sf_seek`: the gap is a hole in the file, which reads as zeros.
@_silgen_name("sf_seek")
private func seek(_ handle: OpaquePointer, _ frame: Int64, _ whence: Int32) -> Int64
