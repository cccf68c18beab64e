import Foundation
import JACK
import OperatingSystem

extension ServerSituation {
    /// Set in the environment of the program restarted under pw-jack, so that it does not restart itself again.
    static let restartMark = "BINAURAL_UNDER_PW_JACK"

    /// Whether a program that starts no server should look for PipeWire's JACK: PipeWire runs, and nobody has named a server of jackd.
    package static func isPipeWireInReach(serverName: String?) -> Bool {
        serverName == nil && ProcessInfo.processInfo.environment["JACK_DEFAULT_SERVER"] == nil && !libraryIsPipeWire()
            && PipeWireSocket.identity() != nil
    }

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
    // SAFETY: the vector ends in nil; where execv succeeds, nothing of it is needed any more.
    execv(pwJack, vector)
    return "Cannot start \(pwJack): \(Errno.last). Run this program under pw-jack yourself."
}
