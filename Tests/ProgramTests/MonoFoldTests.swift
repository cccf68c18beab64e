import Foundation
import Patches
import Studio
import TestSupport
import Testing

@testable import binaural

@Suite("Stereo folded to mono")
struct MonoFoldTests {
    private func fold(_ left: [String], _ right: [String]) -> MonoFold? {
        MonoFold([PortConnections(port: "b:out_left", connectedTo: left), PortConnections(port: "b:out_right", connectedTo: right)])
    }

    @Test("Both outputs on one port and nowhere else, or only one of them connected, fold the ears; anything else does not")
    func folds() {
        #expect(fold(["s:1"], ["s:1"]) == .mixed(destination: "s:1"))
        #expect(fold(["s:1"], []) == .oneEar(port: "b:out_left"))
        #expect(fold([], ["s:2", "r:1"]) == .oneEar(port: "b:out_right"))
        for (left, right) in [([], []), (["s:1"], ["s:2"]), (["s:1", "r:1"], ["s:2", "r:1"]), (["s:1"], ["s:1", "s:2"])]
            as [([String], [String])]
        {
            #expect(fold(left, right) == nil)
        }
    }

    @Test("The warning is given only if a layer needs both ears, and names it")
    func words() {
        let mono = Patch(layers: [Layer(name: "a", kind: .tone), Layer(name: "b", kind: .monaural), Layer(name: "c", kind: .noise)])
        let bed = Patch(layers: mono.layers + [Layer(name: "bed", kind: .binaural)])
        let two = Patch(layers: bed.layers + [Layer(name: "wind", kind: .spin)])
        for fold in [MonoFold.mixed(destination: "s:1"), .oneEar(port: "b:out_left")] {
            #expect(fold.words(for: mono) == nil)
            #expect(fold.words(for: bed)?.contains("layer `bed` needs both ears") == true)
            #expect(fold.words(for: two)?.contains("2 layers such as `bed` need both ears") == true)
        }
    }

    @Test("a warning is given during playback when the ears are mixed into one port, and when one of them is not connected")
    func live() async throws {
        try await JACKServer.run(ownClientName: true) { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let program = try run.start("welcome")
            try await program.state("playing")
            for port in run.ports { try await server.connect(port, "system:playback_1") }
            _ = try await program.line(
                containing: "Both outputs are mixed into system:playback_1, but 2 layers such as `root` need both ears.")
            try await server.disconnect(run.ports[1], "system:playback_1")
            _ = try await program.line(containing: "Only \(run.ports[0]) is connected, but 2 layers such as `root` need both ears.")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("check warns of a layer for two ears that is panned to one, with the time; other layers may be panned freely")
    func check() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            """
            layers:
              - {name: bed, binaural: {carrier: 200}, gain: -30}
              - {name: walk, bilateral: {pan: -1}, gain: -30}
              - {name: tone, tone: {carrier: 300, pan: 1}, gain: -40}
            chapters:
              - {at: 60, over: 30, set: {bed.pan: 1, walk.pan: 0}}

            """, to: "folded.yaml")
        let environment = try IsolatedEnvironment()
        let result = try await RunningProgram.run(try PackageRoot.program(), ["check", file], environment: environment.variables)
        #expect(result.exit == .code(0))
        #expect(result.errorLines.filter { $0.contains("panned to one") }.count == 2, "\(result.errors)")
        #expect(result.errors.contains("`bed`") && result.errors.contains("1:30") && result.errors.contains("`walk`"))
        #expect(!result.errors.contains("`tone`"))
    }
}
