import Foundation
import JACKBackend
import Library
import Playback

/// Keeps the connections that the session remembers, and notifies the user of those that it waits for or forgets.
@MainActor struct SessionConnections {
    private let keeper: SessionKeeper
    private let host: PlayerHost

    init(_ keeper: SessionKeeper, _ host: PlayerHost) { (self.keeper, self.host) = (keeper, host) }

    private var today: Day { Day(of: Date(timeIntervalSince1970: host.time.wallTime.secondsSince1970)) }

    /// Adopts the connections that the backend has learnt.
    func learn(_ links: [PortLink]) { keeper.connections.learn(links.map { ($0.port, $0.other) }, on: today) }

    /// Notes which ports exist; `nil` if that is unknown.
    func see(_ ports: Set<String>?) { keeper.connections.see(ports, on: today) }

    /// Notifies the user of the ports that connections wait for, each once until it has been there again.
    func reportWaiting(for ports: [String]) {
        // The program does not wait for a forgotten port. At startup only one notice is shown.
        let forgotten = forgetUnseen()
        let missing = keeper.connections.takeUnreported(ports)
        let waiting: String? =
            switch missing.count {
            case 0: nil
            case 1: "Waiting for the remembered port '\(missing[0])'; it will be connected when it appears."
            case 2: "Waiting for '\(missing[0])' and 1 other remembered port; they will be connected when they appear."
            default:
                "Waiting for '\(missing[0])' and \(missing.count - 1) other remembered ports; they will be connected when they appear."
            }
        let sentences = [forgotten, waiting].compactMap(\.self)
        if !sentences.isEmpty { host.notify(notice: sentences.joined(separator: " ")) }
    }

    /// Forgets the ports that have not been there for 30 days, and notifies the user of them.
    func reportForgotten() {
        if let forgotten = forgetUnseen() { host.notify(notice: forgotten) }
    }

    /// Forgets the ports that have not been there for 30 days.
    ///
    /// - Returns: a sentence about them; `nil` if there are none.
    private func forgetUnseen() -> String? {
        let forgotten = keeper.connections.age(on: today)
        guard let first = forgotten.first else { return nil }
        host.device?.forget(forgotten.map { PortLink(port: $0.port, other: $0.other) })
        let others = Set(forgotten.map(\.other)).count - 1
        let names = others == 0 ? "'\(first.other)'" : "'\(first.other)' and \(others) other port\(others == 1 ? "" : "s")"
        return "Forgot the connections to \(names), not seen for more than \(RememberedConnections.patience) days."
    }

    /// Forgets the connections of a missing port, or of all missing ports.
    func forget(_ port: String?) -> CommandResult {
        func refusal(_ status: CommandStatus, _ message: String) -> CommandResult { CommandResult(status, by: "application", message) }
        if let port {
            guard keeper.connections.remembers(port) else { return refusal(.noSuchContent, "No connection to '\(port)' is remembered.") }
        } else if !keeper.connections.isCertain {
            return refusal(.deviceNotFound, "JACK is away, so it is unknown which ports are missing: name one.")
        }
        let forgotten = keeper.connections.forget(port)
        if let port, forgotten.isEmpty { return refusal(.disabled, "'\(port)' exists: use jack/disconnect.") }
        host.device?.forget(forgotten.map { PortLink(port: $0.port, other: $0.other) })
        let names = Set(forgotten.map(\.other)).sorted().map { "'\($0)'" }
        host.notify(
            notice: names.isEmpty
                ? "No remembered port is missing, so nothing was forgotten." : "Forgot the connections to \(names.joined(separator: ", "))."
        )
        return CommandResult(.success, by: "application")
    }
}
