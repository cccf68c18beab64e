import Engine
import Patches
import Testing

@Suite("Level budget")
struct LevelBudgetTests {
    private func patch(_ gains: [Double], chapters: [Chapter] = [], duration: Double? = nil) -> Patch {
        Patch(
            duration: duration, layers: gains.enumerated().map { Layer(name: "l\($0)", kind: .tone, values: [.gain: $1]) },
            chapters: chapters)
    }

    // 20 log10(2) is 6.0206 dB.
    static let sums: [([Double], Double)] = [([-20], -20), ([-20, -20], -13.9794), ([-6, -120], -6), ([-120], -120)]

    @Test("levels add up as amplitudes", arguments: sums)
    func sum(gains: [Double], expected: Double) {
        let budget = LevelBudget(of: patch(gains))
        #expect(budget.peak == expected || abs(budget.peak - expected) < 1e-4)
        #expect(budget.position == 0)
    }

    @Test(
        "A level is shown with one decimal",
        arguments: [
            (-20, "-20.0"), (-6.0206, "-6.0"), (0.04, "0.0"), (-0.04, "0.0"), (3.96, "4.0"), (-.infinity, "-inf"), (.infinity, "inf"),
            (Double.nan, "inf"),
        ])
    func text(level: Double, expected: String) {
        #expect(LevelBudget.text(level) == expected)
    }

    @Test("the loudest moment counts, if it is reached")
    func moment() {
        let louder = Chapter(start: 60, over: 30, settings: [Setting(layer: 0, parameter: .gain, value: -10)])
        let softer = Chapter(start: 120, over: 30, settings: [Setting(layer: 0, parameter: .gain, value: -40)])
        let budget = LevelBudget(of: patch([-30], chapters: [louder, softer], duration: 200))
        #expect(abs(budget.peak + 10) < 1e-9)
        #expect(budget.position == 90)
        #expect(LevelBudget(of: patch([-30], chapters: [louder], duration: 60)).peak < -29.9)
    }
}
