import Foundation
import TestSupport
import Testing

@testable import AudioFiles

@Suite("Streams of encoded sound") struct SoundEncoderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Five seconds of tones at 202.01 Hz on the left and 198.01 Hz on the right, interleaved.
    private static func beat(_ sampleRate: Int, level: Double = 0.25) -> [Float] {
        (0..<5 * sampleRate).flatMap { frame in
            [202.01, 198.01].map { Float(level * sin(2 * .pi * $0 * Double(frame) / Double(sampleRate))) }
        }
    }

    /// The pieces that an encoder gives for a sound in pieces of 20 ms.
    private func pieces(_ format: FileFormat, _ sampleRate: Int, _ sound: [Float]) throws -> [[UInt8]] {
        let encoder = try SoundEncoder(format, sampleRate: sampleRate)
        let size = 2 * sampleRate / 50
        return try stride(from: 0, to: sound.count, by: size).map { try encoder.encode(Array(sound[$0..<min($0 + size, sound.count)])) }
            + [encoder.finish()]
    }

    /// The sound that another program decodes.
    private func decoded(_ bytes: [UInt8], _ name: String) async throws -> WaveFile {
        try Data(bytes).write(to: URL(filePath: folder.file(name)))
        let run = try await RunningProgram.run(
            try requireTool("ffmpeg", package: "ffmpeg"),
            ["-v", "error", "-i", folder.file(name), "-c:a", "pcm_f32le", "-y", folder.file("decoded.wav")])
        #expect(run.exit == .code(0), "\(run.errors)")
        #expect(run.errors.isEmpty, "\(run.errors)")
        return try WaveFile(contentsOf: folder.file("decoded.wav"))
    }

    @Test(
        "Each ear keeps its frequency, and hears nothing of the other, in every format and from every rate",
        arguments: [FileFormat.mp3, .opus, .flac], [22_050, 44_100, 48_000, 96_000])
    func ears(format: FileFormat, sampleRate: Int) async throws {
        let pieces = try pieces(format, sampleRate, Self.beat(sampleRate))
        let wave = try await decoded(Array(pieces.joined()), "beat.\(format)")
        #expect(Int(wave.sampleRate) == (format.limit(on: sampleRate) == nil ? sampleRate : 48_000))
        let rate = Int(wave.sampleRate)
        for (ear, frequency, other) in [(0, 202.01, 198.01), (1, 198.01, 202.01)] {
            let middle = wave.channels[ear][rate..<4 * rate]
            let sine = try #require(measureSine(middle, sampleRate: wave.sampleRate))
            // LAME lowers the level by some tenths of a decibel, so that nothing clips.
            #expect(abs(sine.frequency - frequency) < 0.01, "\(sine)")
            #expect(abs(decibels(sine.amplitude / 0.25)) < 0.6, "\(sine)")
            let crosstalk = level(of: other, in: middle, sampleRate: wave.sampleRate)
            #expect(decibels(crosstalk / 0.25) < -40, "\(decibels(crosstalk / 0.25)) dB")
        }
    }

    /// The amplitude of a frequency in a sound of three seconds, under a Hann window, whose first zero is 2/3 Hz away.
    private func level(of frequency: Double, in samples: ArraySlice<Double>, sampleRate: Double) -> Double {
        var (sine, cosine) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let weight = 1 - cos(2 * .pi * Double(index) / Double(samples.count))
            let phase = 2 * .pi * frequency * Double(index) / sampleRate
            sine += weight * sample * sin(phase)
            cosine += weight * sample * cos(phase)
        }
        return 2 * (sine * sine + cosine * cosine).squareRoot() / Double(samples.count)
    }

    @Test(
        "A stream begins with its headers, and sound comes out of it at least every fifth of a second",
        arguments: [FileFormat.mp3, .opus, .flac])
    func latency(format: FileFormat) throws {
        let pieces = try pieces(format, 48_000, Self.beat(48_000))
        let magic: [UInt8] = format == .mp3 ? [0xFF, 0xFB] : Array((format == .opus ? "OggS" : "fLaC").utf8)
        #expect(pieces.joined().starts(with: magic))
        var gap = 0
        for (number, piece) in pieces.dropLast().enumerated() {
            gap = piece.isEmpty ? gap + 1 : 0
            #expect(gap < 10, "nothing for \(gap) pieces before \(number)")
        }
    }

    @Test("FLAC is the sound to 24 bits with dither; samples beyond full scale are clipped")
    func exact() async throws {
        var sound = Self.beat(48_000, level: 0.9)
        (sound[200_000], sound[200_001], sound[200_002]) = (1.5, -1.5, 1)
        let wave = try await decoded(Array(pieces(.flac, 48_000, sound).joined()), "exact.flac")
        #expect(wave.channels.map(\.count) == [240_000, 240_000])
        for frame in 0..<240_000 {
            for ear in 0..<2 {
                let sample = Double(max(-1, min(1, sound[2 * frame + ear])))
                let written = wave.channels[ear][frame]
                // Rounding and dither move a sample by one and a half steps at most.
                if abs(written - sample) > 1.5 * 0x1p-23 { Issue.record("frame \(frame): \(written) instead of \(sample)") }
            }
        }
    }

    @Test("Silence stays a stream, of enough bytes that no player waits for more", arguments: [FileFormat.mp3, .opus, .flac])
    func silence(format: FileFormat) async throws {
        let pieces = try pieces(format, 48_000, [Float](repeating: 0, count: 480_000))
        let wave = try await decoded(Array(pieces.joined()), "silence.\(format)")
        #expect(wave.channels[0].count >= 240_000)
        #expect(wave.channels.joined().allSatisfy { abs($0) < 1e-5 })
        #expect(pieces.joined().count > 5 * 8000)
    }

    @Test("A sample rate that cannot be converted is an error")
    func unsupported() {
        #expect(throws: AudioFileError.self) { try SoundEncoder(.opus, sampleRate: 100) }
    }
}
