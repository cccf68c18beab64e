import Engine
import Patches
import TestSupport
import Testing

/// Whatever number a parameter is set to, what leaves is finite and under the ceiling.
@Suite struct BitPatternTests {
    /// Every kind of layer, every color and every wave.
    private static let patch: Patch = {
        var layers: [Layer] = []
        for (index, kind) in LayerKind.allCases.enumerated() {
            var layer = Layer(
                name: "layer\(index)", kind: kind, color: NoiseColor.allCases[index % NoiseColor.allCases.count],
                wave: Waveform.allCases[index % Waveform.allCases.count], table: [0, 1, -0.3, -1, 0.2])
            layer.values[.gain] = -20
            layers.append(layer)
        }
        return Patch(
            layers: layers,
            chapters: [
                Chapter(
                    start: 0.5, over: 0.2, ease: .elasticInOut,
                    settings: layers.indices.map { Setting(layer: $0, parameter: .gain, value: -10) })
            ])
    }()

    @Test("Every kind of layer begins at -26 dBFS or lower")
    func defaultLevel() {
        for kind in LayerKind.allCases { #expect(Layer(name: "one", kind: kind).value(of: .gain)! <= -26) }
    }

    @Test("Any bit pattern as the value of any parameter, with any easing: finite, under the ceiling, and no guard had to make it so")
    func anyBits() {
        var random = SplitMix64(seed: 20)
        let goal = isStress ? 10_000_000 : 20_000
        let plan = PlanCompiler.compile(Self.patch, sampleRate: 48_000)
        let parameters = Self.patch.layers.enumerated().flatMap { index, layer in layer.kind.parameters.map { (index, $0.parameter) } }
        let ceiling: Float = 0.501_187_3
        let left = UnsafeMutableBufferPointer<Float>.allocate(capacity: 512)
        let right = UnsafeMutableBufferPointer<Float>.allocate(capacity: 512)
        defer {
            left.deallocate()
            right.deallocate()
        }
        var (patterns, loudest, nonFinite, first) = (0, Float(0), UInt64(0), "")
        while patterns < goal {
            let settings = parameters.map { layer, parameter in
                Setting(layer: layer, parameter: parameter, value: Double(Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))))
            }
            patterns += settings.count
            let bits = random.next()
            let frame = Int64(bits % 40_000)
            let easing = bits & 1 << 40 == 0 ? nil : Easing.allCases[Int(bits >> 41) % Easing.allCases.count]
            let edited = plan.applying(settings, at: frame, ramp: Double(bits >> 50 & 63) / 1000, easing: easing)
            // At the edit, in the middle of its move or behind it.
            let renderer = OfflineRenderer(edited, from: frame + Int64(bits >> 56) * 12)
            left.update(repeating: .nan)
            right.update(repeating: .nan)
            _ = renderer.render(left: left, right: right)
            for index in 0..<512 {
                loudest = max(loudest, left[index].isFinite ? abs(left[index]) : .infinity)
                loudest = max(loudest, right[index].isFinite ? abs(right[index]) : .infinity)
            }
            if renderer.guardActions.nonFinite > 0, nonFinite == 0 {
                first = "edit at \(frame), bits \(bits), easing \(easing.map { "\($0)" } ?? "none"): \(settings)"
            }
            nonFinite += renderer.guardActions.nonFinite
        }
        print("figure: bit patterns: \(patterns), loudest sample \(loudest), not finite before the guard \(nonFinite)")
        #expect(loudest <= ceiling)
        #expect(nonFinite == 0, "the first: \(first)")
    }
}
