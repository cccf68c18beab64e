import Dispatch
import Engine
import Patches

/// An engine that plays a stretch of a plan over and over, in blocks as the audio callback has them.
final class EngineLoad {
    static let sampleRate = 48_000.0
    static let blockSize = 64
    /// Plan frame at which the stretch begins: the fade at the start of a patch is over.
    static let start: Int64 = 48_000

    private let engine: EngineControl
    private let plan: Plan
    private let blocksInStretch: Int
    private var block = 0
    /// Edits that alternate, handed over whenever so many blocks have been rendered.
    private let edits: [[Setting]]
    private static let blocksBetweenEdits = 37
    private let control = DispatchQueue(label: "control")
    private let left: UnsafeMutablePointer<Float>
    private let right: UnsafeMutablePointer<Float>

    /// - Parameter edits: Settings that are set by turns 20 times a second, each moving over 50 ms.
    init(_ plan: Plan, frames: Int64, kernel: Kernel, edits: [[Setting]] = []) {
        precondition(kernel.isAvailable, "This processor cannot run \(kernel).")
        self.plan = plan
        self.edits = edits
        blocksInStretch = Int(frames) / Self.blockSize
        engine = EngineControl(sampleRate: Self.sampleRate, kernel: kernel)
        left = .allocate(capacity: Self.blockSize)
        right = .allocate(capacity: Self.blockSize)
        begin()
    }

    deinit {
        left.deallocate()
        right.deallocate()
    }

    private func begin() {
        engine.reset()
        engine.start(plan, at: PlanFrame(Self.start), fade: 0)
        block = 0
    }

    /// CPU time in nanoseconds of `count` callbacks after each other. Making the edits is not counted; taking them over is.
    func render(blocks count: Int) -> Int {
        var time = 0
        var remaining = count
        while remaining > 0 {
            if block == blocksInStretch { begin() }
            var run = min(remaining, blocksInStretch - block)
            if !edits.isEmpty {
                let (edit, place) = block.quotientAndRemainder(dividingBy: Self.blocksBetweenEdits)
                if place == 0 {
                    _ = engine.poll()
                    _ = engine.edit(edits[edit % edits.count], ramp: 0.05)
                }
                run = min(run, Self.blocksBetweenEdits - place)
            }
            flushingDenormals {
                time += threadTime {
                    for _ in 0..<run { engine.handle.render(left: left, right: right, frames: Self.blockSize, hostTime: 0) }
                }
            }
            block += run
            remaining -= run
        }
        _ = engine.poll()
        return time
    }

    /// CPU time in nanoseconds of each callback of the stretch, the least of so many times through it: every time each callback does the same, so
    /// that what is the machine's own, which comes now here and now there, is not in it.
    func leastTimes(passes: Int) -> [Int] {
        (0..<passes).reduce(into: [Int](repeating: .max, count: blocksInStretch)) { least, _ in
            begin()
            for index in least.indices { least[index] = min(least[index], render(blocks: 1)) }
        }
    }

    /// CPU time in nanoseconds of the first callback after each of so many jumps to arbitrary frames, crossfaded as a seek is, the least of so
    /// many times through all of them. The sound plays for a while before a jump.
    func leastTimesOfJumps(_ count: Int, passes: Int) -> [Int] {
        (0..<passes).reduce(into: [Int](repeating: .max, count: count)) { least, _ in
            begin()
            var numbers = RepeatedNumbers()
            for index in least.indices {
                _ = render(blocks: 60)
                block = numbers.next(below: blocksInStretch / 2)
                startOnOtherThread(at: PlanFrame(Self.start + Int64(block * Self.blockSize)))
                least[index] = min(least[index], render(blocks: 1))
            }
        }
    }

    /// Starts the plan on another thread, as the program does, so that its preparation does not evict the render thread's cache.
    private func startOnOtherThread(at frame: PlanFrame) {
        nonisolated(unsafe) let load = self
        let done = DispatchSemaphore(value: 0)
        control.async {
            load.engine.start(load.plan, at: frame)
            done.signal()
        }
        done.wait()
    }

    /// CPU time in nanoseconds of the first callback of an engine that has not played anything.
    static func first(_ plan: Plan) -> Int {
        let load = EngineLoad(plan, frames: Int64(sampleRate), kernel: .best)
        return load.render(blocks: 1)
    }

