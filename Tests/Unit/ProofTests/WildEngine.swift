import Patches
import TestSupport

@testable import Engine

/// An engine in which every kind of layer sounds, a file, an input and played keys among them, and whose parameters are set to any bits.
final class WildEngine {
    private let control: EngineControl
    private let kernel: Kernel
    private var random: SplitMix64
    private var plan: Plan
    private var parameters: [(layer: Int, parameter: Parameter)] = []
    private var rounds = 0

    private static let cycle = 256
    private let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let (left, right): (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)
    private let (inputLeft, inputRight): (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)

    /// The findings.
    struct Findings {
        /// Numbers that parameters, the master and the tuning were set to.
        var patterns = 0
        var loudest: Float = 0
        /// Samples that the guard silenced, and samples of layer outputs that are not finite.
        var nonFinite: UInt64 = 0
        /// The number of rounds in which each kind was heard.
        var heard: [LayerKind: Int] = [:]
        var rounds = 0
        /// The settings of the first round with a sample that was not finite.
        var first = ""
    }

    init(seed: UInt64, sampleRate: Double, kernel: Kernel) {
        random = SplitMix64(seed: seed)
        self.kernel = kernel
        // Without a decoding thread: the file is decoded at the start.
        control = EngineControl(
            sampleRate: sampleRate, kernel: kernel, ceiling: -6,
            feeder: SoundFeeder({ _, _ throws(SoundFailure) in Hiss() }, sampleRate: sampleRate, hasThread: false), isLocked: false)
        plan = PlanCompiler.compile(.single, sampleRate: sampleRate)
        buffers = .allocate(capacity: 2 * LayerKind.allCases.count)
        for index in 0..<2 * LayerKind.allCases.count { buffers[index] = .allocate(capacity: Self.cycle) }
        left = .allocate(capacity: Self.cycle)
        right = .allocate(capacity: Self.cycle)
        inputLeft = .allocate(capacity: Self.cycle)
        inputRight = .allocate(capacity: Self.cycle)
    }

    deinit {
        for index in 0..<2 * LayerKind.allCases.count { buffers[index].deallocate() }
        for memory in [left, right, inputLeft, inputRight] { memory.deallocate() }
        buffers.deallocate()
    }

    /// Sets everything once and renders at the edit, in the middle of its move or after it.
    func round(_ findings: inout Findings) {
        if rounds % 60 == 0 || rounds == 20 { change() }
        rounds += 1
        let settings = parameters.map { Setting(layer: $0.layer, parameter: $0.parameter, value: number()) }
        let bits = random.next()
        // At any position, or at the start of the chapter, which strikes bells.
        let frame = bits & 1 << 38 == 0 ? Int64(bits % 40_000) : Int64(0.4 * control.sampleRate) + Int64(bits % 1000)
        let easing = bits & 1 << 40 == 0 ? nil : Easing.allCases[Int(bits >> 41) % Easing.allCases.count]
        let edited = plan.edited { $0.apply(settings, at: frame, ramp: Double(bits >> 50 & 63) / 1000, easing: easing) }
        let (master, tuning) = (number(), number())
        control.tune(a4: tuning)
        // At the edit, in the middle of its move or after it, 80 ms later.
        control.start(edited, at: PlanFrame(frame + Int64(Double(bits >> 56) / 255 * 0.08 * control.sampleRate)), fade: 0)
        // Half of the time the mix is as loud as it can be.
        control.setMaster(bits & 1 << 39 == 0 ? 0 : master, ramp: Double(bits >> 20 & 31) / 1000, easing: easing)
        findings.patterns += settings.count + 2
        findings.rounds += 1
        let before = control.status.guardActions.nonFinite
        var peaks = [Float](repeating: 0, count: LayerKind.allCases.count)
        for _ in 0..<2 { runCycle(&peaks, &findings) }
        for (index, kind) in LayerKind.allCases.enumerated() where peaks[index] > 1e-4 { findings.heard[kind, default: 0] += 1 }
        let nonFinite = control.status.guardActions.nonFinite - before + UInt64(peaks.count { !$0.isFinite })
        if nonFinite > 0, findings.nonFinite == 0 {
            findings.first =
                "\(kernel), \(control.sampleRate) Hz, edit at \(frame), bits \(bits), easing \(easing.map { "\($0)" } ?? "none"), "
                + "master \(master), A4 \(tuning): \(settings)"
        }
        findings.nonFinite += nonFinite
    }

