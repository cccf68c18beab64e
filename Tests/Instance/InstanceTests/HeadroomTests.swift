import Foundation
import InstanceSupport
import OSC
import TestSupport
import Testing

/// The warnings of `check` and `render` are in ProgramTests.
@Suite("Patches above the ceiling, while they play", .ownThread)
struct HeadroomTests {
    @Test("softer playing and clipping are each reported once for an item; counters show which guard acted")
    func live() throws {
        let home = try InstanceHome()
        let tone = (0..<48_000).map { Float(3 * sin(2 * .pi * 300 * Double($0) / 48_000)) }
        try WaveBytes.file([tone], sampleRate: 48_000).write(to: URL(filePath: home.folder.file("hot.wav")))
        try home.write(
            """
            title: Loud
            duration: 10:00
            layers:
              - {name: a, tone: {carrier: 300}, gain: -9}
              - {name: b, tone: {carrier: 401}, gain: -20}
            chapters:
              - {at: 1:30, over: 0:10, set: {b.gain: -3}}

            """, to: "loud.yaml")
        try home.write(
            "title: Soft\nduration: 10:00\nlayers: [{name: a, tone: {carrier: 300}, gain: -30}, {name: f, file: {path: hot.wav}, gain: -120}]\n",
            to: "soft.yaml")
        let instance = try home.start("loud.yaml", "soft.yaml")
        let peer = SteppedPeer(instance)
        func isReported(_ words: String) -> Bool { instance.notices.contains { $0.contains(words) } }
        instance.pass(seconds: 1)
        #expect(isReported("'Loud' is played 6.5 dB softer: its layers together reach 0.5 dBFS, above the ceiling of -6 dBFS."))
        for gain: Float in [0, -30, -1] {
            try #expect(peer.perform("layer/1/gain", .float(gain)) == 0)
            instance.pass(seconds: 1)
        }
        try #expect(peer.perform("position", .float(100)) == 0)
        #expect(try peer.value("guards") == [.int32(0), .int32(0), .int32(0)])
        try #expect(peer.perform("queue/next") == 0)
        instance.pass(seconds: 1)
        try #expect(peer.perform("layer/1/gain", .float(-1)) == 0)
        instance.pass(seconds: 1)
        #expect(isReported("'Soft' is played 5.0 dB softer: its layers together reach -1.0 dBFS"), "\(instance.notices)")
        try #expect(peer.perform("layer/1/gain", .float(-60)) == 0)
        try #expect(peer.perform("layer/2/gain", .float(-6)) == 0)
        // The file is read on a thread of its own.
        let isClipped = eventually {
            instance.pass(seconds: 0.1)
            return isReported("'Soft' has peaks above the ceiling of -6 dBFS, which are clipped and distort")
        }
        #expect(isClipped, "\(instance.notices)")
        for _ in 0..<3 {
            try #expect(peer.perform("layer/2/gain", .float(-7)) == 0)
            instance.pass(seconds: 1)
        }
        let guards = try peer.value("guards")
        guard case .int32(let clipped) = guards[0] else { throw ProgramFailure("\(guards)") }
        #expect(clipped > 100, "\(guards)")
        #expect(guards.dropFirst() == [.int32(0), .int32(0)], "\(guards)")
        for words in ["'Loud' is played", "'Soft' is played", "'Soft' has peaks"] {
            #expect(instance.notices.count { $0.contains(words) } == 1, "\(instance.notices)")
        }
    }
}
