import Dispatch
import Foundation
import JACK
import OperatingSystem
import Synchronization

extension ServerSituation {
    /// Set in the environment of the program restarted under pw-jack, so that it does not restart itself again.
    static let restartMark = "BINAURAL_UNDER_PW_JACK"

    /// Examines this machine. If `serverName` is `nil`, the environment names the server.
    package static func survey(serverName: String? = nil) -> ServerSituation {
        let environment = ProcessInfo.processInfo.environment
        var situation = ServerSituation(serverName: serverName ?? defaultServerName(environment: environment))
        situation.isServerRunning = isServerRunning(serverName)
        situation.isPipeWireLibrary = libraryIsPipeWire()
        situation.isPipeWireRunning = PipeWireSocket.identity() != nil || runsForThisUser(["pipewire", "wireplumber", "pipewire-pulse"])
        situation.pwJackPath = environment[restartMark] == nil ? pathOfTool("pw-jack", environment: environment) : nil
        situation.jackdPath = pathOfTool("jackd", environment: environment)
        situation.cardDevice = (try? String(contentsOfFile: "/proc/asound/pcm", encoding: .utf8)).flatMap(firstPlaybackDevice)
        return situation
    }

    /// The part that PipeWire has for a program that starts no server.
    package enum PipeWireUse: Equatable, Sendable {
        /// Nothing: a server of jackd runs or was named, or PipeWire does not run.
        case none
        case restart(pwJack: String)
        /// PipeWire runs, but pw-jack is missing.
        case notInstalled
    }

    /// - Parameter serverName: The server that was asked for; `nil` if none was.
    package static func pipeWireUse(serverName: String?) -> PipeWireUse {
        let environment = ProcessInfo.processInfo.environment
        guard serverName == nil, environment["JACK_DEFAULT_SERVER"]?.isEmpty ?? true, environment[restartMark] == nil, !libraryIsPipeWire(),
            PipeWireSocket.isThere, !isDefaultServerRunning(), PipeWireSocket.identity() != nil
        else { return .none }
        return pathOfTool("pw-jack", environment: environment).map { .restart(pwJack: $0) } ?? .notInstalled
    }

    /// Seconds after which a server that does not answer is taken for a running one.
    private static let longestLook = 5.0

    private static func isDefaultServerRunning() -> Bool {
        let look = Look()
        Thread.detachNewThread { look.end(isServerRunning(nil)) }
        return look.wait(seconds: longestLook) ?? true
    }

    /// The answer of a thread that may never come.
    private final class Look: Sendable {
        private let found = Mutex<Bool?>(nil)
        private let isOver = DispatchSemaphore(value: 0)

        func end(_ isRunning: Bool) {
            found.withLock { $0 = isRunning }
            isOver.signal()
        }

        func wait(seconds: Double) -> Bool? {
            _ = isOver.wait(timeout: .now() + seconds)
            return found.withLock { $0 }
        }
    }

    /// Whether a client can be opened, which works with every JACK library.
    static func isServerRunning(_ name: String?) -> Bool {
        forbidStartingServers()
        receiveLog(nil)
        do throws(JACKError) {
            _ = try InactiveClient.open(name: "binaural-look", serverName: name) { _ in }
            return true
        } catch {
            if case .noServer = error { return false }
            return true
        }
    }

    /// The first playback device in ALSA's list, preferably one that is not a display. Lines look like "00-03: HDMI 0 : HDMI 0 : playback
    /// 1".
    package static func firstPlaybackDevice(in list: String) -> String? {
        let playing = list.split(separator: "\n").filter { $0.contains(": playback") }
        guard let line = playing.first(where: { !$0.contains("HDMI") }) ?? playing.first else { return nil }
        let numbers = line.prefix { $0 != ":" }.split(separator: "-").compactMap { Int($0) }
        return numbers.count == 2 ? "hw:\(numbers[0]),\(numbers[1])" : nil
    }

    /// Whether a process of one of these names belongs to this user.
    private static func runsForThisUser(_ names: Set<String>) -> Bool {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.contains { process in
            guard Int32(process) != nil, let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8),
                names.contains(name.trimmingCharacters(in: .newlines))
            else { return false }
            var information = stat()
            return stat("/proc/\(process)", &information) == 0 && information.st_uid == getuid()
        }
    }

    private static func pathOfTool(_ name: String, environment: [String: String]) -> String? {
        (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}

/// Replaces this process by pw-jack running this program again with the same arguments; returns only if that fails, with the reason. execv
package func restartUnderPipeWire(pwJack: String, program: String, arguments: [String]) -> String {
    setenv(ServerSituation.restartMark, "1", 1)
    let vector = ([pwJack, program] + arguments).map { strdup($0) } + [nil]
    defer { vector.forEach { free($0) } }
    // Text that was printed must not wait in this process.
    fflush(nil)
    // SAFETY: the vector ends in nil; where execv succeeds, nothing of it is needed any more.
    execv(pwJack, vector)
    return "Cannot start \(pwJack): \(Errno.last). Run this program under pw-jack yourself."
}
