import Foundation
import Library

extension Places {
    /// The places of this process.
    static var current: Places {
        standard(
            environment: ProcessInfo.processInfo.environment,
            executable: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0],
            workingFolder: FileManager.default.currentDirectoryPath)
    }
}
