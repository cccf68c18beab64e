import Engine
import Patches

/// An engine whose callback the test calls, cycle by cycle, and all of its output.
final class TestEngine {
    let control: EngineControl
    let cycle: Int
    private(set) var left: [Float] = []
    private(set) var right: [Float] = []
    private(set) var events: [EngineEvent] = []

    /// Each cycle waits for sound files.
    var waits = true
    /// The thread takes denormal numbers for zero, as JACK's does.
    var flushesDenormals = true
    /// The input by frame; `nil` for silence.
    var input: ((Int) -> (left: Float, right: Float))?

    init(
        sampleRate: Double = 48_000, cycle: Int = 64, kernel: Kernel = .baseline, ceiling: Double = 0,
        sounds: @escaping SoundOpener = TestSound.open
    ) {
        control = EngineControl(sampleRate: sampleRate, kernel: kernel, ceiling: ceiling, sounds: sounds)
        self.cycle = cycle
    }

    /// Runs whole cycles until at least `frames` more have been put out, polling after each.
    func run(_ frames: Int) {
        let end = left.count + frames
        while left.count < end { runCycle() }
    }

    func runCycle(poll: Bool = true) {
        var l = [Float](repeating: .nan, count: cycle)
        var r = l
        let frames = left.count..<left.count + cycle
        let inputs = input.map { input in frames.map(input) }
        let (inputLeft, inputRight) = (inputs?.map(\.left), inputs?.map(\.right))
        if waits { control.handle.waitForSounds(frames: cycle) }
        l.withUnsafeMutableBufferPointer { l in
            r.withUnsafeMutableBufferPointer { r in
                inputLeft.withPointer { inputLeft in
                    inputRight.withPointer { inputRight in
                        func render() {
                            control.handle.render(
                                left: l.baseAddress!, right: r.baseAddress!, inputLeft: inputLeft, inputRight: inputRight, frames: cycle,
                                hostTime: UInt64(left.count))
                        }
                        if flushesDenormals { flushingDenormals(render) } else { render() }
                    }
                }
            }
        }
        left += l
        right += r
        if poll { events += control.poll() }
    }

    func compile(_ patch: Patch, edits: [LiveEdit] = []) -> Plan {
        PlanCompiler.compile(patch, edits: edits, sampleRate: control.sampleRate)
    }

    /// Engine frame and position at which a request was applied.
    func landing(of serial: UInt64) -> (engineFrame: Int64, position: Int64?)? {
        for case .landed(serial, let engineFrame, let position) in events { return (engineFrame.number, position?.number) }
        return nil
    }

    /// The output without the zeros at both ends: a sound that starts and ends by itself.
    var spectrumInput: ArraySlice<Double> { left.map(Double.init)[...] }
}

extension [Float]? {
    fileprivate func withPointer(_ body: (UnsafePointer<Float>?) -> Void) {
        guard let samples = self else { return body(nil) }
        samples.withUnsafeBufferPointer { body($0.baseAddress) }
    }
}
