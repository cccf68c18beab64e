import Engine
import Patches
import TestSupport

/// Tones whose own spectrum ends far below 2 kHz, and everything that may happen to them. One in two scripts has a single layer, so that what is
/// measured is measured against that carrier alone.
struct SineScript {
    let engine: TestEngine
    private(set) var words: [String] = []
    private var generator: SeededGenerator
    private let items: [(patch: Patch, plan: Plan)]
    private let kinds: [LayerKind]
    /// The plan of the last request.
    private var current = 0

    init(seed: UInt64, kernel: Kernel) {
        var generator = SeededGenerator(seed: seed &+ 1000)
        let engine = TestEngine(cycle: 64, kernel: kernel)
        self.engine = engine
        let count = Bool.random(using: &generator) ? 1 : Int.random(in: 2...3, using: &generator)
        let kinds = (0..<count).map { _ in Self.kinds.randomElement(using: &generator)! }
        self.kinds = kinds
        // With so many silent layers beside them, tones are added up at nodes.
        let silent = (0..<(seed.isMultiple(of: 3) ? 8 : 0)).map { Layer(name: "silent\($0)", kind: .tone, values: [.gain: -120]) }
        // Two items of the same layers; one has chapters, the other may end by itself.
        items = (0..<2).map { item in
            let layers = kinds.enumerated().map { index, kind in
                var layer = Layer(name: "l\(index)", kind: kind)
                for parameter in Self.parameters(of: kind) { layer.values[parameter] = Self.value(of: parameter, using: &generator) }
                layer.values[.gain] = .random(in: -30 ... -20, using: &generator)
                return layer
            }
            let duration: Double? = item == 1 && Bool.random(using: &generator) ? .random(in: 0.2...2, using: &generator) : nil
            let patch = Patch(
                duration: duration, layers: layers + silent, chapters: item == 0 ? Self.chapters(of: kinds, using: &generator) : [])
            return (patch, engine.compile(patch))
        }
        self.generator = generator
        words = kinds.map(\.rawValue)
    }

    /// The kinds whose spectrum ends below 2 kHz: pulses with edges that are long enough among them.
    private static let kinds: [LayerKind] = [.tone, .binaural, .monaural, .isochronic, .bilateral, .phase, .harmonicBox]

    private static func parameters(of kind: LayerKind) -> [Parameter] { kind.parameters.map(\.parameter) }

    /// An easing that keeps the spectrum below 2 kHz.
    private static func value(of parameter: Parameter, using generator: inout SeededGenerator) -> Double {
        switch parameter {
        case .carrier: .random(in: 60...380, using: &generator)
        case .gain: .random(in: -50 ... -20, using: &generator)
        case .beat: .random(in: 0...20, using: &generator)
        case .pulseRate: .random(in: 0.5...4, using: &generator)
        case .duty: .random(in: 0.3...0.75, using: &generator)
        case .depth: .random(in: 0...360, using: &generator)
        case .phase: .random(in: -180...180, using: &generator)
        case .pan: .random(in: -1...1, using: &generator)
        case .width: .random(in: 0...1, using: &generator)
        // The usual 20 ms have as much as -99.5 dB from 1800 Hz on, where the measure begins.
        case .edge: .random(in: 0.03...0.3, using: &generator)
        case .decay, .delay, .correlation, .attack, .release, .pulseDepth, .amRate, .amDepth, .spinRate, .spinDepth, .spinDelay, .orbitRate,
            .distance:
            preconditionFailure("\(parameter) has no value here")
        }
    }

    /// A move in a time that is asked for, which may be short: level and balance do not go as far, the phase not at all. Nearly a cycle in 50 ms,
    /// or 30 dB, is heard.
    private static func move(of layer: Int, _ kind: LayerKind, using generator: inout SeededGenerator) -> Setting {
        let parameter = parameters(of: kind).filter { $0 != .phase }.randomElement(using: &generator)!
        let value: Double =
            switch parameter {
            case .gain: .random(in: -40 ... -20, using: &generator)
            case .pan: .random(in: -0.5...0.5, using: &generator)
            default: value(of: parameter, using: &generator)
            }
        return Setting(layer: layer, parameter: parameter, value: value)
    }

    /// Three, each of which moves up to three parameters of a layer, at once or over some time, with an easing or without.
    private static func chapters(of kinds: [LayerKind], using generator: inout SeededGenerator) -> [Chapter] {
        (0..<3).map { _ in Double.random(in: 0...1, using: &generator) }.sorted().map { start in
            let layer = Int.random(in: kinds.indices, using: &generator)
            let settings = (0..<3).map { _ in move(of: layer, kinds[layer], using: &generator) }
            return Chapter(
                start: start, over: Bool.random(using: &generator) ? nil : .random(in: 0.05...0.5, using: &generator),
                ease: [Easing.linear, .sineInOut, .quadIn, .cubicInOut].randomElement(using: &generator)!, settings: settings)
        }
    }

    /// Starts and ends in silence, within 2^16 frames.
    mutating func run() {
        engine.run(640)
        engine.control.start(items[0].plan)
        engine.run(1500)
        while engine.left.count < 50_000 {
            act()
            // Often before the last change is over.
            engine.run(Int.random(in: 1...(Bool.random(using: &generator) ? 400 : 4000), using: &generator))
        }
        engine.control.stop(isPanic: true)
        engine.run(4000)
        while engine.control.status.isSounding, engine.left.count < 65_000 { engine.runCycle() }
    }

