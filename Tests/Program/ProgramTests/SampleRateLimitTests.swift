import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Layers with a frequency too high for the sample rate fade out, with a notice.
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

    @Test("during playback they are reported once for an item, whatever is changed in it, and again for another item")
    func live() async throws {
        try await JACKServer.run(sampleRate: 22_050) { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(Self.patch, to: "heights.yaml")
            try run.folder.write(
                "title: Other\nduration: 10:00\nlayers: [{name: low, tone: {carrier: 300}, gain: -30}]\n", to: "other.yaml")
            let program = try run.start("heights.yaml", "other.yaml")
            let first = try await program.line(containing: "In 'Heights' \(Self.sentences[0]), and 3 more.")
            try await program.state("playing")
            for carrier in ["12000", "300", "13000"] { try await run.ctl("layer/3/carrier", carrier) }
            try await run.ctl("position", "100")
            try await run.ctl("queue/next")
            _ = try await program.line(containing: "Other", from: first.index + 1)
            // Nothing is at a high frequency until it is moved there.
            try await run.ctl("layer/1/carrier", "11500")
            _ = try await program.line(containing: "In 'Other' layer `low` is silent at 0:0")
            #expect(program.lines.filter { $0.text.contains("In 'Heights'") }.count == 1, "\(program.transcript)")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("different items selected one right after the other, and while JACK is away, are each reported with their own layers")
    func unlikeItems() async throws {
        try await JACKServer.run(sampleRate: 22_050) { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(Self.patch, to: "heights.yaml")
            try run.folder.write("title: Other\nlayers: [{name: low, tone: {carrier: 300}, gain: -30}]\n", to: "other.yaml")
            let program = try run.start("heights.yaml", "other.yaml")
            let peer = try await Asker(program)
            try await program.state("playing")
            for round in 0..<100 {
                peer.send("queue/select", .int32(2))
                peer.send("queue/select", .int32(1))
                if round % 10 == 0 { try #expect(peer.perform("layer/5/gain", .float(-40)) == 0) }
            }
            let mark = program.lines.count
            try await server.kill()
            try await program.state("interrupted", from: mark)
            try #expect(peer.perform("queue/select", .int32(2)) == 0)
            try #expect(peer.perform("layer/1/gain", .float(-40)) == 0)
            try #expect(peer.perform("layer/5/gain", .float(-40)) != 0)
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
            #expect(!program.lines.contains { $0.text.contains("In 'Other'") }, "\(program.transcript)")
        }
    }
}
