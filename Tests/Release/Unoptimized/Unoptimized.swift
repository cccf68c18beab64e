// Renders the patches of EngineTests/GoldenPatches.swift and prints their hashes, whatever flags it was compiled with.
import Engine
import Patches

@main struct Unoptimized {
    static func main() {
        for kernel in Kernel.allCases where kernel.isAvailable {
            for (name, patch) in GoldenPatches.all {
                for rate in [44_100.0, 48_000] {
                    print("\(name) \(Int(rate)) \(kernel): \(GoldenPatches.hash(patch, sampleRate: rate, kernel))")
                }
            }
        }
    }
}
