import Engine
import Patches

/// Two channels of samples.
struct Samples: Equatable {
    var left: [Float]
    var right: [Float]
}

/// `count` frames of a plan from `start` on, in blocks whose lengths repeat.
func render(_ plan: Plan, from start: Int64 = 0, count: Int, blocks: [Int] = [1024], kernel: Kernel = .baseline) -> Samples {
    let renderer = OfflineRenderer(plan, from: start, kernel: kernel, ceiling: 0, sounds: TestSound.open)
    var samples = Samples(left: .init(repeating: .nan, count: count), right: .init(repeating: .nan, count: count))
    var done = 0
    var block = 0
    samples.left.withUnsafeMutableBufferPointer { left in
        samples.right.withUnsafeMutableBufferPointer { right in
            while done < count {
                let length = min(blocks[block % blocks.count], count - done)
                _ = renderer.render(
                    left: .init(rebasing: left[done..<done + length]), right: .init(rebasing: right[done..<done + length]))
                done += length
                block += 1
            }
        }
    }
    return samples
}

extension Patch {
    /// A patch of one layer with any name.
    static func single(
        _ kind: LayerKind, _ values: [Parameter: Double] = [:], color: NoiseColor = .white, duration: Double? = nil,
        chapters: [Chapter] = []
    ) -> Patch {
        Patch(
            duration: duration, layers: [Layer(name: "one", kind: kind, values: values, color: color)],
            chapters: chapters)
    }
}
