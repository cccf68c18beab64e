import Patches
import TestSupport
import Testing

@Suite("Automation")
struct AutomationTests {
    /// Follows every move from the start on.
    private func expected(_ automation: Automation, at position: Double) -> Double {
        var value = automation.moving(automation.base)
        for (index, move) in automation.moves.enumerated() where move.start <= position {
            let next = index + 1 < automation.moves.count ? automation.moves[index + 1].start : .infinity
            value = automation.value(from: value, move, at: min(position, next))
        }
        return value
    }

    @Test("The value is that of all moves up to a position, each from the value that the one before reached", arguments: [false, true])
    func moves(amplitude: Bool) throws {
        var random = SplitMix64(seed: 20_261_127)
        for _ in 0..<300 {
            let (parameter, values) = amplitude ? (Parameter.gain, -60.0...0) : (.carrier, 20.0...1000)
            var patch = Patch(layers: [Layer(name: "one", kind: .tone, values: [parameter: .random(in: values, using: &random)])])
            patch.gainLaw = .amplitude
            var start = 0.0
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                start += Bool.random(using: &random) ? .random(in: 0...3, using: &random) : 0
                let over = Bool.random(using: &random) ? Double.random(in: 0.01...4, using: &random) : nil
                let setting = Setting(layer: 0, parameter: parameter, value: .random(in: values, using: &random))
                patch.cues.append(
                    Chapter(
                        start: start, over: over, ease: Bool.random(using: &random) ? .linear : .sineInOut, settings: [setting]))
            }
            let automation = try #require(patch.automation(of: parameter, layer: 0, edits: []))
            let starts = automation.moves.flatMap { [$0.start, $0.start + $0.over] }
            for position in starts + (0..<20).map({ _ in Double.random(in: -1...40, using: &random) }) {
                let value = automation.value(at: position)
                let moving = expected(automation, at: position)
                #expect(abs(automation.moving(value) - moving) <= 1e-11 * max(1, abs(moving)))
            }
            // At rest it is the number that was set.
            #expect(automation.value(at: 1000) == automation.moves.last?.target ?? automation.base)
            #expect(automation.value(at: -1) == automation.base)
        }
    }
}
