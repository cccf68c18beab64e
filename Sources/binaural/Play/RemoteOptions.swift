import ArgumentParser
import Foundation
import OSC
import OSCRemote
import Playback

/// The validated options of `play` for the remote control.
struct RemoteOptions {
    private let port: UInt16
    /// Whether the port was given on the command line.
    private let isPortNamed: Bool
    private let addresses: [IPAddress]
    private let paths: [String]
    private let localRole: Role
    private let honoursTimeTags: Bool
    private let allowed: [AccessRule]
    private let feedback: [FeedbackPeer]

    /// - Throws: `ProgramError` with the usage status.
    init(_ options: PlayOptions, _ preferences: PreferenceValues) throws {
        port =
            switch options.oscPort {
            case nil: UInt16(clamping: preferences.oscPort)
            case .any: 0
            case .number(let number): number
            }
        isPortNamed = options.oscPort != nil
        localRole = options.oscLocalRole
        honoursTimeTags = options.oscTimetags == .honour
        let (unix, numeric) = (options.oscListen.filter { $0.hasPrefix("unix:") }, options.oscListen.filter { !$0.hasPrefix("unix:") })
        paths = try unix.map { text in
            let path = String(text.dropFirst(5))
            guard !path.isEmpty else { throw ProgramError(.usage, "--osc-listen unix:PATH takes the path of a socket, not '\(text)'.") }
            return path
        }
        let asked = options.oscListen.isEmpty ? [preferences.oscAddress] : numeric
        addresses = try asked.map { text in
            guard let address = IPAddress(text) else {
                throw ProgramError(
                    .usage, "--osc-listen takes a numeric address such as 0.0.0.0 or 192.168.1.5, or unix:PATH, not '\(text)'.")
            }
            return address
        }
        allowed = try options.oscAllow.map { text in
            guard let rule = AccessRule(text) else {
                throw ProgramError(.usage, "--osc-allow takes CIDR=view|control|admin, such as 192.168.1.0/24=control, not '\(text)'.")
            }
            return rule
        }
        feedback = try options.oscFeedback.map { text in
            guard let peer = FeedbackPeer(text) else {
                throw ProgramError(.usage, "--osc-feedback takes HOST:PORT=TOPICS, such as 192.168.1.20:9000=now,layers, not '\(text)'.")
            }
            return peer
        }
    }

    /// - Parameter isManaged: a session manager starts several programs alike, so that all but the first need another port than the one in
    ///   the preferences.
    /// - Returns: the sockets, and a notice about their port, if any.
    /// - Throws: `ProgramError` 69, naming the process that holds the port.
    func bind(isManaged: Bool) throws(ProgramError) -> (sockets: RemoteSockets, notice: String?) {
        do throws(SocketError) {
            return (try bind(to: port), nil)
        } catch {
            guard isManaged, !isPortNamed, case .portInUse(_, let owner) = error else { throw ProgramError(.unavailable, "\(error)") }
            let sockets: RemoteSockets
            do throws(SocketError) { sockets = try bind(to: 0) } catch { throw ProgramError(.unavailable, "\(error)") }
            let name = owner.map { "\($0.name) (process \($0.pid))" } ?? "another program"
            return (sockets, "UDP port \(port) is in use by \(name): listening for OSC on port \(sockets.endpoint.port).")
        }
    }

    private func bind(to port: UInt16) throws(SocketError) -> RemoteSockets {
        try RemoteSockets(port: port, listeningOn: addresses, unix: paths)
    }

    func configuration(client: String, port: UInt16) -> RemoteConfiguration {
        let identity = RemoteIdentity(
            name: client, version: ProgramVersion.text, port: port, bootID: Int64.random(in: 1...Int64.max))
        var configuration = RemoteConfiguration(identity: identity)
        configuration.allowed = allowed
        configuration.localRole = localRole
        configuration.honoursTimeTags = honoursTimeTags
        configuration.feedback = feedback
        return configuration
    }
}
