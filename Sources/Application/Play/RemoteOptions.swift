import Foundation
import OSC
import OSCRemote
import Playback

/// The validated configuration of the remote control.
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
    private let version: String

    /// - Throws: `ApplicationError` for what is invalid.
    init(_ options: PlayConfiguration.Remote, _ preferences: PreferenceValues) throws {
        port = options.port ?? UInt16(clamping: preferences.oscPort)
        isPortNamed = options.port != nil
        localRole = options.localRole
        honoursTimeTags = options.honoursTimeTags
        version = options.version
        let (unix, numeric) = (options.listen.filter { $0.hasPrefix("unix:") }, options.listen.filter { !$0.hasPrefix("unix:") })
        paths = try unix.map { text in
            let path = String(text.dropFirst(5))
            guard !path.isEmpty else { throw ApplicationError(.usage, "--osc-listen unix:PATH takes the path of a socket, not '\(text)'.") }
            return path
        }
        let asked = options.listen.isEmpty ? [preferences.oscAddress] : numeric
        addresses = try asked.map { text in
            guard let address = IPAddress(text) else {
                throw ApplicationError(
                    .usage, "--osc-listen takes a numeric address such as 0.0.0.0 or 192.168.1.5, or unix:PATH, not '\(text)'.")
            }
            return address
        }
        allowed = try options.allow.map { text in
            guard let rule = AccessRule(text) else {
                throw ApplicationError(.usage, "--osc-allow takes CIDR=view|control|admin, such as 192.168.1.0/24=control, not '\(text)'.")
            }
            return rule
        }
        feedback = try options.feedback.map { text in
            guard let peer = FeedbackPeer(text) else {
                throw ApplicationError(
                    .usage, "--osc-feedback takes HOST:PORT=TOPICS, such as 192.168.1.20:9000=now,layers, not '\(text)'.")
            }
            return peer
        }
    }

    /// - Parameter isManaged: a session manager starts several programs alike, so that all but the first need another port than the one in
    ///   the preferences.
    /// - Returns: the sockets, and a notice about their port, if any.
    /// - Throws: `ApplicationError` naming the process that holds the port.
    func bind(isManaged: Bool) throws(ApplicationError) -> (sockets: OSCServerSockets, notice: String?) {
        do throws(SocketError) {
            return (try bind(to: port), nil)
        } catch {
            guard isManaged, !isPortNamed, case .portInUse(_, let owner) = error else { throw ApplicationError(.unavailable, "\(error)") }
            let sockets: OSCServerSockets
            do throws(SocketError) { sockets = try bind(to: 0) } catch { throw ApplicationError(.unavailable, "\(error)") }
            let name = owner.map { "\($0.name) (process \($0.pid))" } ?? "another program"
            return (sockets, "UDP port \(port) is in use by \(name): listening for OSC on port \(sockets.endpoint.port).")
        }
    }

    private func bind(to port: UInt16) throws(SocketError) -> OSCServerSockets {
        try OSCServerSockets(port: port, listeningOn: addresses, unix: paths)
    }

    func configuration(client: String, port: UInt16) -> OSCServerConfiguration {
        let identity = InstanceIdentity(
            name: client, version: version, port: port, bootID: Int64.random(in: 1...Int64.max))
        var configuration = OSCServerConfiguration(identity: identity)
        configuration.allowed = allowed
        configuration.localRole = localRole
        configuration.honoursTimeTags = honoursTimeTags
        configuration.feedback = feedback
        return configuration
    }
}
