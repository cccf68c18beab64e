import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Layers with a frequency too high for the sample rate fade out; the notices of an instance are in InstanceTests.
@Suite("Frequencies beyond half the sample rate", .ownThread)
struct SampleRateLimitTests {
    private static let patch = """
        title: Heights
        duration: 10:00
        layers:
          - {name: bed, binaural: {carrier: 200}, gain: -30}
          - {name: near, tone: {carrier: 10600}, gain: -30}
          - {name: whistle, monaural: {carrier: 15000}, gain: -30}
          - {name: sweep, tone: {carrier: 1000}, gain: -30}
          - {name: piano, keys: {}}
        chapters:
          - {at: 1:30, over: 0:10, set: {sweep.carrier: 13000}}

        """

    private static let sentences = [
        "layer `near` is softer than its gain at 0:00: its frequency is close to half of a sample rate of 22050 Hz",
        "layer `whistle` is silent at 0:00: its frequency is too high for a sample rate of 22050 Hz",
        "layer `sweep` is silent at 1:38: its frequency is too high for a sample rate of 22050 Hz",
        "layer `piano` is soft or silent from the key E9 up: their frequencies are too high for a sample rate of 22050 Hz",
    ]

    private let environment: IsolatedEnvironment

    init() throws {
        environment = try IsolatedEnvironment()
        _ = try environment.folder.write(Self.patch, to: "heights.yaml")
    }

    private func binaural(_ arguments: String...) async throws -> FinishedProgram {
        try await RunningProgram.run(
            try PackageRoot.program(), arguments, environment: environment.variables, folder: environment.folder.path)
    }

    @Test("check names the layers at the given sample rate, and none at 48 kHz, the default")
    func check() async throws {
        let low = try await binaural("check", "--sample-rate", "22050", "heights.yaml")
        #expect(low.exit == .code(0))
        #expect(low.errorLines == Self.sentences.map { "heights.yaml: warning: " + $0 }, "\(low.summary)")
        let usual = try await binaural("check", "heights.yaml")
        #expect(usual.exit == .code(0), "\(usual.summary)")
        #expect(usual.errors.isEmpty, "\(usual.summary)")
        #expect(usual.output.isEmpty, "\(usual.summary)")
        let sequence = try environment.folder.write("a: 9000+10/10\nNOW a\n", to: "high.sbg")
        let sbg = try await binaural("check", "--sample-rate", "8000", sequence)
        #expect(sbg.errors.contains("layer `voice1` is silent at 0:00"), "\(sbg.summary)")
        for rate in ["100", "0", "-1", "400000", "fast"] {
            #expect(try await binaural("check", "--sample-rate", rate, "heights.yaml").exit == .code(64))
        }
    }

    @Test("render reports them at its own rate, and writes no aliases")
    func render() async throws {
        _ = try environment.folder.write("title: Whistle\nlayers: [{name: whistle, tone: {carrier: 15000}, gain: -12}]\n", to: "w.yaml")
        let low = try await binaural("render", "w.yaml", "-o", "low.wav", "--to", "1", "--sample-rate", "22050", "--depth", "32f")
        #expect(low.exit == .code(0))
        #expect(
            low.errorLines == [
                "Whistle: warning: layer `whistle` is silent at 0:00: its frequency is too high for a sample rate of 22050 Hz"
            ],
            "\(low.summary)")
        // It was heard at 7.05 kHz.
        #expect(try WaveFile(contentsOf: environment.folder.file("low.wav")).channels.allSatisfy { $0.allSatisfy { $0 == 0 } })
        let high = try await binaural("render", "w.yaml", "-o", "high.wav", "--to", "1", "--depth", "32f")
        #expect(high.errors.isEmpty, "\(high.summary)")
        let samples = try WaveFile(contentsOf: environment.folder.file("high.wav")).channels[0]
        #expect(try #require(measureSine(samples[10_000..<40_000], sampleRate: 48_000)).residualInDecibels < -120)
    }
}
