import Foundation
import Synchronization

/// A message bus of one test: a genuine dbus-daemon at an address of its own, which can be killed, restarted and stopped.
package final class MessageBus: Sendable {
    package let address: String
    private let folder: TemporaryFolder
    private let daemon: Mutex<RunningProgram?>

    package init() async throws {
        folder = try TemporaryFolder()
        address = "unix:path=\(folder.file("bus"))"
        daemon = Mutex(nil)
        try await start()
    }

    /// For programs that use it as the bus of their session.
    package var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": address] }

    /// Starts the daemon, again after ``kill()``.
    package func start() async throws {
        let program = try requireTool("dbus-daemon", package: "dbus-daemon")
        try? FileManager.default.removeItem(atPath: folder.file("bus"))
        let started = try RunningProgram(
            program, ["--session", "--nofork", "--nopidfile", "--nosyslog", "--address=\(address)", "--print-address=1"])
        _ = try await started.line(containing: "unix:path=")
        daemon.withLock { $0 = started }
    }

    /// Kills the daemon, and returns when it is gone.
    package func kill() async throws {
        let running = daemon.withLock { $0 }
        running?.send(signal: SIGKILL)
        try await running?.exit()
    }

    /// Stops the daemon in the middle of its work, or lets it continue.
    package func hold(_ isHeld: Bool) { daemon.withLock { $0 }?.send(signal: isHeld ? SIGSTOP : SIGCONT) }

    /// Waits until a program owns the name.
    package func waitForName(_ name: String) async throws {
        let isOwned = try await eventually {
            let list = try await run("busctl", ["--address=\(address)", "--acquired", "--no-legend", "list"], package: "systemd")
            return list.outputLines.contains { $0.hasPrefix("\(name) ") }
        }
        guard isOwned else { throw ProgramFailure("nobody owns the name \(name)") }
    }

    /// Runs a program on this bus to its end.
    package func run(
        _ program: String, _ arguments: [String], package name: String, adding added: [String: String] = [:]
    ) async throws -> FinishedProgram {
        var environment = ProcessInfo.processInfo.environment.merging(self.environment) { $1 }
        environment["LC_ALL"] = "C.UTF-8"
        return try await RunningProgram.run(
            try requireTool(program, package: name), arguments, environment: environment.merging(added) { $1 })
    }
}