    /// CPU time in nanoseconds of the callbacks that take over so many edits, each of a level or a carrier of one layer, the least of so many
    /// times through all of them.
    func leastTimesOfEdits(_ count: Int, passes: Int, layerCount: Int) -> [Int] {
        (0..<passes).reduce(into: [Int](repeating: .max, count: count)) { least, _ in
            begin()
            var numbers = RepeatedNumbers()
            for index in least.indices {
                _ = render(blocks: 60)
                let layer = numbers.next(below: layerCount)
                _ = engine.edit([
                    index % 2 == 0
                        ? Setting(layer: layer, parameter: .gain, value: -80 - Double(numbers.next(below: 4)))
                        : Setting(layer: layer, parameter: .carrier, value: 100 + Double(numbers.next(below: 800)))
                ])
                least[index] = min(least[index], render(blocks: 1))
            }
        }
    }

    /// CPU time in nanoseconds of a fader's move on the control side: the change to the plan, handing it over, taking back the old one.
    /// The callback in between is not counted.
    func move(_ setting: Setting) -> Int {
        if block == blocksInStretch { begin() }
        var time = threadTime { _ = engine.edit([setting]) }
        flushingDenormals { engine.handle.render(left: left, right: right, frames: Self.blockSize, hostTime: 0) }
        block += 1
        time += threadTime { _ = engine.poll() }
        return time
    }
}

/// How much moves while a load plays.
enum Motion: String, CaseIterable {
    /// Constant frequencies and gains.
    case steady
    /// Carrier, beat and gain of every layer on their way all the time, each move taking 10 s, smooth as by remote control.
    case ramps
    /// The same in straight lines, as chapters move.
    case slides
    /// The same under fader streams: a new target for every one of them 20 times a second, each move taking 50 ms, set while it plays.
    case faders

    /// Seconds of a move.
    static let seconds = 10.0

    /// Moves in the plan, which follow each other.
    var moveCount: Int {
        switch self {
        case .steady, .faders: 0
        case .ramps, .slides: 4
        }
    }

    /// Frames in which there is something to measure.
    var frames: Int64 { Int64(Self.seconds * EngineLoad.sampleRate) * Int64(max(moveCount, 1)) }

    /// Settings that are set by turns while so many layers play.
    func edits(_ count: Int) -> [[Setting]] {
        guard self == .faders else { return [] }
        return [true, false].map { isUp in (0..<count).flatMap { Plan.settings(layer: $0, of: count, isUp: isUp) } }
    }
}

extension Plan {
    /// `count` layers of a kind at different frequencies, at a level that keeps their sum below the ceiling.
    static func load(
        _ kind: LayerKind, count: Int, motion: Motion = .steady, color: NoiseColor = .white, width: Double? = nil,
        effects: Set<LayerEffect> = []
    ) -> Plan {
        let level = level(of: count)
        let layers = (0..<count).map { index in
            var values: [Parameter: Double] = [.gain: level]
            if kind != .noise { values[.carrier] = carrier(index) }
            if kind == .binaural || kind == .monaural { values[.beat] = 4 + Double(index % 16) }
            values[.width] = width
            var layer = Layer(name: "layer\(index)", kind: kind, values: values, color: color)
            layer.effects = effects
            return layer
        }
        var draft = PlanDraft(PlanCompiler.compile(Patch(layers: layers), sampleRate: EngineLoad.sampleRate))
        for move in 0..<motion.moveCount {
            let isUp = move % 2 == 0
            let settings = (0..<count).flatMap { Self.settings(layer: $0, of: count, isUp: isUp) }
            let frame = EngineLoad.start + Int64(Double(move) * Motion.seconds * EngineLoad.sampleRate)
            draft.apply(settings, at: frame, ramp: Motion.seconds, easing: motion == .slides ? .linear : nil)
        }
        return Plan(draft)
    }

    /// A level in dB that keeps the sum of so many layers below the ceiling.
    private static func level(of count: Int) -> Double { max(-90, -12 - 6 * Double(Int.bitWidth - count.leadingZeroBitCount)) }

    private static func carrier(_ index: Int) -> Double { 100 + 3 * Double(index % 300) + 0.01 * Double(index) }

    /// Carrier, beat and gain of a layer at the upper or lower end of its moves.
    static func settings(layer index: Int, of count: Int, isUp: Bool) -> [Setting] {
        [
            Setting(layer: index, parameter: .carrier, value: carrier(index) + (isUp ? 20 : 0)),
            Setting(layer: index, parameter: .beat, value: 4 + Double(index % 16) + (isUp ? 2 : 0)),
            Setting(layer: index, parameter: .gain, value: level(of: count) - (isUp ? 3 : 0)),
        ]
    }
}
