import Engine
import Patches

/// 64 layers of ten kinds, and every 50 ms a start of another patch, a seek, or a fader that moves.
enum PeakLoad {
    private static let layerCount = 64
    private static let blocksBetweenUses = 37
    /// Three in eight are noises and spins, which cost the most, above all after a seek.
    private static let kinds: [(kind: LayerKind, color: NoiseColor, wave: Waveform)] = [
        (.binaural, .white, .sine), (.tone, .white, .sine), (.monaural, .white, .sine), (.isochronic, .white, .sine),
        (.bilateral, .white, .sine),
        (.phase, .white, .sine), (.harmonicBox, .white, .sine), (.bell, .white, .sine), (.noise, .pink, .sine), (.noise, .brown, .sine),
        (.noise, .white, .sine), (.spin, .white, .sine), (.binaural, .white, .triangle), (.noise, .blue, .sine), (.tone, .white, .square),
        (.noise, .violet, .sine),
    ]

    private static func plan(carrier: Int) -> Plan {
        let layers = (0..<layerCount).map { index in
            let (kind, color, wave) = kinds[index % kinds.count]
            let values: [Parameter: Double] = [.gain: -60, .carrier: Double(carrier + 11 * index), .beat: 6, .pulseRate: 9]
            let possible = Set(kind.possibleParameters.map(\.parameter))
            return Layer(
                name: "layer\(index)", kind: kind, values: values.filter { possible.contains($0.key) }, color: color, wave: wave,
                seed: UInt64(carrier + index))
        }
        return PlanCompiler.compile(Patch(layers: layers), sampleRate: EngineLoad.sampleRate)
    }

    /// CPU time in nanoseconds of each callback of so many seconds, the least of so many times through them: every time each callback does the
    /// same, so that what is the machine's own, which comes now here and now there, is not in it.
    static func leastTimes(seconds: Int, passes: Int) -> [Int] {
        let blocks = seconds * Int(EngineLoad.sampleRate) / EngineLoad.blockSize
        let plans = [plan(carrier: 100), plan(carrier: 137)]
        let output = UnsafeMutablePointer<Float>.allocate(capacity: 2 * EngineLoad.blockSize)
        defer { output.deallocate() }
        var least = [Int](repeating: .max, count: blocks)
        for _ in 0..<passes {
            let engine = EngineControl(sampleRate: EngineLoad.sampleRate, kernel: .best)
            // A linear congruential generator: the same uses in every pass. Knuth, "The Art of Computer Programming", volume 2, 3.3.4.
            var state: UInt64 = 1
            func random(_ count: Int) -> Int {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(state >> 33) % count
            }
            engine.start(plans[0], at: PlanFrame(0))
            for block in 0..<blocks {
                if block % blocksBetweenUses == 0 {
                    _ = engine.poll()
                    let layer = random(layerCount)
                    switch random(4) {
                    case 0: engine.start(plans[random(2)], at: PlanFrame(Int64(random(500) * Int(EngineLoad.sampleRate) + random(48_000))))
                    case 1: engine.start(plans[random(2)], at: PlanFrame(0))
                    case 2: _ = engine.edit([Setting(layer: layer, parameter: .gain, value: -70 + Double(random(16)))])
                    default: _ = engine.edit([Setting(layer: layer, parameter: .carrier, value: 100 + Double(random(800)))])
                    }
                }
                flushingDenormals {
                    let time = threadTime {
                        engine.handle.render(left: output, right: output + EngineLoad.blockSize, frames: EngineLoad.blockSize, hostTime: 0)
                    }
                    least[block] = min(least[block], time)
                }
            }
        }
        return least
    }
}
