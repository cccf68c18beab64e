import Foundation

extension Places {
    /// The places of this process.
    package static var current: Places {
        standard(
            environment: ProcessInfo.processInfo.environment,
            executable: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0],
            workingFolder: FileManager.default.currentDirectoryPath)
    }
}
