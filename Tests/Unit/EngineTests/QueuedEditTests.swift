import Patches
import Testing

@testable import Engine

@Suite("Edits that wait")
struct QueuedEditTests {
    /// A plan whose engine has four plans on their way, so that edits have to wait.
    private func busyPlan() -> LivePlan {
        let plan = PlanCompiler.compile(Patch.single(.binaural, [.carrier: 200, .gain: -20]), sampleRate: 48_000)
        var live = LivePlan(serial: 1, plan, origin: 0)
        for serial in UInt64(2)...5 { live.plan.didSend(serial: serial) }
        return live
    }

    private let all: Set<LivePlan.EditTarget> = [.value(.carrier, layer: 0), .value(.beat, layer: 0), .value(.gain, layer: 0)]

    @Test("Only the newest of edits that set the same values is made, such as presets loaded 500 times, and all are reported")
    func presets() {
        var live = busyPlan()
        var made: [UInt64] = []
        for serial in UInt64(10)..<510 {
            live.queue(serial: serial, atFrame: .asSoonAsPossible, all, earliest: 256, .other { _, _, _ in made.append(serial) })
        }
        #expect(!live.hasDueEdits)
        #expect(live.applyQueued(now: 0, earliest: 256, step: 960) == 509)
        #expect(made == [509])
        #expect(live.plan.didLand(serial: 5) == [])
        live.plan.didSend(serial: 509)
        #expect(live.plan.didLand(serial: 509).count == 500)
    }

    @Test("An edit of one value does not replace one that sets others as well")
    func parts() {
        var live = busyPlan()
        var made: [UInt64] = []
        live.queue(serial: 10, atFrame: .asSoonAsPossible, all, earliest: 256, .other { _, _, _ in made.append(10) })
        live.queue(serial: 11, atFrame: .asSoonAsPossible, [.value(.beat, layer: 0)], earliest: 256, .other { _, _, _ in made.append(11) })
        #expect(live.applyQueued(now: 0, earliest: 256, step: 960) == 11)
        #expect(made == [10, 11])
    }

    @Test("A course replaces a value that was set before it, but a value does not replace the course it is set on")
    func courses() {
        var live = busyPlan()
        var made: [UInt64] = []
        let (value, course) = (LivePlan.EditTarget.value(.beat, layer: 0), LivePlan.EditTarget.course(.beat, layer: 0))
        for (serial, target) in [(10, value), (11, course), (12, value)] as [(UInt64, LivePlan.EditTarget)] {
            live.queue(serial: serial, atFrame: .asSoonAsPossible, [target], earliest: 256, .other { _, _, _ in made.append(serial) })
        }
        #expect(live.applyQueued(now: 0, earliest: 256, step: 960) == 12)
        #expect(made == [11, 12])
    }

    @Test("An edit for a later frame does not replace one that is due now")
    func later() {
        var live = busyPlan()
        var made: [UInt64] = []
        live.queue(serial: 10, atFrame: .asSoonAsPossible, all, earliest: 256, .other { _, _, _ in made.append(10) })
        live.queue(serial: 11, atFrame: 480_000, all, earliest: 256, .other { _, _, _ in made.append(11) })
        #expect(live.applyQueued(now: 0, earliest: 256, step: 960) == 11)
        #expect(made == [10, 11])
    }

    @Test("Values of many layers that are set one by one on one frame give the plan that they give when set at once")
    func joined() throws {
        let settings =
            (0..<8).map { Setting(layer: $0, parameter: .gain, value: -30 - Double($0)) }
            + [Setting(layer: 2, parameter: .gain, value: -50), Setting(layer: 0, parameter: .carrier, value: 300)]
        func live(_ edits: [[Setting]], ramps: [Double?] = []) -> LivePlan {
            let patch = Patch(layers: (0..<8).map { Layer(name: "\($0)", kind: .tone, values: [.gain: -1]) })
            var live = LivePlan(serial: 1, PlanCompiler.compile(patch, sampleRate: 48_000).under(0.5), origin: 0)
            for (index, settings) in edits.enumerated() {
                let values = LivePlan.Values(settings: settings, ramp: ramps.indices.contains(index) ? ramps[index] : nil, easing: nil)
                live.queue(serial: UInt64(10 + index), atFrame: .asSoonAsPossible, [], earliest: 256, .values(values))
            }
            #expect(live.applyQueued(now: 0, earliest: 256, step: 960) == UInt64(9 + edits.count))
            return live
        }
        func isSame(_ one: LivePlan, _ other: LivePlan) -> Bool {
            (one.latest.layers.map { $0.tracks.mapValues(\.timeline) } == other.latest.layers.map { $0.tracks.mapValues(\.timeline) })
                && one.latest.headroom.gain.timeline == other.latest.headroom.gain.timeline
        }
        #expect(isSame(live(settings.map { [$0] }), live([settings])))
        // Edits with different ramps are not joined.
        let ramps = settings.indices.map { $0.isMultiple(of: 2) ? nil : 0.5 }
        #expect(!isSame(live(settings.map { [$0] }, ramps: ramps), live([settings])))
    }

    @Test("Edits made together are sent as one plan")
    func together() {
        let engine = TestEngine(cycle: 64)
        engine.control.start(engine.compile(Patch(layers: (0..<8).map { Layer(name: "\($0)", kind: .tone) })))
        engine.run(4096)
        engine.control.together {
            for layer in 0..<8 { engine.control.edit([Setting(layer: layer, parameter: .gain, value: -30)]) }
            #expect(engine.control.live?.plan.inFlight == 0)
        }
        #expect(engine.control.live?.plan.inFlight == 1)
        engine.run(4096)
        #expect(engine.control.live?.plan.waiting.isEmpty == true)
    }
}
