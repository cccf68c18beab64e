import AudioFiles
import Foundation
import TestSupport
import Testing

@Suite struct WaveFileWriterTests {
    private let folder: TemporaryFolder
    private let left = (0..<48_000).map { Float(0.5 * sin(2 * .pi * 997 * Double($0) / 48_000)) }
    private let right = (0..<48_000).map { Float(1e-4 * sin(2 * .pi * 333 * Double($0) / 48_000)) }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(_ name: String, _ format: SampleFormat, title: String? = nil) throws -> String {
        let writer = try WaveFileWriter(path: folder.file(name), sampleRate: 48_000, format: format, title: title)
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

    @Test("Float samples come back as they were, and a file is the same bytes every time")
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

    @Test("What is too loud for integers is clipped and does not wrap")
    func clipping() throws {
        let writer = try WaveFileWriter(path: folder.file("c.wav"), sampleRate: 48_000, format: .int16)
        let loud: [Float] = [2, -2, 1, -1]
        try loud.withUnsafeBufferPointer { try writer.write(left: $0, right: $0) }
        try writer.finish()
        let wave = try WaveFile(contentsOf: folder.file("c.wav"))
        #expect(zip(wave.channels[0], loud).allSatisfy { abs($0 - Double(max(-1, min(1, $1)))) < 1e-4 })
    }

    @Test("Under its name there is nothing before the end, and nothing at all after an interruption")
    func nothingHalf() throws {
        do {
            let writer = try WaveFileWriter(path: folder.file("d.wav"), sampleRate: 48_000, format: .float32)
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

    @Test("A full disk, a missing folder and a device are told apart, with a remedy, and nothing is left")
    func failures() throws {
        #expect(throws: AudioFileError.cannotCreate(path: "/no/such/folder/x.wav", reason: "no such file or directory")) {
            _ = try WaveFileWriter(path: "/no/such/folder/x.wav", sampleRate: 48_000, format: .int16)
        }
        #expect(throws: AudioFileError.cannotCreate(path: "/dev/null", reason: "something that is not a file has that name")) {
            _ = try WaveFileWriter(path: "/dev/null", sampleRate: 48_000, format: .int16)
        }
        #expect(
            AudioFileError.diskFull(path: "a.wav").description
                == "Cannot write 'a.wav': the disk is full. Make room, or choose another place with -o; nothing is left of it.")
    }
}
