import Engine
import Patches
import Testing

/// Layers with outputs of their own, besides the mix.
@Suite struct LayerOutputTests {
    /// Cycles of an engine with buffers for this many layers, while it starts, seeks, fades and goes to another patch.
    private func run(_ kernel: Kernel, layerCount: Int, sines: Int) -> (mix: [[Float]], layers: [[Float]]) {
        let control = EngineControl(sampleRate: 48_000, kernel: kernel, ceiling: 0)
        let patches = [Self.patch(carrier: 213.7, sines: sines), Self.patch(carrier: 341, sines: sines)]
        let plans = patches.map { PlanCompiler.compile($0, sampleRate: 48_000) }
        let (cycle, buffers) = (300, UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: max(2 * layerCount, 1)))
        defer { buffers.deallocate() }
        for index in 0..<2 * layerCount { buffers[index] = .allocate(capacity: cycle) }
        defer { for index in 0..<2 * layerCount { buffers[index].deallocate() } }
        var mix = [[Float]](repeating: [], count: 2)
        var layers = [[Float]](repeating: [], count: 2 * layerCount)
        var (left, right) = ([Float](repeating: .nan, count: cycle), [Float](repeating: .nan, count: cycle))
        for number in 0..<400 {
            switch number {
            case 3: control.start(plans[0])
            case 120: control.start(plans[0], at: PlanFrame(48_000 * 9))
            case 200: control.start(plans[1], at: 4_000)
            case 340: control.stop()
            default: break
            }
            // Their previous contents are undefined.
            for index in 0..<2 * layerCount { buffers[index].initialize(repeating: .nan, count: cycle) }
            control.handle.render(
                left: &left, right: &right, frames: cycle, hostTime: 0,
                layers: layerCount == 0 ? nil : LayerOutputs(buffers: buffers, layerCount: layerCount))
            mix[0] += left
            mix[1] += right
            for index in layers.indices { layers[index] += UnsafeBufferPointer(start: buffers[index], count: cycle) }
            _ = control.poll()
        }
        return (mix, layers)
    }

    /// - Parameter sines: The number of tones behind the other layers; eight are added up at nodes.
    private static func patch(carrier: Double, sines: Int) -> Patch {
        Patch(
            duration: 20, fade: Patch.Fade(in: 0.5, out: 1),
            layers: [
                Layer(name: "bed", kind: .binaural, values: [.carrier: carrier, .beat: 7, .gain: -20]),
                Layer(name: "rain", kind: .noise, values: [.gain: -30], color: .pink),
                Layer(name: "pulse", kind: .isochronic, values: [.carrier: carrier / 2, .pulseRate: 9, .gain: -26]),
                Layer(name: "off", kind: .tone, values: [.carrier: 99, .gain: -120]),
            ] + (0..<sines).map { Layer(name: "sine \($0)", kind: .tone, values: [.carrier: 50 + 90 * Double($0), .gain: -40]) })
    }

    @Test("The mix is bit-identical whether or not layers have outputs of their own", arguments: Kernel.available, [1, 3, 4, 16])
    func mixIsTheSame(kernel: Kernel, layerCount: Int) {
        for sines in [0, 12] {
            let alone = run(kernel, layerCount: 0, sines: sines).mix
            let beside = run(kernel, layerCount: layerCount, sines: sines).mix
            #expect(alone[0].contains { abs($0) > 0.05 })
            let isSame = alone.map { $0.map(\.bitPattern) } == beside.map { $0.map(\.bitPattern) }
            #expect(isSame, "\(sines) sines")
        }
    }

    @Test(
        "The layers add up to the mix through starts, seeks, changes of patch and stops, and missing layers are silent", arguments: [0, 12])
    func addUp(sines: Int) {
        let count = 6 + sines
        let (mix, layers) = run(.baseline, layerCount: count, sines: sines)
        for channel in 0...1 {
            let error = mix[channel].indices.map { frame in
                abs((0..<count).reduce(Float(0)) { $0 + layers[2 * $1 + channel][frame] } - mix[channel][frame])
            }
            // Roundings of a mix below 0.5, one for each layer and fade, of two sounds at a time.
            #expect((error.max() ?? 1) < Float(16 + 2 * sines) * Float.ulpOfOne * 0.5)
            for layer in 0..<3 { #expect(layers[2 * layer + channel].contains { abs($0) > 0.005 }, "layer \(layer)") }
            for layer in [3, count - 2, count - 1] { #expect(layers[2 * layer + channel].allSatisfy { $0 == 0 }, "layer \(layer)") }
        }
        // The bed is a tone: no noise of the layer beside it.
        let bed = layers[0][60_000..<60_300]
        #expect(zip(bed.dropFirst(), bed).allSatisfy { abs($0 - $1) < 0.01 })
    }
}
