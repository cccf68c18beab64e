import ArgumentParser
import Engine

/// The build of the render code to run.
enum KernelOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case auto, baseline, avx2

    /// The kernel that the option selects.
    ///
    /// - Throws: `ProgramError` with the usage status if this machine cannot run it.
    func kernel() throws -> Kernel {
        let kernel: Kernel =
            switch self {
            case .auto: .best
            case .baseline: .baseline
            case .avx2: .avx2
            }
        guard kernel.isAvailable else {
            throw ProgramError(.usage, "This machine's processor cannot run the kernel \(rawValue): omit --kernel, or use baseline.")
        }
        return kernel
    }
}