    private func runCycle(_ peaks: inout [Float], _ findings: inout Findings) {
        left.update(repeating: .nan, count: Self.cycle)
        right.update(repeating: .nan, count: Self.cycle)
        for index in 0..<Self.cycle {
            inputLeft[index] = Float.random(in: -1...1, using: &random)
            inputRight[index] = Float.random(in: -1...1, using: &random)
        }
        play()
        control.feeder.feedAll()
        control.handle.render(
            left: left, right: right, inputLeft: inputLeft, inputRight: inputRight, frames: Self.cycle, hostTime: 0,
            layers: LayerOutputs(buffers: buffers, layerCount: peaks.count))
        _ = control.poll()
        findings.loudest = max(findings.loudest, peak(left), peak(right))
        for index in peaks.indices { peaks[index] = max(peaks[index], peak(buffers[2 * index]), peak(buffers[2 * index + 1])) }
    }

    /// Infinity for what is not finite.
    private func peak(_ samples: UnsafeMutablePointer<Float>) -> Float {
        var peak: Float = 0
        for index in 0..<Self.cycle { peak = max(peak, samples[index].isFinite ? abs(samples[index]) : .infinity) }
        return peak
    }

    /// Keys go down, with some bend of the wheel, and up.
    private func play() {
        let frame = control.handle.nextFrame
        for part in 0..<4 {
            let bits = random.next()
            let status: UInt8 = part < 2 ? 0x90 : [0x80, 0xB0, 0xE0, 0x90][Int(bits >> 16 & 3)]
            let controller: UInt8 = [64, 120, 121, 123][Int(bits >> 18 & 3)]
            control.handle.play(
                status, status == 0xB0 ? controller : UInt8(bits & 127), part < 2 ? 127 : UInt8(bits >> 8 & 127),
                atFrame: frame + Int64(part * 40))
        }
    }

    private func number() -> Double { Double(random.nextFloat()) }

    /// Other waves, colors and tables; a patch that sets what it likes, and moves it.
    private func change() {
        var random = random
        var layers: [Layer] = []
        parameters = []
        for (index, kind) in LayerKind.allCases.enumerated() {
            var layer = Layer(
                name: "layer\(index)", kind: kind, color: NoiseColor.allCases.randomElement(using: &random)!,
                wave: Waveform.allCases.randomElement(using: &random)!,
                table: (0..<Int.random(in: 2...64, using: &random)).map { _ in .random(in: -1...1, using: &random) },
                seed: random.next())
            layer.path = "/hiss"
            layer.effects = Set(kind.effects.filter { _ in Bool.random(using: &random) })
            if layer.canHaveEnvelope, Bool.random(using: &random) { layer.envelope = DrawnEnvelope(levels: [0, 1, 0.2, 0]) }
            layers.append(layer)
            parameters += layer.parameters.map { (index, $0.parameter) }
        }
        self.random = random
        for (layer, parameter) in parameters where self.random.next() & 1 == 0 { layers[layer].values[parameter] = number() }
        // A layer that is off or has decayed before anything is set is not heard.
        for index in layers.indices { layers[index].values[.gain] = -20 }
        layers[LayerKind.allCases.firstIndex(of: .bell)!].values[.decay] = 10
        let settings = parameters.map { Setting(layer: $0.layer, parameter: $0.parameter, value: number()) }
        let bits = self.random.next()
        var patch = Patch(
            fade: bits & 1 == 0 ? nil : Patch.Fade(in: 0.3, easeIn: .elasticOut, out: 0.3, easeOut: .backIn), layers: layers,
            chapters: [
                Chapter(start: 0.4, over: 0.2, ease: Easing.allCases[Int(bits >> 8) % Easing.allCases.count], settings: settings)
            ])
        if bits & 2 == 0 { patch.gainLaw = .amplitude }
        plan = PlanCompiler.compile(patch, sampleRate: control.sampleRate)
    }
}

extension SplitMix64 {
    /// Any bits of a `Float`. Of these nearly all are beyond a parameter's range, or next to nothing: one in four has a size that ranges have.
    mutating func nextFloat() -> Float {
        let bits = next()
        let pattern = UInt32(truncatingIfNeeded: bits)
        guard bits >> 60 < 4 else { return Float(bitPattern: pattern) }
        return Float(bitPattern: pattern & 0x807f_ffff | UInt32(117 + (bits >> 40) % 25) << 23)
    }
}

extension Kernel {
    /// The kernels that this machine can run.
    static var available: [Kernel] { allCases.filter(\.isAvailable) }
}

extension Patch {
    fileprivate static let single = Patch(layers: [Layer(name: "one", kind: .tone)])
}

/// A recording as loud as one can be.
private final class Hiss: SoundReader {
    let frameCount: Int64 = 1 << 40
    private static let samples: [Float] = {
        var random = SplitMix64(seed: 4)
        return (0..<SoundStream.chunkLength).map { _ in .random(in: -1...1, using: &random) }
    }()

    func read(from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) throws(SoundFailure) {
        left.update(from: Self.samples, count: count)
        right.update(from: Self.samples, count: count)
    }
}

extension Plan {
    fileprivate func edited(_ change: (inout PlanDraft) -> Void) -> Plan {
        var draft = PlanDraft(self)
        change(&draft)
        return Plan(draft)
    }
}
