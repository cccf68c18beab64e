import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Layers that together exceed the ceiling are played softer; the notices of an instance are in InstanceTests.
@Suite("Patches above the ceiling")
struct HeadroomTests {
    private static let loud = """
        title: Loud
        duration: 10:00
        layers:
          - {name: a, tone: {carrier: 300}, gain: -9}
          - {name: b, tone: {carrier: 401}, gain: -20}
        chapters:
          - {at: 1:30, over: 0:10, set: {b.gain: -3}}

        """

    private let environment: IsolatedEnvironment

    init() throws {
        environment = try IsolatedEnvironment()
        _ = try environment.folder.write(Self.loud, to: "loud.yaml")
    }

    private func binaural(_ arguments: String...) async throws -> FinishedProgram {
        try await RunningProgram.run(
            try PackageRoot.program(), arguments, environment: environment.variables, folder: environment.folder.path)
    }

    @Test("check reports how loud the layers are together, where, and by how much they are reduced under the given ceiling")
    func check() async throws {
        // -9 and -3 dB are 1.063.
        let usual = try await binaural("check", "loud.yaml")
        #expect(usual.exit == .code(0))
        #expect(
            usual.errorLines == [
                "loud.yaml: warning: the layers together reach 0.5 dBFS at 1:40, above the ceiling of -6 dBFS: everything is played 6.5 dB softer"
            ], "\(usual.summary)")
        #expect(try await binaural("check", "--ceiling", "0", "loud.yaml").errors.contains("played 0.5 dB softer"))
        _ = try environment.folder.write("layers: [{tone: {}, gain: -6}]\n", to: "just.yaml")
        #expect(try await binaural("check", "just.yaml").errors.isEmpty)
        _ = try environment.folder.write("a: 200/60 pink/40\nNOW a\n", to: "full.sbg")
        #expect(try await binaural("check", "full.sbg").errors.isEmpty)
        #expect(try await binaural("check", "--ceiling", "-12", "full.sbg").errors.contains("played 6.0 dB softer"))
    }

    @Test("render reports it once, and writes undistorted sines that reach the ceiling")
    func render() async throws {
        let run = try await binaural("render", "loud.yaml", "-o", "x.wav", "--from", "1:45", "--to", "1:50", "--depth", "32f")
        #expect(run.exit == .code(0))
        #expect(
            run.errorLines == [
                "Loud: warning: the ceiling of -6 dBFS was exceeded: the layers together reach 0.5 dBFS at 1:40, and are played 6.5 dB softer"
            ], "\(run.summary)")
        let samples = try WaveFile(contentsOf: environment.folder.file("x.wav")).channels[0]
        #expect(abs(decibels(samples.map(abs).max() ?? 0) + 6) < 0.05)
        // If they were clipped, they would have harmonics and intermodulation.
        var (real, imaginary) = (Array(samples[0..<1 << 17]), [Double](repeating: 0, count: 1 << 17))
        for index in real.indices {
            let x = 2 * Double.pi * Double(index) / Double(1 << 17)
            real[index] *= 0.35875 - 0.48829 * cos(x) + 0.14128 * cos(2 * x) - 0.01168 * cos(3 * x)
        }
        fourierTransform(real: &real, imaginary: &imaginary)
        let levels = (0..<1 << 16).map { hypot(real[$0], imaginary[$0]) }
        let highest = levels.max() ?? 1
        for harmonic in [900, 1203, 1500, 2005] {
            let line = harmonic * (1 << 17) / 48_000
            #expect(decibels((levels[line - 4...line + 4].max() ?? 1) / highest) < -100, "\(harmonic) Hz")
        }
        let free = try await binaural("render", "loud.yaml", "-o", "y.wav", "--to", "1", "--ceiling", "0")
        #expect(free.errors.contains("the ceiling of 0 dBFS was exceeded"), "\(free.summary)")
        #expect(free.errors.contains("0.5 dB softer"), "\(free.summary)")
    }

    @Test("samples of a file above full scale are clipped in a render, and reported with their number")
    func cut() async throws {
        let tone = (0..<48_000).map { Float(3 * sin(2 * .pi * 300 * Double($0) / 48_000)) }
        try WaveBytes.file([tone], sampleRate: 48_000).write(to: URL(filePath: environment.folder.file("hot.wav")))
        _ = try environment.folder.write("title: Hot\nlayers: [{file: {path: hot.wav}, gain: -6}]\n", to: "hot.yaml")
        let run = try await binaural("render", "hot.yaml", "-o", "x.wav", "--to", "1")
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(run.errorLines.count == 1, "\(run.summary)")
        #expect(
            run.errors.contains("samples above the ceiling of -6 dBFS were clipped: lower the gains of its sound files"), "\(run.summary)")
    }
}
