import Engine
import Patches
import Testing

@Suite("Phase shifts")
struct PhaseShiftTests {
    @Test(
        "A pulse or a beat advances by the requested amount and then returns to its frequency",
        arguments: [(Parameter.pulseRate, LayerKind.isochronic), (.beat, .monaural)], [-0.49, -0.1, 0.003, 0.5])
    func shifts(what: (Parameter, LayerKind), cycles: Double) throws {
        let (parameter, kind) = what
        let engine = TestEngine()
        engine.control.start(engine.compile(.single(kind, [.carrier: 200, parameter: 2.2])), fade: 0)
        engine.run(4800)
        let before = try #require(engine.control.live?.phase(of: parameter, layer: 0, atFrame: 4800))
        #expect(abs(before - 0.22) < 1e-9)
        let shift = try #require(
            engine.control.live?.course(
                shifting: parameter, layer: 0, holding: 2.2, by: cycles, over: 0.5, atFrame: 9600, sampleRate: engine.control.sampleRate))
        #expect(engine.control.follow(shift.course, ramp: shift.ramp, atFrame: 9600) != nil)
        engine.run(96_000)
        let after = try #require(engine.control.live?.phase(of: parameter, layer: 0, atFrame: 96_000))
        var error = after - (2.2 * 2 + cycles)
        error -= error.rounded()
        #expect(abs(error) < 3e-4)
        let later = try #require(engine.control.live?.phase(of: parameter, layer: 0, atFrame: 100_800))
        var way = later - after - 0.22
        way -= way.rounded()
        #expect(abs(way) < 1e-6)
        #expect(engine.control.live?.phase(of: .decay, layer: 0, atFrame: 4800) == nil)
        #expect(engine.control.live?.phase(of: parameter, layer: 7, atFrame: 4800) == nil)
    }
}
