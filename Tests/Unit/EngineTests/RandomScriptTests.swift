import Engine
import Foundation
import Patches
import TestSupport
import Testing

/// Any actions in any order: 1000 random scripts for sines and as many for all other kinds, ten times as many in `make stress`,
/// on each kernel in turn.
@Suite("Nothing clicks in random scripts")
struct RandomScriptTests {
    private static let count = isStress ? 10_000 : 200
    private static let parts = isStress ? 20 : 5

    /// Each in its turn.
    private static func kernel(of number: Int) -> Kernel { Kernel.available[number / parts % Kernel.available.count] }

    /// dB: -100 to a tenth. A fade worked out in `Float` is itself off by -105 dB at most.
    private static let limit = -99.95
    /// -60 dBFS: silence proves nothing.
    private static let faint: Float = 0.001

    @Test(
        "With sines of up to 400 Hz, random scripts leave at most -100 dB above 2 kHz, relative to the current sound",
        arguments: 0..<parts)
    func sines(part: Int) {
        var (worst, audible) = ((level: -Double.infinity, script: ""), 0)
        for number in stride(from: part, to: Self.count, by: Self.parts) {
            var script = SineScript(seed: UInt64(number), kernel: Self.kernel(of: number))
            script.run()
            if script.engine.left.contains(where: { abs($0) > Self.faint }) { audible += 1 }
            let click = clickAbove(2000, left: script.engine.left, right: script.engine.right, sampleRate: 48_000)
            if click.level > worst.level {
                worst = (
                    click.level,
                    "script \(number), frame \(click.frame), where \(click.near) sounds: \(script.words.joined(separator: ", "))"
                )
            }
        }
        print("figure: random scripts, part \(part), \(audible) heard: \(worst.level) dB above 2 kHz in the worst")
        #expect(worst.level < Self.limit, "\(worst.level) dB: \(worst.script)")
        #expect(audible > Self.count / Self.parts * 9 / 10)
    }

    @Test(
        "With other kinds of layers, the output is the plan's own samples under the requested fades, within -100 dB", arguments: 0..<parts)
    func others(part: Int) throws {
        var (worst, audible) = ((level: -Double.infinity, script: ""), 0)
        for number in stride(from: part, to: Self.count, by: Self.parts) {
            var script = FadeScript(seed: UInt64(number), kernel: Self.kernel(of: number))
            let level = try script.difference()
            if script.peak > Self.faint { audible += 1 }
            if level > worst.level { worst = (level, "script \(number): \(script.words.joined(separator: ", "))") }
        }
        print("figure: random scripts of other kinds, part \(part), \(audible) heard: \(worst.level) dB beside the ideal in the worst")
        #expect(worst.level < Self.limit, "\(worst.level) dB: \(worst.script)")
        // Some have only layers of files, inputs and keys, which are silent here.
        #expect(audible > Self.count / Self.parts / 2)
    }
}
