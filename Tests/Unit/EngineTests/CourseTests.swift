import Patches
import TestSupport
import Testing

@testable import Engine

/// A parameter that is held and released in the middle.
@Suite struct CourseTests {
    /// Moves of frequency and level, one of which is usually in progress.
    private static let patch: Patch = {
        let chapters = (0..<6).map { index -> Chapter in
            let settings = [
                Setting(layer: 0, parameter: .carrier, value: Double(250 + 30 * index)),
                Setting(layer: 0, parameter: .gain, value: Double(-24 - 2 * index)),
            ]
            return Chapter(start: Double(2 + 4 * index) / 10, over: 0.3, ease: index % 2 == 0 ? .sineInOut : .linear, settings: settings)
        }
        return Patch.single(.binaural, [.carrier: 200, .gain: -20], chapters: chapters)
    }()

    private static let parameters: [Parameter] = [.carrier, .gain]

    private static func course(_ parameter: Parameter, _ value: Double?) throws -> ParameterCourse {
        let held = value.map { [Setting(layer: 0, parameter: parameter, value: $0)] } ?? []
        return try #require(PlanCompiler.course(of: parameter, layer: 0, in: patch, edits: [], held: held, sampleRate: 48_000))
    }

    @Test(
        "a held parameter ignores chapters; when it is released, it returns to the chapters' value, also during a move",
        arguments: parameters)
    func course(parameter: Parameter) throws {
        let plan = PlanCompiler.compile(Self.patch, sampleRate: 48_000)
        func value(_ plan: Plan, _ frame: Int64) -> Double { plan.value(of: parameter, layer: 0, at: frame) ?? .nan }
        let limit = 2.7e-5
        for (touch, release) in [(Int64(14_400), Int64(50_000)), (5_000, 34_567), (33_600, 36_000)] {
            let stays = value(plan, touch)
            let held = plan.following(try Self.course(parameter, stays), at: touch)
            for frame in stride(from: touch + 2400, to: 120_000, by: 999) { #expect(value(held, frame) == stays) }
            let moved = held.applying([Setting(layer: 0, parameter: parameter, value: stays + 1)], at: touch + 2400)
            #expect(value(moved, 120_000) == stays + 1)
            let back = moved.following(try Self.course(parameter, nil), at: release, ramp: 0.05)
            for frame in stride(from: release + 2400, to: 150_000, by: 777) {
                let difference = value(back, frame) - value(plan, frame)
                #expect(abs(difference) < 1e-9)
            }
            for frame in [touch, touch + 2400, release, release + 2400] {
                // Value, slope and curvature lead on: third differences stay as small as a polynomial of 20 ms makes them: 200 x 120 / 960^3.
                for at in (frame - 6)...(frame + 3) {
                    let v = (0..<4).map { value(back, at + $0) }
                    let third: Double = v[3] - 3 * v[2] + 3 * v[1] - v[0]
                    #expect(abs(third) < limit)
                }
            }
            let (before, after) = (render(plan, count: Int(touch)), render(back, count: Int(touch)))
            #expect(before == after)
            let whole = render(back, count: 100_000)
            #expect(render(back, from: release + 100, count: 20_000, blocks: [64, 5]) == whole.part(Int(release) + 100, 20_000))
        }
    }

    @Test("the move after a release can be edited, and later chapters apply")
    func editedAfterwards() throws {
        let plan = PlanCompiler.compile(Self.patch, sampleRate: 48_000)
        let back = plan.following(try Self.course(.gain, -30), at: 10_000).following(try Self.course(.gain, nil), at: 50_000)
        let edited = back.applying([Setting(layer: 0, parameter: .gain, value: -40)], at: 53_000)
        #expect(edited.value(of: .gain, layer: 0, at: 56_000) == -40)
        #expect(edited.value(of: .gain, layer: 0, at: 120_000) == plan.value(of: .gain, layer: 0, at: 120_000))
    }

    @Test("a plan compiled with a held parameter is the same from the start")
    func compiled() throws {
        let held = [Setting(layer: 0, parameter: .gain, value: -33)]
        let plan = PlanCompiler.compile(Self.patch, held: held, sampleRate: 48_000)
        for frame in stride(from: Int64(0), to: 120_000, by: 5000) { #expect(plan.value(of: .gain, layer: 0, at: frame) == -33) }
        #expect(plan.value(of: .carrier, layer: 0, at: 120_000) == 400)
    }

    @Test("holding and releasing a control does not click")
    func clicks() throws {
        let engine = TestEngine(cycle: 64)
        engine.control.start(engine.compile(Self.patch))
        engine.run(4800)
        for step in 0..<20 {
            engine.control.follow(try Self.course(.gain, -20 - Double(step % 3) * 10))
            engine.control.follow(try Self.course(.carrier, 220 + Double(step % 2) * 60))
            engine.run(1500)
            for parameter in Self.parameters { engine.control.follow(try Self.course(parameter, nil), ramp: 0.05) }
            engine.run(3100)
        }
        engine.control.stop()
        engine.run(4800)
        // A tone of up to 400 Hz whose level and frequency move over 20 ms and more.
        #expect(peakAbove(2000, in: engine.spectrumInput, sampleRate: 48_000) < -100)
    }
}

extension Samples {
    fileprivate func part(_ start: Int, _ count: Int) -> Samples {
        Samples(left: Array(left[start..<start + count]), right: Array(right[start..<start + count]))
    }
}
