import Patches
import Synthesis
import TestSupport
import Testing

@testable import Engine

/// A plan that is compiled again after a change takes over what did not change.
@Suite("Plans that take over parts of another plan")
struct ReuseTests {
    @Test("A plan that reuses another one, edited or not, is equal to one that reuses nothing, in every bit", arguments: 0..<300)
    func equal(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed) &+ 9000)
        var patch = Patch.random(using: &generator)
        var draft = PlanDraft(PlanCompiler.compile(patch, sampleRate: 48_000))
        for _ in 0..<4 {
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                let frame = Int64.random(in: 0...72_000, using: &generator)
                draft.apply(
                    [patch.randomSetting(using: &generator)], at: frame, ramp: .random(in: 0...0.5, using: &generator),
                    forgettingBefore: Bool.random(using: &generator) ? frame : 0)
            }
            patch.vary(using: &generator)
            let edits = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                LiveEdit(setting: patch.randomSetting(using: &generator), position: .random(in: 0...1, using: &generator))
            }
            let new = PlanCompiler.compile(patch, edits: edits, sampleRate: 48_000)
            let reused = PlanCompiler.compile(patch, edits: edits, sampleRate: 48_000, reusing: draft)
            for (layer, other) in zip(reused.layers, new.layers) {
                for (parameter, track) in other.tracks {
                    #expect(layer.tracks[parameter]?.isEqual(to: track) == true, "\(parameter) of \(layer.kind)")
                }
            }
            draft = PlanDraft(reused)
        }
    }

    @Test("Of a thousand chapters, only the pieces near a moved one are cut again")
    func fewPieces() throws {
        var patch = Patch(layers: [Layer(name: "tone", kind: .tone, values: [.gain: -30])])
        patch.chapters = (0..<1000).map {
            Chapter(start: Double($0), over: 0.5, settings: [Setting(layer: 0, parameter: .carrier, value: 200 + Double($0 % 50))])
        }
        let old = try #require(PlanCompiler.compile(patch, sampleRate: 48_000).layers[0].tracks[.carrier])
        patch.chapters[500].start = 500.25
        let new = try #require(PlanCompiler.compile(patch, sampleRate: 48_000).layers[0].tracks[.carrier])
        let change = new.timeline.change(from: old.timeline)
        #expect(change.from == 499 * 48_000 + 24_000)
        #expect(change.until == 501 * 48_000)
    }
}

extension Patch {
    /// Moves a chapter, or changes a value of one, or of the start; sometimes nothing.
    fileprivate mutating func vary(using generator: inout SeededGenerator) {
        let setting = randomSetting(using: &generator)
        switch Int.random(in: 0...4, using: &generator) {
        case 0 where !chapters.isEmpty:
            let index = chapters.indices.randomElement(using: &generator)!
            let low = index > 0 ? chapters[index - 1].start : 0
            let high = index + 1 < chapters.count ? chapters[index + 1].start : 1
            chapters[index].start = .random(in: low...high, using: &generator)
        case 1 where !chapters.isEmpty:
            chapters[chapters.indices.randomElement(using: &generator)!].over = .random(in: 0.001...0.6, using: &generator)
        case 2 where !chapters.isEmpty:
            chapters[chapters.indices.randomElement(using: &generator)!].settings.append(setting)
        case 3: layers[setting.layer].values[setting.parameter] = setting.value
        default: break
        }
    }
}

extension ParameterTrack {
    fileprivate func isEqual(to other: ParameterTrack) -> Bool {
        let areValuesEqual = zip(values, other.values).allSatisfy { $0.elements.elementsEqual($1.elements) }
        let arePhasesEqual = phases.map { Array($0.elements) } == other.phases.map { Array($0.elements) }
        return form == other.form && moves == other.moves && timeline == other.timeline && values.count == other.values.count
            && areValuesEqual && arePhasesEqual
    }
}
