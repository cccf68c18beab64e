// Renders the patches of EngineTests/GoldenPatches.swift and tells their hashes, in whatever way it was compiled.
import Engine
import Patches

@main struct Unoptimized {
    static func main() {
        for kernel in Kernel.allCases where kernel.isAvailable {
            for (name, patch) in GoldenPatches.all {
                for rate in [44_100.0, 48_000] { print("\(name) \(Int(rate)) \(kernel): \(hash(patch, sampleRate: rate, kernel))") }
            }
        }
    }

    private static func hash(_ patch: Patch, sampleRate: Double, _ kernel: Kernel) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        let renderer = OfflineRenderer(GoldenPatches.plan(patch, sampleRate: sampleRate), from: 100, kernel: kernel, ceiling: 0)
        var (left, right) = ([Float](repeating: 0, count: 1024), [Float](repeating: 0, count: 1024))
        for _ in 0..<GoldenPatches.frames / 1024 {
            left.withUnsafeMutableBufferPointer { left in
                right.withUnsafeMutableBufferPointer { right in _ = renderer.render(left: left, right: right) }
            }
            GoldenPatches.hash(left, right, into: &hash)
        }
        return hash
    }
}