    private mutating func record(_ word: String) { words.append("\(engine.left.count): \(word)") }

    private mutating func act() {
        let layer = Int.random(in: kinds.indices, using: &generator)
        switch Int.random(in: 0...18, using: &generator) {
        case 0: start("seek", .random(in: 1...90_000, using: &generator))
        case 1: start("item", 0)
        case 2: pause()
        case 3:
            record("next")
            engine.control.setNext(items.randomElement(using: &generator)!.plan, crossfade: Bool.random(using: &generator) ? 0 : 0.2)
        case 4:
            record("mute \(layer)")
            engine.control.mute([layer])
            engine.run(Int.random(in: 1...3000, using: &generator))
            engine.control.mute([])
        case 5:
            record("master")
            engine.control.setMaster(.random(in: -60...0, using: &generator))
        case 6, 7: edit("frequency", layer, .carrier, .random(in: 60...380, using: &generator))
        case 8: edit("level", layer, .gain, Bool.random(using: &generator) ? -120 : level())
        case 9: edit("balance", layer, .pan, .random(in: -1...1, using: &generator))
        case 10:
            let setting = Self.move(of: layer, kinds[layer], using: &generator)
            record("ramp of \(setting.parameter)")
            engine.control.edit(
                [setting], ramp: .random(in: 0...2, using: &generator), easing: Bool.random(using: &generator) ? nil : .sineInOut)
        case 11: panic()
        case 12: release(layer)
        case 13, 14, 15:
            let parameter = anyParameter(of: layer)
            edit("\(parameter)", layer, parameter, Self.value(of: parameter, using: &generator))
        default: stream(layer)
        }
    }

    private mutating func anyParameter(of layer: Int) -> Parameter {
        Self.parameters(of: kinds[layer]).randomElement(using: &generator)!
    }

    private mutating func level() -> Double { .random(in: -50 ... -20, using: &generator) }

    private mutating func start(_ word: String, _ position: Int64) {
        record(word)
        current = Int.random(in: items.indices, using: &generator)
        engine.control.start(items[current].plan, at: PlanFrame(position))
    }

    private mutating func edit(_ word: String, _ layer: Int, _ parameter: Parameter, _ value: Double) {
        record("\(word) of \(layer) \(value)")
        engine.control.edit([Setting(layer: layer, parameter: parameter, value: value)])
    }

    /// Resumes where it was paused.
    private mutating func pause() {
        record("pause, play")
        let serial = engine.control.stop()
        engine.run(Int.random(in: 64...3000, using: &generator))
        engine.control.start(items[current].plan, at: PlanFrame(engine.landing(of: serial)?.position ?? 0))
    }

    /// Everything fades out over 30 ms, and something else starts, at once or later.
    private mutating func panic() {
        record("panic")
        engine.control.stop(fade: 0.03, isPanic: true)
        engine.run(Int.random(in: 1...3000, using: &generator))
        start("play", .random(in: 0...40_000, using: &generator))
    }

    /// Back to the patch's value, as after a touch or a reset.
    private mutating func release(_ layer: Int) {
        record("reset \(layer)")
        for parameter in Self.parameters(of: kinds[layer]) {
            guard
                let course = PlanCompiler.course(
                    of: parameter, layer: layer, in: items[current].patch, edits: [], held: [], sampleRate: engine.control.sampleRate)
            else { continue }
            engine.control.follow(course)
        }
    }

    /// A fader of level, frequency, balance, any parameter or master, from ten to a thousand times a second.
    private mutating func stream(_ layer: Int) {
        let interval = [48, 200, 800, 4800].randomElement(using: &generator)!
        let count = Int.random(in: 3...min(40, 9600 / interval + 3), using: &generator)
        let fader = Int.random(in: 0...5, using: &generator)
        let name = ["gain", "gain", "carrier", "pan", "any", "master"][fader]
        let any = anyParameter(of: layer)
        record("fader of \(name == "any" ? "\(any)" : name) each \(interval) frames")
        var (gain, carrier, pan) = (level(), Double.random(in: 100...300, using: &generator), 0.0)
        for _ in 0..<count {
            switch name {
            case "carrier":
                carrier = min(max(carrier + .random(in: -20...20, using: &generator), 60), 380)
                engine.control.edit([Setting(layer: layer, parameter: .carrier, value: carrier)])
            case "pan":
                pan = min(max(pan + .random(in: -0.5...0.5, using: &generator), -1), 1)
                engine.control.edit([Setting(layer: layer, parameter: .pan, value: pan)])
            case "any": engine.control.edit([Setting(layer: layer, parameter: any, value: Self.value(of: any, using: &generator))])
            default:
                gain = min(max(gain + .random(in: -4...4, using: &generator), -60), name == "master" ? 0 : -18)
                if name == "master" {
                    engine.control.setMaster(gain)
                } else {
                    engine.control.edit([Setting(layer: layer, parameter: .gain, value: gain)])
                }
            }
            engine.run(interval)
        }
    }
}
